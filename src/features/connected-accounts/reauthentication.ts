import {
  authSchemes,
  GrantRejected,
  ProviderTrouble,
  type ConnectionContext,
  type Values,
} from '../../auth-schemes/index.ts'
import { mergedFields, type Toolkit } from '../../catalog/index.ts'
import type { AccountStatus, AuthSchemeName } from '../../contract/schemes.ts'
import { upstreamError } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type AuthConfigRow, findAuthConfig } from '../auth-configs/index.ts'
import { homeAddress } from './create.ts'
import type { AccountDeps } from './deps.ts'
import { recorded, renewalKind } from './exchanges.ts'
import { type Flow, flowContext, prepareFlow, secretsOf } from './flow.ts'
import { insert as insertFlow } from './flow-store.ts'
import { MOVES } from './lifecycle.ts'
import { linkAgain } from './link-again.ts'
import { openVal, setupOf, valContext } from './open.ts'
import { noteIdentity } from './identity.ts'
import { CredentialsRefused, probe, proofOf } from './probe.ts'
import { reopen, withoutFailure } from './reopen.ts'
import { scopesForTools } from './scopes.ts'
import * as store from './store.ts'

export interface Reauthentication {
  id: string
  status: AccountStatus
  redirect_url: string | null
}
export interface ReauthenticationDraft {
  callbackUrl: string | undefined
  validate: boolean
}

/** What a walk on an account that stood before keeps beside its own secrets, until it has brought new credentials. */
export interface Kept {
  val: Values
  requested_scopes: string[]
  requested_user_scopes: string[]
}

/**
 * `POST …/refresh`: sends the user to the provider once more, on the same row; without a provider to go to, asks the application whether
 * the credentials are still good, and sends the user to a page for new ones if not (with `validate` that is an error instead). See docs/decisions/0014-reauthentication.md. @throws 400, 404, 501
 */
export async function reauthenticate(
  deps: AccountDeps,
  projectId: string,
  id: string,
  draft: ReauthenticationDraft,
): Promise<Reauthentication> {
  const row = await store.find(deps.db, projectId, id)
  if (!row) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
  const config = await findAuthConfig(deps.db, projectId, row.auth_config_id)
  if (!config || config.status === 'DISABLED')
    throw new ApiError(
      'Auth_Config_Disabled',
      `The auth config ${row.auth_config_id} of this account is ${config ? 'disabled' : 'deleted'}, so nobody can authenticate with it.`,
    )
  const setup = setupOf(deps, config, () => openVal(deps.encryptor, row))
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const scheme = setup && authSchemes[setup.scheme.mode as AuthSchemeName]
  if (!setup || !toolkit || !scheme)
    throw new ApiError(
      'ConnectedAccount_NotImplemented',
      `Authenticating with ${row.auth_scheme} is not part of this release.`,
    )
  const callbackUrl =
    homeAddress(draft.callbackUrl === undefined ? {} : { callback_url: draft.callbackUrl }) ?? undefined
  if (scheme.redirects) {
    const { redirectUrl } = await walkAgain(deps, projectId, row, config, setup, {
      val: withoutFailure(setup.val),
      callbackUrl,
    })
    return { id, status: 'INITIATED', redirect_url: redirectUrl }
  }
  try {
    return await revalidate(deps, projectId, row, config, toolkit, setup, draft.validate)
  } catch (error) {
    const asksUser = mergedFields(setup.scheme.manifest, 'connected_account_initiation').length > 0
    if (!(error instanceof CredentialsRefused) || draft.validate || !asksUser) throw error
    return {
      id,
      status: 'INITIATED',
      redirect_url: (await linkAgain(deps, projectId, id, callbackUrl)).redirect_url,
    }
  }
}

