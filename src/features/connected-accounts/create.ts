import { schemeByName, type Credentials } from '../../auth-schemes/index.ts'
import type { ConnectionDraft } from '../../contract/connected-accounts/index.ts'
import type { AccountStatus } from '../../contract/schemes.ts'
import { findCompiledScheme, type CompiledScheme, type Toolkit } from '../../catalog/index.ts'
import { violates } from '../../platform/db/errors.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type AuthConfigRow, validateFields, findAuthConfig, decryptConfig } from '../auth-configs/index.ts'
import { publishNewAccount } from './events.ts'
import { insertFlow } from './authorization-flow/flow-store.ts'
import { runPostConnectLookup } from './authorization-flow/post-connect.ts'
import { type PreparedFlow, prepareFlow } from './authorization-flow/start.ts'
import { consumerKeyOf, encryptCredentials } from './credentials.ts'
import type { AccountDeps } from './deps.ts'
import { updateIdentity } from './identity/identity.ts'
import { newAccountRow } from './new-account-row.ts'
import { normalizeCredentials, rejectChosenHosts, rejectInvalidCredentials } from './normalize-credentials.ts'
import * as store from './store.ts'
import { tryCredentials } from './try-credentials.ts'

export interface CreatedAccount {
  id: string
  status: AccountStatus
  /** Whether the application accepted the credentials. */
  verified: boolean
  redirectUrl: string | null
  scheme: CompiledScheme
  managed: boolean
  credentials: Credentials
  /** OAuth 1.0a: the public key of the client. */
  consumerKey?: unknown
  uuid: string
  authConfigUuid: string
}

/**
 * Connects an account immediately if the request has its credentials, or starts an authorization flow. Credentials are
 * tried first: `validate` true requires that they are accepted, and false stores them untried.
 */
export async function createAccount(
  deps: AccountDeps,
  projectId: string,
  authConfigId: string,
  draft: ConnectionDraft,
  validate?: boolean,
): Promise<CreatedAccount> {
  const connectable = await findConnectableConfig(deps, projectId, authConfigId)
  const { config, toolkit, scheme, module } = connectable
  const { shared } = decryptConfig(deps.encryptor, config)
  const { requestedStatus, credentials } = readDraft(draft, scheme, shared)
  const all = { ...shared, ...credentials }
  validateFields(toolkit, scheme, 'connected_account_initiation', all, 'payload.connection.state.val')
  rejectInvalidCredentials(scheme, all)
  rejectChosenHosts(scheme, config, credentials)
  const needsFlow = module.redirects && !isImport(requestedStatus, credentials)
  const row = newAccountRow(deps, config, toolkit, draft, credentials, needsFlow ? 'INITIALIZING' : 'ACTIVE')
  return needsFlow
    ? createWithFlow(deps, projectId, connectable, draft, row, credentials)
    : createConnected(deps, projectId, connectable, draft, row, credentials, validate)
}

type ConnectableConfig = Awaited<ReturnType<typeof findConnectableConfig>>
type NewRow = ReturnType<typeof newAccountRow>

async function createWithFlow(
  deps: AccountDeps,
  projectId: string,
  { config, scheme }: ConnectableConfig,
  draft: ConnectionDraft,
  row: NewRow,
  credentials: Credentials,
): Promise<CreatedAccount> {
  const flow = await prepareFlow(deps, {
    projectId,
    accountId: row.id,
    config,
    credentials,
    scopes: row.requested_scopes,
    userScopes: row.requested_user_scopes,
  })
  const stored = { ...credentials, ...flow.credentials, redirectUrl: flow.redirectUrl }
  const uuid = await insertRow(deps, projectId, draft, row, stored, flow)
  return {
    id: row.id,
    status: row.status,
    verified: false,
    redirectUrl: flow.redirectUrl,
    scheme,
    managed: config.is_service_managed,
    credentials: stored,
    consumerKey: consumerKeyOf(deps.encryptor, config),
    uuid,
    authConfigUuid: config.uuid,
  }
}

