import { authSchemes, GrantRefused, ProviderTrouble, type Setup, type Values } from '../../auth-schemes/index.ts'
import type { Toolkit } from '../../catalog/index.ts'
import type { AccountStatus, AuthSchemeName } from '../../contract/schemes.ts'
import { upstreamError } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type AuthConfigRow, findAuthConfig } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { recorded, renewalKind } from './exchanges.ts'
import { flowContext, prepareFlow } from './flow.ts'
import { insert as insertFlow } from './flow-store.ts'
import { MOVES } from './lifecycle.ts'
import { openVal, setupOf, valContext } from './open.ts'
import { probe } from './probe.ts'
import { scopesForTools } from './scopes.ts'
import * as store from './store.ts'

export interface Reauthentication { id: string, status: AccountStatus, redirect_url: string | null }
export interface ReauthenticationDraft { callbackUrl: string | undefined, validate: boolean }

/** What a walk on an account that stood before keeps beside its own secrets, until it has brought new credentials. */
export interface Kept { val: Values, requested_scopes: string[], requested_user_scopes: string[] }

/**
 * `POST …/refresh`: sends the user to the provider once more, on the same row; without a provider to go to, asks the application whether
 * the credentials are still good. See docs/decisions/0014-reauthentication.md. @throws 400, 404, 501
 */
export async function reauthenticate(deps: AccountDeps, projectId: string, id: string, draft: ReauthenticationDraft): Promise<Reauthentication> {
  const row = await store.find(deps.db, projectId, id)
  if (!row) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
  const config = await findAuthConfig(deps.db, projectId, row.auth_config_id)
  if (!config || config.status === 'DISABLED') throw new ApiError('Auth_Config_Disabled', `The auth config ${row.auth_config_id} of this account is ${config ? 'disabled' : 'deleted'}, so nobody can authenticate with it.`)
  const setup = setupOf(deps, config, () => openVal(deps.sealer, row))
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const scheme = setup && authSchemes[setup.scheme.mode as AuthSchemeName]
  if (!setup || !toolkit || !scheme) throw new ApiError('ConnectedAccount_NotImplemented', `Authenticating with ${row.auth_scheme} is not part of this release.`)
  return scheme.redirects ? begin(deps, projectId, row, config, toolkit, setup, draft) : revalidate(deps, projectId, row, config, toolkit, setup, draft)
}

/** A new walk. An ACTIVE account is left as it is; one that cannot be used waits for the walk as INITIATED. */
async function begin(deps: AccountDeps, projectId: string, row: store.AccountRow, config: AuthConfigRow, toolkit: Toolkit, setup: Setup, { callbackUrl }: ReauthenticationDraft): Promise<Reauthentication> {
  const val = withoutFailure(setup.val)
  const { scopes, userScopes } = scopesForTools(toolkit, config, setup)
  const flow = await prepareFlow(deps, { projectId, accountId: row.id, config, val, scopes, userScopes })
  const context = flowContext(flow.row.state_hash)
  const kept: Kept = { val: flow.val, requested_scopes: scopes, requested_user_scopes: userScopes }
  const secrets = deps.sealer.seal({ ...deps.sealer.open<Values>(flow.row.secrets, context), kept }, context)
  await deps.db.begin(async (tx) => {
    const current = await store.findForUpdate(tx, projectId, row.id)
    if (!current) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${row.id}" not found`)
    if (callbackUrl !== undefined) await store.update(tx, projectId, row.id, { callback_url: callbackUrl })
    if (current.status !== 'ACTIVE') {
      const waiting = deps.sealer.seal({ ...withoutFailure(openVal(deps.sealer, current)), redirectUrl: flow.redirectUrl }, valContext(row.id))
      const isOpen = (MOVES.send.from as readonly string[]).includes(current.status)
      // A set-up that ran out of time and is not written down yet is EXPIRED for everybody but the statement that would move it.
      if (current.status === 'EXPIRED') await store.writeTimeout(tx, projectId, row.id)
      await store.move(tx, projectId, row.id, isOpen ? 'send' : 'reopen', { val: waiting, setup_expires_at: store.SETUP_END })
    }
    await insertFlow(tx, { ...flow.row, kind: 'reconnect', secrets })
  })
  return { id: row.id, status: 'INITIATED', redirect_url: flow.redirectUrl }
}

/** Credentials that the user gave: nobody has to go anywhere, so they are tried. */
async function revalidate(deps: AccountDeps, projectId: string, row: store.AccountRow, config: AuthConfigRow, toolkit: Toolkit, setup: Setup, { validate }: ReauthenticationDraft): Promise<Reauthentication> {
  const mayBecomeActive = row.status === 'ACTIVE' || (MOVES.replace.from as readonly string[]).includes(row.status)
  if (!mayBecomeActive) throw new ApiError('ConnectedAccount_BadRequest', `The connected account ${row.id} is ${row.status}; only an ACTIVE, EXPIRED or FAILED account can be validated again.`)
  const grant = await renewed(deps, projectId, row.id, setup)
  const val = withoutFailure({ ...setup.val, ...grant?.val })
  const canProbe = setup.scheme.manifest.validate !== undefined || toolkit.currentUser !== undefined
  if (row.auth_scheme !== 'NO_AUTH' && (validate || canProbe)) await probe(deps, toolkit, { projectId, accountId: row.id, config, val })
  const sealed = deps.sealer.seal(val, valContext(row.id))
  const status = await deps.db.begin(async (tx) => {
    const current = await store.findForUpdate(tx, projectId, row.id)
    if (!current) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${row.id}" not found`)
    // Somebody wrote other credentials meanwhile: these were not the ones that were tried.
    if (current.val_version !== row.val_version) return current.status
    const token_expires_at = grant ? (grant.expiresAt === null ? null : new Date(grant.expiresAt)) : current.token_expires_at
    if (current.status !== 'ACTIVE') await store.move(tx, projectId, row.id, 'replace', { val: sealed, token_expires_at })
    else if (grant) await store.update(tx, projectId, row.id, { val: sealed, token_expires_at })
    return (await store.find(tx, projectId, row.id))?.status ?? current.status
  })
  return { id: row.id, status, redirect_url: null }
}

/** A fresh session or minted token, where the scheme makes one of what is stored. */
async function renewed(deps: AccountDeps, projectId: string, accountId: string, setup: Setup) {
  const scheme = authSchemes[setup.scheme.mode as AuthSchemeName]
  const { renew } = scheme ?? {}
  if (!renew || !(scheme?.renewable?.(setup) ?? false)) return undefined
  try {
    return await recorded(deps, { projectId, accountId, kind: renewalKind(setup), setup }, (tools) => renew(setup, tools))
  } catch (error) {
    if (error instanceof GrantRefused) throw new ApiError('ConnectedAccount_BadRequest', `The credentials were refused: ${error.message}`, { cause: error })
    if (error instanceof ProviderTrouble) throw upstreamError(`The credentials could not be tried: ${error.message}`, error)
    throw error
  }
}

/** What an earlier walk left behind says nothing about the next one. */
export const withoutFailure = ({ redirectUrl: _redirectUrl, error: _error, error_description: _description, ...val }: Values): Values => val
