import type { Egress, EgressOptions } from './types.ts'

export { parseAllowRules, type AllowRule } from './allow.ts'
export { EgressError, type EgressErrorKind } from './errors.ts'
export type { Egress, EgressOptions, EgressProxy, EgressRequest, EgressResponse, EgressStats } from './types.ts'

/** The only way out: an HTTP client that reaches public addresses and what `allow` opens. Close it to free its sockets. */
export function createEgress(options: EgressOptions): Egress {
  throw new Error(`not built: ${options.allow.length}`)
}