async function createConnected(
  deps: AccountDeps,
  projectId: string,
  { config, toolkit, scheme }: ConnectableConfig,
  draft: ConnectionDraft,
  row: NewRow,
  credentials: Credentials,
  validate: boolean | undefined,
): Promise<CreatedAccount> {
  const subject = { projectId, accountId: row.id, toolkit, scheme, config }
  const lookup = await runPostConnectLookup(deps, { ...subject, credentials })
  const found = { ...credentials, ...lookup.credentials }
  const tried = await tryCredentials(deps, { ...subject, credentials: found }, validate)
  const stored = { ...found, ...tried.session }
  const expiresAt = lookup.expiresAt ?? tried.expiresAt
  const tokenExpiresAt = expiresAt ? new Date(expiresAt) : row.token_expires_at
  const uuid = await insertRow(deps, projectId, draft, { ...row, token_expires_at: tokenExpiresAt }, stored)
  if (!tried.identityFailed) await updateIdentity(deps, projectId, row.id, tried.identity)
  return {
    id: row.id,
    status: row.status,
    verified: tried.verified,
    redirectUrl: null,
    scheme,
    managed: config.is_service_managed,
    credentials: stored,
    uuid,
    authConfigUuid: config.uuid,
  }
}

/** Stores the account, and its authorization flow if it has one, in one transaction. Returns the UUID. */
const insertRow = (
  deps: AccountDeps,
  projectId: string,
  { alias }: ConnectionDraft,
  row: NewRow,
  credentials: Credentials,
  flow?: PreparedFlow,
): Promise<string> =>
  withAliasConflict(alias, () =>
    deps.db.begin(async (tx) => {
      const encrypted = encryptCredentials(await deps.encryptor.ofProject(projectId), row.id, credentials)
      const { uuid } = await store.insertAccount(tx, projectId, { ...row, credentials: encrypted })
      if (flow) await insertFlow(tx, flow.row)
      else await publishNewAccount(tx, projectId, row)
      return uuid
    }),
  )

/**
 * Finds an auth config that accepts new connections, with its toolkit and scheme. @throws 304, 307, 404, 501
 */
export async function findConnectableConfig(deps: AccountDeps, projectId: string, authConfigId: string) {
  const config = await findAuthConfig(deps.db, projectId, authConfigId)
  if (!config) throw notFound('auth_config', authConfigId)
  if (config.status === 'DISABLED')
    throw new ApiError(
      'Auth_Config_Disabled',
      `Auth config ${authConfigId} is disabled, so it accepts no new connections.`,
    )
  const { toolkit, scheme } = offeredScheme(deps, config)
  const module = schemeByName(scheme.mode)
  if (!module)
    throw new ApiError(
      'ConnectedAccount_NotImplemented',
      `Connecting with ${scheme.mode} is not part of this release.`,
    )
  return { config, toolkit, scheme, module }
}

function offeredScheme(
  { catalog }: AccountDeps,
  config: AuthConfigRow,
): { toolkit: Toolkit; scheme: CompiledScheme } {
  const toolkit = catalog.toolkit(config.toolkit_slug)
  const scheme = toolkit && findCompiledScheme(toolkit, config.auth_scheme)
  if (!toolkit || !scheme)
    throw new ApiError(
      'Auth_Config_SchemeNotSupported',
      `${config.toolkit_slug} no longer offers ${config.auth_scheme}.`,
    )
  return { toolkit, scheme }
}

/** Reads `state.val`, or the older flat `data`. The status in it only says whether an account is imported. */
function readDraft(
  { state, data }: ConnectionDraft,
  scheme: CompiledScheme,
  shared: Credentials,
): { requestedStatus: unknown; credentials: Credentials } {
  if (state && state.authScheme.toUpperCase() !== scheme.mode) {
    throw new ApiError(
      'ConnectedAccount_BadRequest',
      `The auth config uses ${scheme.mode}, but the connection has ${state.authScheme.toUpperCase()}.`,
      { details: [`Error in payload.connection.state.authScheme: must be ${scheme.mode}`] },
    )
  }
  const {
    status: requestedStatus,
    redirectUrl: _redirectUrl, // written by the server only
    ...input
  } = { ...data, ...state?.val } as Record<string, unknown>
  return { requestedStatus, credentials: normalizeCredentials(scheme, input, shared) }
}

/**
 * Whether the request imports an existing connection (status ACTIVE), so that no authorization flow is
 * needed. @throws 400 if the tokens are missing
 */
function isImport(requestedStatus: unknown, credentials: Credentials): boolean {
  if (requestedStatus !== 'ACTIVE') return false
  const isText = (name: string) => typeof credentials[name] === 'string'
  if (isText('access_token') || (isText('oauth_token') && isText('oauth_token_secret'))) return true
  throw new ApiError('ConnectedAccount_BadRequest', 'An ACTIVE connection needs its access_token.', {
    details: ['Error in payload.connection.state.val.access_token: is required'],
  })
}

/** Runs `work` and reports an alias that is in use. @throws ConnectedAccount_AliasConflict */
export async function withAliasConflict<T>(alias: string | undefined, work: () => Promise<T>): Promise<T> {
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
