import { authSchemes, GrantRejected, ProviderTrouble } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Account, Connection, EngineDeps, Execution } from '../types.ts'

/** Renews a token that has ended or is about to, before it is used. */
export async function freshCredentials(
  deps: EngineDeps,
  { projectId }: Execution,
  connection: Connection,
): Promise<Connection> {
  if (connection.kind === 'custom') return signedIn(deps, connection)
  if (connection.kind !== 'account' || !isStale(connection.account, deps.clock.now())) return connection
  return withRenewed(await deps.accounts.renew(projectId, connection.account))
}

/** Credentials that came with the call have no row that could keep a session, so a scheme that signs in does so for this call. */
async function signedIn(
  deps: EngineDeps,
  connection: Extract<Connection, { kind: 'custom' }>,
): Promise<Connection> {
  const { setup } = connection
  const scheme = authSchemes[setup.scheme.mode as AuthSchemeName]
  if (!scheme?.renew || !scheme.renewable?.(setup) || !scheme.isEmpty?.(setup)) return connection
  try {
    const { val } = await scheme.renew(setup, { egress: deps.egress, now: () => deps.clock.now() })
    return { kind: 'custom', setup: { ...setup, val: { ...setup.val, ...val } } }
  } catch (error) {
    if (error instanceof GrantRejected)
      throw new ApiError('ConnectedAccount_BadRequest', error.message, { cause: error })
    if (error instanceof ProviderTrouble) throw upstreamError(error.message, error)
    throw error
  }
}

/** Trouble of an authorization server, as the caller of a tool reads it. */
export function upstreamError(message: string, trouble: ProviderTrouble): ApiError {
  const timedOut = trouble.cause instanceof EgressError && trouble.cause.kind === 'timeout'
  return new ApiError(
    timedOut ? 'ActionExecute_UpstreamTimeout' : 'ActionExecute_UpstreamUnreachable',
    message,
    { cause: trouble },
  )
}

/** Whether something can be done about refused credentials. */
export function isRenewable(connection: Connection): boolean {
  return connection.kind === 'account' && schemeOf(connection)?.renewable?.(connection.setup) === true
}

/** An account whose scheme went away meanwhile is not used at all: without credentials the call would be another one. */
export function withRenewed(account: Account): Extract<Connection, { kind: 'account' }> {
  if (!account.setup)
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotActive',
      `The toolkit no longer offers the authentication scheme of the account ${account.id}.`,
    )
  return { kind: 'account', account, setup: account.setup }
}

/** Whether the token has ended, or ends within the margin of its scheme, and can be renewed. */
export function isStale({ setup, tokenExpiresAt }: Account, now: number): boolean {
  if (!setup) return false
  const scheme = authSchemes[setup.scheme.mode as AuthSchemeName]
  if (!scheme?.renewable?.(setup)) return false
  if (scheme.isEmpty?.(setup)) return true
  return tokenExpiresAt !== null && tokenExpiresAt - (scheme.marginMs?.(setup) ?? 0) <= now
}

const schemeOf = ({ setup }: Extract<Connection, { kind: 'account' }>) =>
  authSchemes[setup.scheme.mode as AuthSchemeName]
