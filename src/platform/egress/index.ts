import { createAddressGuard } from './address-guard.ts'
import { createByteBudget } from './byte-budget.ts'
import { EgressError } from './errors.ts'
import { createPools } from './pools.ts'
import { createProxies } from './proxies.ts'
import { send } from './send-request.ts'
import { portOf, parseRequestUrl } from './request-url.ts'
import type { Egress, EgressOptions } from './types.ts'

export type { ByteLease } from './byte-budget.ts'
export { allowRuleOf, parseAllowRules, type AllowRule } from './allow-rules.ts'
export { EgressError, type EgressErrorKind } from './errors.ts'
export { loadUndici } from './undici.ts'
export type {
  Egress,
  EgressOptions,
  EgressProxy,
  EgressRequest,
  EgressResponse,
  EgressStats,
  OnBody,
} from './types.ts'

const RESPONSE_BYTES_MAX = 256 * 1024 * 1024

/**
 * Creates the HTTP client for all outgoing requests. It reaches public addresses and those that `allow`
 * permits. Close it to free its sockets.
 */
export function createEgress(options: EgressOptions): Egress {
  const guard = createAddressGuard(options.allow, options.lookup)
  const limits = {
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 256,
    ca: options.ca,
  }
  const budget = createByteBudget(options.responseBytesMax ?? RESPONSE_BYTES_MAX)
  const pools = createPools(guard, limits)
  const proxies = createProxies(guard, limits)
  let closing: Promise<unknown> | undefined
  return {
    async send(request) {
      if (closing) throw new EgressError('aborted', 'the server is stopping.')
      if (budget.isExhausted())
        throw new EgressError(
          'busy',
          'The server has too many large responses in memory. Nothing was sent. Try again in a second.',
        )
      const lease = request.lease ?? budget.lease()
      return send(request, pools, proxies, lease).finally(() => {
        if (lease !== request.lease) lease.release()
      })
    },
    check(url) {
      const target = parseRequestUrl(url)
      if (guard.deniesLiteral(target.hostname, portOf(target)))
        throw new EgressError('refused_address', `${target.host}: not a public address.`)
    },
    lease: budget.lease,
    async close() {
      await (closing ??= Promise.all([pools.close(), proxies.close()]))
    },
    stats() {
      const stats = pools.stats()
      return { ...stats, origins: stats.origins + proxies.count() }
    },
  }
}
