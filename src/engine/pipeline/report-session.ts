import type { ToolResult } from '../types.ts'
import type { CallStart, HasConnection, StepDeps } from './context.ts'

/** Adds the session at the application to the result: the account, and when its credentials end, if that is known. */
export function reportSession(
  { connection }: CallStart & Partial<HasConnection>,
  _deps: StepDeps,
  result: ToolResult,
): ToolResult {
  if (connection?.kind !== 'account' || result.isWithheld) return result
  const { id: accountId, tokenExpiresAt: expiresAt } = connection.account
  return expiresAt === null ? result : { ...result, session: { accountId, expiresAt } }
}
