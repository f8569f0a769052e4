import { UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { responseMeaning } from '../http/provider-response.ts'
import type { AccountConnection } from '../types.ts'
import type { HasConnection, HasResponse, StepDeps } from './context.ts'
import { isExpiring, isRefreshable, toConnection } from './refresh-expiring-token.ts'
import { sendAgain, type Sendable } from './send-with-retry.ts'

/** A token that is valid for a second may expire on its way. Only such a token is refreshed more than once. */
const REFRESHES_MAX = 6

/** Without a new token, the response says nothing about the credentials. */
export interface MayBeInconclusive {
  readonly isInconclusive?: true
}
type Refreshed = HasConnection & HasResponse & MayBeInconclusive

/** Refreshes the token after a 401, or an equal error of the toolkit, and sends the request again. */
export function refreshOn401(
  context: Sendable & HasResponse,
  deps: StepDeps,
): Unchanged | Promise<Unchanged | Refreshed> {
  const { connection, operation, response } = context
  const isRejected = connection.kind === 'account' && responseMeaning(operation, response) === 'reauth'
  if (!isRejected || !isRefreshable(connection)) return UNCHANGED
  return refreshAndResend(context, connection, deps)
}

async function refreshAndResend(
  context: Sendable & HasResponse,
  rejected: AccountConnection,
  deps: StepDeps,
): Promise<Refreshed> {
  let { response } = context
  let connection = rejected
  for (let refreshes = 1; ; refreshes++) {
    const refreshed = toConnection(
      await deps.accounts.refreshToken(context.call.projectId, connection.account),
    )
    // The authorization server issued no new token, so the provider would reject the same request again.
    if (refreshed.account.version === connection.account.version) {
      return { connection, response, isInconclusive: true }
    }
    connection = refreshed
    ;({ response } = await sendAgain({ ...context, connection }, deps))
    const isRejectedAgain =
      responseMeaning(context.operation, response) === 'reauth' &&
      refreshes < REFRESHES_MAX &&
      isExpiring(connection.account, deps.clock.now())
    if (!isRejectedAgain) return { connection, response }
  }
}
