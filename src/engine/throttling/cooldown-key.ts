import type { ResolvedOperation } from '../pipeline/context.ts'
import type { ToolConnection } from '../types.ts'

/** Returns who shares a cooldown. Undefined for credentials that the call contains: they have no account. */
export function cooldownKey(
  { tool, toolkit: { rateLimit } }: ResolvedOperation,
  connection: ToolConnection,
): string | undefined {
  if (connection.kind !== 'account') return undefined
  const { id, authConfigId } = connection.account
  if (rateLimit.counts === 'tool') return `${id}/${tool.slug}`
  return `${rateLimit.counts === 'app' ? authConfigId : id}/${tool.limits.bucket ?? ''}`
}
