import type { Egress, EgressRequest } from '../egress/index.ts'
import type { Tracing } from './types.ts'

/**
 * Records each outgoing request as a span. Paths and queries are left out: the path of some APIs contains a token. The
 * trace continues at `propagationHosts` only: its ids would show other applications which of their requests belong
 * together.
 */
export function tracedEgress(egress: Egress, tracing: Tracing, propagationHosts: readonly string[]): Egress {
  const send = (request: EgressRequest) => {
    const url = URL.parse(String(request.url))
    const attributes = {
      'http.request.method': request.method,
      'server.address': url?.hostname,
      'url.scheme': url?.protocol.slice(0, -1),
      ...(url?.port && { 'server.port': Number(url.port) }),
    }
    return tracing.run(request.method, { kind: 'client', attributes }, async (span) => {
      const isPropagated = url !== null && matchesHost(url.hostname, propagationHosts)
      const response = await egress.send(
        isPropagated ? { ...request, headers: { ...request.headers, ...tracing.headers() } } : request,
      )
      span.set({ 'http.response.status_code': response.status })
      if (response.status >= 400) span.fail(String(response.status))
      return response
    })
  }
  return { ...egress, send }
}

/** Whether a host is in a list of names and `*.` patterns. */
const matchesHost = (host: string, list: readonly string[]): boolean =>
  list.some((entry) => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry))