/** A walk of an account that stood before: a new one at the provider, on the same row. `entered`: what its user gave on the way, stored once the walk has ended well. */
export async function walkAgain(
  deps: AccountDeps,
  projectId: string,
  row: store.AccountRow,
  config: AuthConfigRow,
  setup: ConnectionContext,
  {
    val,
    entered = {},
    callbackUrl,
    browserHash,
  }: {
    val: Values
    entered?: Values
    callbackUrl?: string | undefined
    browserHash?: Buffer
  },
): Promise<Flow> {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const { scopes, userScopes } = toolkit
    ? scopesForTools(toolkit, config, setup)
    : { scopes: [], userScopes: [] }
  const flow = await prepareFlow(deps, { projectId, accountId: row.id, config, val, scopes, userScopes })
  const kept: Kept = {
    val: { ...entered, ...flow.val },
    requested_scopes: scopes,
    requested_user_scopes: userScopes,
  }
  const secrets = deps.encryptor.encrypt(
    { ...secretsOf(deps, flow.row), kept },
    flowContext(flow.row.state_hash),
  )
  await deps.db.begin(async (tx) => {
    await reopen(deps, tx, projectId, row.id, { callbackUrl, redirectUrl: flow.redirectUrl })
    await insertFlow(tx, {
      ...flow.row,
      kind: 'reconnect',
      secrets,
      ...(browserHash ? { browser_hash: browserHash } : {}),
    })
  })
  return flow
}

/** Credentials that the user gave: nobody has to go anywhere, so they are tried. */
async function revalidate(
  deps: AccountDeps,
  projectId: string,
  row: store.AccountRow,
  config: AuthConfigRow,
  toolkit: Toolkit,
  setup: ConnectionContext,
  validate: boolean,
): Promise<Reauthentication> {
  const mayBecomeActive =
    row.status === 'ACTIVE' || (MOVES.replace.from as readonly string[]).includes(row.status)
  if (!mayBecomeActive)
    throw new ApiError(
      'ConnectedAccount_BadRequest',
      `The connected account ${row.id} is ${row.status}; only an ACTIVE, EXPIRED or FAILED account can be validated again. Switch it on, or make a link with its connected_account_id on which its user gives new credentials.`,
    )
  const grant = await renewed(deps, projectId, row.id, setup)
  const val = withoutFailure({ ...setup.val, ...grant?.val })
  const isTried = row.auth_scheme !== 'NO_AUTH' && (validate || proofOf(toolkit, setup) !== undefined)
  const tried = isTried
    ? await probe(deps, { projectId, accountId: row.id, toolkit, config, val })
    : undefined
  const sealed = deps.encryptor.encrypt(val, valContext(row.id))
  const status = await deps.db.begin(async (tx) => {
    const current = await store.findForUpdate(tx, projectId, row.id)
    if (!current)
      throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${row.id}" not found`)
    // Somebody wrote other credentials meanwhile: these were not the ones that were tried.
    if (current.val_version !== row.val_version) return current.status
    const token_expires_at = grant
      ? grant.expiresAt === null
        ? null
        : new Date(grant.expiresAt)
      : current.token_expires_at
    if (current.status !== 'ACTIVE')
      await store.move(tx, projectId, row.id, 'replace', { val: sealed, token_expires_at })
    else if (grant) await store.update(tx, projectId, row.id, { val: sealed, token_expires_at })
    return (await store.find(tx, projectId, row.id))?.status ?? current.status
  })
  if (status === 'ACTIVE') await noteIdentity(deps, projectId, row.id, tried)
  return { id: row.id, status, redirect_url: null }
}

/** A fresh session or minted token, where the scheme makes one of what is stored. */
async function renewed(deps: AccountDeps, projectId: string, accountId: string, setup: ConnectionContext) {
  const scheme = authSchemes[setup.scheme.mode as AuthSchemeName]
  const { renew } = scheme ?? {}
  if (!renew || !(scheme?.renewable?.(setup) ?? false)) return undefined
  try {
    return await recorded(deps, { projectId, accountId, kind: renewalKind(setup), setup }, (tools) =>
      renew(setup, tools),
    )
  } catch (error) {
    if (error instanceof GrantRejected)
      throw new CredentialsRefused(`The credentials were refused: ${error.message}`, error)
    if (error instanceof ProviderTrouble)
      throw upstreamError(`The credentials could not be tried: ${error.message}`, error)
    throw error
  }
}
