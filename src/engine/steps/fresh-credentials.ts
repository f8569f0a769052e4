import { authSchemes } from '../../auth-schemes/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import type { Account, Connection, EngineDeps, Execution } from '../types.ts'

/** Renews a token that has ended or is about to, before it is used. */
export async function freshCredentials(deps: EngineDeps, { projectId }: Execution, connection: Connection): Promise<Connection> {
  if (connection.kind !== 'account' || !isStale(connection.account, deps.clock.now())) return connection
  return withRenewed(await deps.accounts.renew(projectId, connection.account))
}

/** Whether something can be done about refused credentials. */
export function isRenewable(connection: Connection): boolean {
  return connection.kind === 'account' && schemeOf(connection)?.renewable?.(connection.setup) === true
}

export function withRenewed(account: Account): Connection {
  return account.setup ? { kind: 'account', account, setup: account.setup } : { kind: 'none' }
}

function isStale({ setup, tokenExpiresAt }: Account, now: number): boolean {
  if (!setup) return false
  const scheme = authSchemes[setup.scheme.mode as AuthSchemeName]
  if (!scheme?.renewable?.(setup)) return false
  // A scheme that signs in has no token until its first use.
  if (scheme.name === 'BASIC' && setup.val['session_token'] === undefined) return true
  return tokenExpiresAt !== null && tokenExpiresAt - (scheme.marginMs?.(setup.scheme) ?? 0) <= now
}

const schemeOf = ({ setup }: Extract<Connection, { kind: 'account' }>) => authSchemes[setup.scheme.mode as AuthSchemeName]
