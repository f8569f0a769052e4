import { authSchemes, type Values } from '../../auth-schemes/index.ts'
import { scopesForTools } from './scopes.ts'
import type { ConnectionDraft } from '../../contract/connected-accounts.ts'
import type { AccountStatus, AuthSchemeName } from '../../contract/schemes.ts'
import { compiledSchemeOf, type CompiledScheme, type Toolkit } from '../../catalog/index.ts'
import { violates } from '../../platform/db/errors.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { twoWords } from '../../platform/random-name.ts'
import { type AuthConfigRow, checkFields, findAuthConfig, openConfig } from '../auth-configs/index.ts'
import { completed } from './completed.ts'
import type { AccountDeps } from './deps.ts'
import { prepareFlow } from './flow.ts'
import { insert as insertFlow } from './flow-store.ts'
import { refuseChosenHosts, refuseMistakes, storedForm } from './given-val.ts'
import { noteIdentity } from './identity.ts'
import { setupOf, valContext } from './open.ts'
import { probe } from './probe.ts'
import * as store from './store.ts'

/** A century: whoever says more means another unit. */
const LIFETIME_SECONDS_MAX = 3_155_760_000

export interface Created {
  id: string
  status: AccountStatus
  redirectUrl: string | null
  scheme: CompiledScheme
  managed: boolean
  val: Values
  uuid: string
  authConfigUuid: string
}

/** Connects an account at once where the user gave everything, or starts the walk to the provider. */
export async function createAccount(
  deps: AccountDeps,
  projectId: string,
  authConfigId: string,
  draft: ConnectionDraft,
  validate: boolean,
): Promise<Created> {
  const { config, toolkit, scheme, module } = await connectable(deps, projectId, authConfigId)
  const { shared } = openConfig(deps.encryptor, config)
  const { hint, val } = givenVal(draft, scheme, shared)
  checkFields(
    toolkit,
    scheme,
    'connected_account_initiation',
    { ...shared, ...val },
    'payload.connection.state.val',
  )
  refuseMistakes(scheme, { ...shared, ...val })
  refuseChosenHosts(scheme, config, val)
  const redirects = module.redirects && !isImport(hint, val)
  const row = newRow(deps, config, toolkit, draft, val, redirects ? 'INITIALIZING' : 'ACTIVE')
  const subject = { projectId, accountId: row.id, toolkit, config }
  const found = redirects ? { val: {} } : await completed(deps, { ...subject, val })
  const known = { ...val, ...found.val }
  const tried =
    !redirects && validate && scheme.mode === 'API_KEY'
      ? await probe(deps, { ...subject, val: known })
      : undefined
  const flow = redirects
    ? await prepareFlow(deps, {
        projectId,
        accountId: row.id,
        config,
        val,
        scopes: row.requested_scopes,
        userScopes: row.requested_user_scopes,
      })
    : undefined
  const stored = flow ? { ...val, ...flow.val, redirectUrl: flow.redirectUrl } : known
  const created = await withAlias(draft.alias, () =>
    deps.db.begin(async (tx) => {
      const { uuid } = await store.insert(tx, projectId, {
        ...row,
        ...(found.expiresAt ? { token_expires_at: new Date(found.expiresAt) } : {}),
        val: deps.encryptor.encrypt(stored, valContext(row.id)),
      })
      if (flow) await insertFlow(tx, flow.row)
      return {
        id: row.id,
        status: row.status,
        redirectUrl: flow?.redirectUrl ?? null,
        scheme,
        managed: config.is_service_managed,
        val: stored,
        uuid,
        authConfigUuid: config.uuid,
      }
    }),
  )
  if (!redirects) await noteIdentity(deps, projectId, row.id, tried)
  return created
}

/** An auth config that takes new connections, with what it connects to and how. @throws 304, 307, 404, 501 */
export async function connectable(deps: AccountDeps, projectId: string, authConfigId: string) {
  const config = await findAuthConfig(deps.db, projectId, authConfigId)
  if (!config) throw new ApiError('Auth_Config_NotFound', `Auth config ${authConfigId} not found`)
  if (config.status === 'DISABLED')
    throw new ApiError(
      'Auth_Config_Disabled',
      `Auth config ${authConfigId} is disabled, so it takes no new connections.`,
    )
  const { toolkit, scheme } = offered(deps, config)
  const module = authSchemes[scheme.mode as AuthSchemeName]
  if (!module)
    throw new ApiError(
      'ConnectedAccount_NotImplemented',
      `Connecting with ${scheme.mode} is not part of this release.`,
    )
  return { config, toolkit, scheme, module }
}

