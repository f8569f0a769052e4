import type { Dispatcher } from 'undici'
import type { ByteLease } from './byte-budget.ts'
import { decompressResponse } from './decompress.ts'
import { EgressError } from './errors.ts'
import { exchange, overBudget, type RawResponse } from './exchange.ts'
import type { Pools } from './pools.ts'
import type { Proxies } from './proxies.ts'
import { redirectedRequest, type Hop } from './redirect.ts'
import { withDefaultHeaders } from './request-headers.ts'
import { parseRequestUrl } from './request-url.ts'
import { toEgressError } from './translate-error.ts'
import type { EgressRequest, EgressResponse } from './types.ts'
import { RequestDeadline } from './request-deadline.ts'

const bytesMaxDefault = 10 * 1024 * 1024
const redirectsMaxDefault = 5

/** Sends a request, follows the allowed redirects, and returns the last response. @throws EgressError */
export async function send(
  request: EgressRequest,
  pools: Pools,
  proxies: Proxies,
  lease: ByteLease,
): Promise<EgressResponse> {
  const url = parseRequestUrl(request.url)
  const watch = new RequestDeadline(url.host, request.timeoutMs, request.signal)
  try {
    const bytesMax = request.bytesMax ?? bytesMaxDefault
    let redirectsLeft =
      request.maxRedirects ??
      (request.method === 'GET' || request.method === 'HEAD' ? redirectsMaxDefault : 0)
    const follows = redirectsLeft > 0
    let hop: Hop = { url, method: request.method, headers: request.headers, body: request.body }
    for (;;) {
      const answer = await sendHop(hop, request, { pools, proxies, bytesMax, watch, lease })
      const next = follows
        ? redirectedRequest(hop, answer.status, answer.headers, request.sensitiveHeaders, watch.label)
        : undefined
      if (!next || (request.mayRedirect && !(await request.mayRedirect(next.url))))
        return await finish(answer, hop, bytesMax, watch, lease)
      if (redirectsLeft-- === 0)
        throw new EgressError('too_many_redirects', `${url.host}: too many redirects.`)
      // The target comes from the server, and may be an internal address.
      watch.label = `${url.host} (redirected)`
      hop = next
    }
  } catch (error) {
    throw toEgressError(error, watch.label)
  } finally {
    watch.end()
  }
}

function sendHop(
  hop: Hop,
  request: EgressRequest,
  {
    pools,
    proxies,
    ...limits
  }: { pools: Pools; proxies: Proxies; bytesMax: number; watch: RequestDeadline; lease: ByteLease },
): Promise<RawResponse> {
  const { watch } = limits
  const { url, method, body } = hop
  if (method === 'CONNECT')
    throw new EgressError('protocol', `${watch.label}: the method CONNECT is not for callers.`)
  const dispatcher: Dispatcher = request.proxy ? proxies.agentFor(request.proxy, url) : pools.poolFor(url)
  const options: Dispatcher.DispatchOptions = {
    origin: url.origin,
    path: url.search === '' ? url.pathname : url.pathname + url.search,
    method,
    headers: withDefaultHeaders(hop.headers, url, watch.label),
    body: body ?? null,
    headersTimeout: 0, // The deadline covers the whole request.
    bodyTimeout: 0,
  }
  return exchange(dispatcher, options, limits, request.onBody)
}

async function finish(
  answer: RawResponse,
  hop: Hop,
  bytesMax: number,
  watch: RequestDeadline,
  lease: ByteLease,
): Promise<EgressResponse> {
  const response = { status: answer.status, headers: answer.headers, body: answer.body, url: hop.url.href }
  if (answer.headers['content-encoding'] === undefined) return response
  const decoded = await decompressResponse(response, bytesMax, watch.label)
  if (decoded !== response && !lease.add(decoded.body.length)) throw overBudget(watch.label)
  watch.check()
  return decoded
}
