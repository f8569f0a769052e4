import { changeConnection, schemeOf, GrantRejected, ProviderUnavailable } from '../../auth-schemes/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import type { EngineAccount } from '../dependencies.ts'
import { timed } from '../execution-log/call-trace.ts'
import type { AccountConnection, ToolConnection } from '../types.ts'
import type { CallStart, HasConnection, StepDeps } from './context.ts'

type CustomConnectionContext = Extract<ToolConnection, { kind: 'custom' }>

/** Refreshes a token that has expired or is about to, and gets the first token of a custom connection. */
export function refreshExpiringToken(
  { call, trace, connection }: CallStart & HasConnection,
  deps: StepDeps,
): Unchanged | Promise<Unchanged | HasConnection> {
  const refreshed = validConnection(call.projectId, connection, deps)
  if (refreshed) return timed(trace, 'credentials', refreshed)
  trace.timings.credentials = 0
  return UNCHANGED
}

/** Returns undefined if the connection can be used as it is. */
export function validConnection(
  projectId: string,
  connection: ToolConnection,
  deps: StepDeps,
): Promise<HasConnection> | undefined {
  if (connection.kind === 'custom') {
    return needsFirstToken(connection) ? getFirstToken(connection, deps) : undefined
  }
  if (connection.kind !== 'account' || !isExpiring(connection.account, deps.clock.now())) return undefined
  const refreshed = deps.accounts.refreshToken(projectId, connection.account)
  return refreshed.then((account) => ({ connection: toConnection(account) }))
}

/** Credentials that the call contains have no row that could store a session, so it is made for this call. */
async function getFirstToken(
  { context }: CustomConnectionContext,
  { egress, clock }: StepDeps,
): Promise<HasConnection> {
  try {
    const grant = await schemeOf(context)!.refresh!(context, { egress, now: () => clock.now() })
    const credentials = { ...context.credentials, ...grant.credentials }
    return { connection: { kind: 'custom', context: changeConnection(context, { credentials }) } }
  } catch (error) {
    if (error instanceof GrantRejected) {
      throw new ApiError('ConnectedAccount_BadRequest', error.message, { cause: error })
    }
    if (error instanceof ProviderUnavailable) throw toUpstreamError(error.message, error)
    throw error
  }
}

function needsFirstToken({ context }: CustomConnectionContext): boolean {
  const scheme = schemeOf(context)
  return Boolean(scheme?.refresh && scheme.canRefresh?.(context) && scheme.needsFirstToken?.(context))
}

/** Translates an error of an authorization server for the caller of a tool. */
export function toUpstreamError(message: string, error: ProviderUnavailable): ApiError {
  const isTimeout = error.cause instanceof EgressError && error.cause.kind === 'timeout'
  return new ApiError(
    isTimeout ? 'ActionExecute_UpstreamTimeout' : 'ActionExecute_UpstreamUnreachable',
    message,
    { cause: error },
  )
}

/** Returns whether rejected credentials can be refreshed. */
export const isRefreshable = ({ context }: AccountConnection): boolean =>
  schemeOf(context)?.canRefresh?.(context) === true

/** @throws ApiError when the toolkit no longer offers the scheme: without credentials it would be another call */
export function toConnection(account: EngineAccount): AccountConnection {
  if (account.context) return { kind: 'account', account, context: account.context }
  throw new ApiError(
    'ActionExecute_ConnectedAccountNotActive',
    `The toolkit no longer offers the authentication scheme of the account ${account.id}.`,
  )
}

/** Returns whether the token has expired, or expires within the margin of its scheme, and can be refreshed. */
export function isExpiring({ context, tokenExpiresAt }: EngineAccount, now: number): boolean {
  if (!context) return false
  const scheme = schemeOf(context)
  if (!scheme?.canRefresh?.(context)) return false
  if (scheme.needsFirstToken?.(context)) return true
  return tokenExpiresAt !== null && tokenExpiresAt - (scheme.refreshMarginMs?.(context) ?? 0) <= now
}
