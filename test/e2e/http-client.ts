import type { Client } from '../fixtures/client.ts'

const TIMEOUT_MS = 120_000

/** A client typed by the contract, as the injected one of the harness, but through a socket. */
export function httpClient(
  origin: string,
  headers: Record<string, string>,
  version: 'v3' | 'v3.1' = 'v3.1',
): Client {
  return async (route, request = {}) => {
    const params = (request.params ?? {}) as Record<string, unknown>
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    const url = new URL(`${origin}/api/${version}${path}`)
    for (const [key, value] of Object.entries(request.query ?? {}))
      url.searchParams.set(key, Array.isArray(value) ? value.join(',') : String(value))
    const body =
      request.body === undefined
        ? {}
        : { body: JSON.stringify(request.body), headers: { ...headers, 'content-type': 'application/json' } }
    const reply = await fetch(url, {
      method: route.method,
      headers,
      ...body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await reply.text()
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body: text ? JSON.parse(text) : undefined,
    } as never
  }
}