function offered(
  { catalog }: AccountDeps,
  config: AuthConfigRow,
): { toolkit: Toolkit; scheme: CompiledScheme } {
  const toolkit = catalog.toolkit(config.toolkit_slug)
  const scheme = toolkit && compiledSchemeOf(toolkit, config.auth_scheme)
  if (!toolkit || !scheme)
    throw new ApiError(
      'Auth_Config_SchemeNotSupported',
      `${config.toolkit_slug} no longer offers ${config.auth_scheme}.`,
    )
  return { toolkit, scheme }
}

/** What the user supplies: `state.val`, or the older flat `data`; the status in it is only a hint. */
function givenVal(
  { state, data }: ConnectionDraft,
  scheme: CompiledScheme,
  shared: Values,
): { hint: unknown; val: Values } {
  if (state && state.authScheme.toUpperCase() !== scheme.mode) {
    throw new ApiError(
      'ConnectedAccount_BadRequest',
      `The auth config uses ${scheme.mode}, the connection names ${state.authScheme.toUpperCase()}.`,
      { details: [`Error in payload.connection.state.authScheme: must be ${scheme.mode}`] },
    )
  }
  // The address of a walk is ours to give.
  const {
    status: hint,
    redirectUrl: _redirectUrl,
    ...given
  } = { ...data, ...state?.val } as Record<string, unknown>
  return { hint, val: storedForm(scheme, given, shared) }
}

/** ACTIVE brings an existing connection along; nobody has to go to the provider. @throws 400 when the tokens are not there */
function isImport(hint: unknown, val: Values): boolean {
  if (hint !== 'ACTIVE') return false
  if (
    typeof val['access_token'] === 'string' ||
    (typeof val['oauth_token'] === 'string' && typeof val['oauth_token_secret'] === 'string')
  )
    return true
  throw new ApiError('ConnectedAccount_BadRequest', 'An ACTIVE connection needs its access_token.', {
    details: ['Error in payload.connection.state.val.access_token: is required'],
  })
}

/** A browser is sent there at the end, by this server: an address of the web, and nothing that shows another host before an `@`. @throws 400 */
export function homeAddress({
  callback_url: url,
  redirect_uri: older,
}: Pick<ConnectionDraft, 'callback_url' | 'redirect_uri'>): string | null {
  const address = url ?? older
  if (address === undefined) return null
  const parsed = URL.parse(address)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    throw badRequest(
      `Error in payload.${url === undefined ? 'redirect_uri' : 'callback_url'}: must be an http or https address without a user name or password`,
    )
  }
  return address
}

/** The row of a new account, before it has credentials or with them. */
export function newRow(
  deps: AccountDeps,
  config: AuthConfigRow,
  toolkit: Toolkit,
  draft: ConnectionDraft,
  val: Values,
  status: 'INITIALIZING' | 'ACTIVE',
) {
  const id = newId('ca')
  const { experimental } = draft
  const shared = experimental?.account_type === 'SHARED'
  if (experimental?.acl_config_for_shared && !shared)
    throw new ApiError(
      'ConnectedAccount_AclOnlyForShared',
      'acl_config_for_shared is only valid on SHARED accounts.',
    )
  const setup = setupOf(deps, config, () => val)
  const scopes = setup ? scopesForTools(toolkit, config, setup) : { scopes: [], userScopes: [] }
  return {
    id,
    word_id: `${toolkit.slug}_${twoWords('-')}`,
    alias: draft.alias || null,
    user_id: draft.user_id ?? 'default',
    toolkit_slug: toolkit.slug,
    auth_config_id: config.id,
    auth_scheme: config.auth_scheme,
    status,
    token_expires_at: status === 'ACTIVE' ? expiryOf(val, deps.clock.now()) : null,
    requested_scopes: scopes.scopes,
    requested_user_scopes: scopes.userScopes,
    callback_url: homeAddress(draft),
    account_type: shared ? ('SHARED' as const) : ('PRIVATE' as const),
    acl: shared ? (experimental?.acl_config_for_shared ?? {}) : null,
  }
}

/** Of imported tokens: seconds from now. */
function expiryOf(val: Values, now: number): Date | null {
  const seconds = Number(val['expires_in'])
  return val['access_token'] !== undefined && seconds > 0 && seconds < LIFETIME_SECONDS_MAX
    ? new Date(now + seconds * 1_000)
    : null
}

export async function withAlias<T>(alias: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violates(error, 'connected_accounts_alias'))
      throw new ApiError(
        'ConnectedAccount_AliasConflict',
        `The user already has a connected account with the alias ${alias} in this toolkit.`,
      )
    throw error
  }
}
