import { authSchemes, type Grant, type Values } from '../../auth-schemes/index.ts'
import { scopesForTools } from './scopes.ts'
import type { ConnectionDraft } from '../../contract/connected-accounts.ts'
import { AUTH_SCHEMES, type AccountStatus, type AuthSchemeName } from '../../contract/schemes.ts'
import { compiledSchemeOf, type CompiledScheme, type Toolkit } from '../../catalog/index.ts'
import { violates } from '../../platform/db/errors.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { twoWords } from '../../platform/words.ts'
import { type AuthConfigRow, checkFields, findAuthConfig, openConfig } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { startFlow } from './flow.ts'
import { setupOf, valContext } from './open.ts'
import { probe } from './probe.ts'
import * as store from './store.ts'

export interface Created { id: string, status: AccountStatus, redirectUrl: string | null, scheme: string, val: Values, uuid: string, authConfigUuid: string }

/** Connects an account at once where the user gave everything, or starts the walk to the provider. */
export async function createAccount(deps: AccountDeps, projectId: string, authConfigId: string, draft: ConnectionDraft, validate: boolean): Promise<Created> {
  const config = await findAuthConfig(deps.db, projectId, authConfigId)
  if (!config) throw new ApiError('Auth_Config_NotFound', `Auth config ${authConfigId} not found`)
  if (config.status === 'DISABLED') throw new ApiError('Auth_Config_Disabled', `Auth config ${authConfigId} is disabled, so it takes no new connections.`)
  const { toolkit, scheme } = offered(deps, config)
  const module = authSchemes[scheme.mode as AuthSchemeName]
  if (!module) throw new ApiError('ConnectedAccount_NotImplemented', `Connecting with ${scheme.mode} is not part of this release.`)
  const { shared } = openConfig(deps.sealer, config)
  const val = givenVal(draft, scheme)
  checkFields(toolkit, scheme, 'connected_account_initiation', { ...shared, ...val }, 'payload.connection.state.val')
  const redirects = module.redirects && !importing(draft, val, module.redirects)
  if (!redirects && validate && scheme.mode === 'API_KEY') await probe(deps, toolkit, config, val)
  const row = newRow(deps, config, toolkit, draft, val, redirects)
  return withAlias(draft.alias, () => deps.db.begin(async (tx) => {
    const { uuid } = await store.insert(tx, projectId, row)
    const redirectUrl = redirects ? await startFlow(deps, tx, { projectId, accountId: row.id, config, val, scopes: row.requested_scopes, userScopes: row.requested_user_scopes }) : null
    return { id: row.id, status: row.status, redirectUrl, scheme: scheme.mode, val, uuid, authConfigUuid: config.uuid }
  }))
}

function offered({ catalog }: AccountDeps, config: AuthConfigRow): { toolkit: Toolkit, scheme: CompiledScheme } {
  const toolkit = catalog.toolkit(config.toolkit_slug)
  const scheme = toolkit && compiledSchemeOf(toolkit, config.auth_scheme)
  if (!toolkit || !scheme) throw new ApiError('Auth_Config_SchemeNotSupported', `${config.toolkit_slug} no longer offers ${config.auth_scheme}.`)
  return { toolkit, scheme }
}

/** What the user supplies: `state.val`, or the older flat `data`; the status in it is only a hint. */
function givenVal({ state, data }: ConnectionDraft, scheme: CompiledScheme): Values {
  if (state && state.authScheme.toUpperCase() !== scheme.mode) {
    const known = AUTH_SCHEMES.includes(state.authScheme.toUpperCase() as AuthSchemeName)
    throw new ApiError('ConnectedAccount_BadRequest', `The auth config uses ${scheme.mode}${known ? `, the connection names ${state.authScheme.toUpperCase()}` : ''}.`, { details: [`Error in payload.connection.state.authScheme: must be ${scheme.mode}`] })
  }
  const { status: _hint, ...val } = { ...data, ...state?.val } as Record<string, unknown>
  const prefix = val['state_prefix']
  if (prefix !== undefined && !(typeof prefix === 'string' && /^[A-Za-z0-9._~-]{0,40}$/.test(prefix))) throw badRequest('Error in payload.connection.state.val.state_prefix: must be at most 40 letters, digits or ._~-')
  // `api_key` is another name of the generic key.
  if (scheme.mode === 'API_KEY' && val['generic_api_key'] === undefined && typeof val['api_key'] === 'string') val['generic_api_key'] = val['api_key']
  return val
}

/** ACTIVE with tokens brings an existing connection along; nobody has to go to the provider. */
function importing({ state }: ConnectionDraft, val: Values, redirects: boolean): boolean {
  return redirects && state?.val['status'] === 'ACTIVE' && typeof val['access_token'] === 'string'
}

function newRow(deps: AccountDeps, config: AuthConfigRow, toolkit: Toolkit, draft: ConnectionDraft, val: Values, redirects: boolean) {
  const id = newId('ca')
  const { experimental } = draft
  const shared = experimental?.account_type === 'SHARED'
  if (experimental?.acl_config_for_shared && !shared) throw new ApiError('ConnectedAccount_AclOnlyForShared', 'acl_config_for_shared is only valid on SHARED accounts.')
  const setup = setupOf(deps, config, () => val)
  const scopes = setup ? scopesForTools(toolkit, config, setup) : { scopes: [], userScopes: [] }
  return {
    id, word_id: `${toolkit.slug}_${twoWords('-')}`, alias: draft.alias || null, user_id: draft.user_id ?? 'default', toolkit_slug: toolkit.slug, auth_config_id: config.id, auth_scheme: config.auth_scheme,
    status: redirects ? 'INITIALIZING' as const : 'ACTIVE' as const, val: deps.sealer.seal(val, valContext(id)), token_expires_at: redirects ? null : expiryOf(val, deps.clock.now()),
    requested_scopes: scopes.scopes, requested_user_scopes: scopes.userScopes, callback_url: draft.callback_url ?? draft.redirect_uri ?? null,
    account_type: shared ? 'SHARED' as const : 'PRIVATE' as const, acl: shared ? experimental?.acl_config_for_shared ?? {} : null,
  }
}

/** Of imported tokens: seconds from now. */
function expiryOf(val: Values, now: number): Date | null {
  const seconds = Number(val['expires_in'])
  const at: Grant['expiresAt'] = val['access_token'] !== undefined && Number.isFinite(seconds) && seconds > 0 && seconds < 1e10 ? now + seconds * 1_000 : null
  return at === null ? null : new Date(at)
}

export async function withAlias<T>(alias: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violates(error, 'connected_accounts_alias')) throw new ApiError('ConnectedAccount_AliasConflict', `The user already has a connected account with the alias ${alias} in this toolkit.`)
    throw error
  }
}
