import { type AllowRule, type Egress, type EgressRequest, parseAllowRules } from '../platform/egress/index.ts'
import { parseRequestUrl, portOf } from '../platform/egress/request-url.ts'

/**
 * Below this path, a simulator receives the requests for other hosts: `/_at/https/api.example.com/things`.
 */
const FORWARD_PATH = '/_at'

/** Returns the rules that make the simulator itself reachable. */
export function simulatorRules(simulator: string): AllowRule[] {
  const url = new URL(simulator)
  return parseAllowRules(`${url.hostname}:${portOf(url)}`)
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether the administrator opened this host of this machine by its name and not by a range. */
function isOpenedLoopback(url: URL, allowed: readonly AllowRule[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return (
    LOOPBACK.includes(url.hostname) &&
    allowed.some(
      (rule) =>
        (rule.kind === 'host' ? rule.host : rule.address) === host &&
        (rule.port === undefined || rule.port === portOf(url)),
    )
  )
}

/**
 * Sends every request to the simulator, with the original URL in its path, and none anywhere else. Only the
 * administrator can choose the simulator. Proxies are not used, and redirects are not followed. Hosts of this machine
 * that the administrator opened in `allowed` are reached, such as the receiver of webhooks in a test.
 */
export function toSimulator(egress: Egress, simulator: string, allowed: readonly AllowRule[] = []): Egress {
  const { origin } = new URL(simulator)
  return {
    ...egress,
    async send({ proxy: _proxy, ...request }: EgressRequest) {
      const url = parseRequestUrl(request.url)
      if (url.origin === origin || isOpenedLoopback(url, allowed)) return egress.send(request)
      const headers = Object.fromEntries(
        Object.entries(request.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'host'),
      )
      const response = await egress.send({
        ...request,
        headers,
        maxRedirects: 0,
        url: `${simulator}${FORWARD_PATH}/${url.protocol.slice(0, -1)}/${url.host}${url.pathname}${url.search}`,
      })
      return { ...response, url: url.href }
    },
  }
}
