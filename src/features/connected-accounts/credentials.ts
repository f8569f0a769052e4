import {
  type AuthScheme,
  schemeByName,
  type ConnectionContext,
  type Credentials,
} from '../../auth-schemes/index.ts'
import { type Catalog, findCompiledScheme, secretHostNames } from '../../catalog/index.ts'
import type { EngineAccount } from '../../engine/index.ts'
import type { Encryptor, ProjectEncryptor } from '../../platform/crypto/index.ts'
import {
  type AuthConfigRow,
  encryptionContext as configEncryptionContext,
  type ManagedAuth,
  applyScopeChoices,
  decryptConfig,
  defaultRedirectUri,
  REDACTED,
} from '../auth-configs/index.ts'
import type { AccountRow } from './store.ts'

const encryptionContext = (id: string) => `connected_accounts:${id}:val`

export const encryptCredentials = (
  encryptor: ProjectEncryptor,
  accountId: string,
  credentials: Credentials,
): Buffer => encryptor.encrypt(credentials, encryptionContext(accountId))

export const decryptCredentials = (
  encryptor: Encryptor,
  row: Pick<AccountRow, 'id' | 'credentials'>,
): Credentials => encryptor.decrypt<Credentials>(row.credentials, encryptionContext(row.id))

/** The implementation of the scheme; undefined if this release has none. */
export const authSchemeOf = ({ scheme }: Pick<ConnectionContext, 'scheme'>): AuthScheme | undefined =>
  schemeByName(scheme.mode)

type AuthConfig = Pick<
  AuthConfigRow,
  | 'id'
  | 'credentials'
  | 'shared_credentials'
  | 'proxy_config'
  | 'toolkit_slug'
  | 'auth_scheme'
  | 'is_service_managed'
>
/**
 * The key of an OAuth 1.0a client, which responses show; `REDACTED` for managed credentials, and undefined for other
 * schemes.
 */
export function consumerKeyOf(
  encryptor: Encryptor,
  config: Pick<AuthConfig, 'id' | 'auth_scheme' | 'is_service_managed' | 'credentials'>,
): unknown {
  if (config.auth_scheme !== 'OAUTH1') return undefined
  if (config.is_service_managed) return REDACTED
  const { credentials } = decryptConfig(encryptor, {
    ...config,
    shared_credentials: null,
    proxy_config: null,
  })
  return credentials['consumer_key']
}

interface ConnectionContextDeps {
  encryptor: Encryptor
  catalog: Catalog
  managed: ManagedAuth
  callbackUrl: string
}

/**
 * Creates the connection context of an account: its scheme and all values for it. Each encrypted part is
 * decrypted when it is first read: a tool call with an API key never needs the client secret. Returns
 * undefined if the toolkit no longer offers the scheme. A managed config uses the OAuth client of the
 * administrator; reading `credentials` throws 306 if the administrator removed it.
 */
export function createConnectionContext(
  { encryptor, catalog, managed, callbackUrl }: ConnectionContextDeps,
  config: AuthConfig,
  credentials: () => Credentials,
): ConnectionContext | undefined {
  const toolkit = catalog.toolkit(config.toolkit_slug)
  const scheme = toolkit && findCompiledScheme(toolkit, config.auth_scheme)
  // The administrator's client secret is never sent to a URL that a project chose, also if a toolkit of the
  // server had this slug before.
  if (!scheme || (config.is_service_managed && toolkit.origin === 'project')) return undefined
  const decrypt = <T>(column: 'credentials' | 'shared_credentials' | 'proxy_config'): T | undefined => {
    const encrypted = config[column]
    return encrypted ? encryptor.decrypt<T>(encrypted, configEncryptionContext(config.id, column)) : undefined
  }
  const ownClient = once(() => decrypt<Credentials>('credentials') ?? NO_VALUES)
  const client = config.is_service_managed
    ? once(() => applyScopeChoices(managed.credentials(config.toolkit_slug, config.auth_scheme), ownClient()))
    : ownClient
  return new LazyContext(scheme, {
    credentials: once(credentials),
    sharedCredentials: once(() => {
      const stored = decrypt<Credentials>('shared_credentials') ?? NO_VALUES
      return config.is_service_managed ? omit(stored, secretHostNames(scheme.manifest)) : stored
    }),
    authConfigCredentials: client,
    redirectUri: () => {
      const configured = client()['oauth_redirect_uri']
      if (typeof configured === 'string' && configured) return configured
      return defaultRedirectUri(callbackUrl, toolkit, config)
    },
    proxy: once(() => {
      const stored = decrypt<{ proxy_url: string; proxy_auth_key?: string }>('proxy_config')
      return stored && { url: stored.proxy_url, authKey: stored.proxy_auth_key || undefined }
    }),
  })
}

type Parts = { [Name in Exclude<keyof ConnectionContext, 'scheme'>]-?: () => ConnectionContext[Name] }

/**
 * A context whose parts are created when they are read. The accessors are in a class, because V8 makes a hidden class
 * for each object that has accessors of its own: it stays in the old generation, and with it all that they refer to.
 */
class LazyContext implements ConnectionContext {
  readonly scheme: ConnectionContext['scheme']
  readonly #parts: Parts

  constructor(scheme: ConnectionContext['scheme'], parts: Parts) {
    this.scheme = scheme
    this.#parts = parts
  }

  get credentials(): Credentials {
    return this.#parts.credentials()
  }

  get sharedCredentials(): Credentials {
    return this.#parts.sharedCredentials()
  }

  get authConfigCredentials(): Credentials {
    return this.#parts.authConfigCredentials()
  }

  get redirectUri(): string {
    return this.#parts.redirectUri()
  }

  get proxy(): ConnectionContext['proxy'] {
    return this.#parts.proxy()
  }
}

/** Creates the connection context of a stored account. `credentials` replaces the credentials of the row. */
export const accountConnectionContext = (
  deps: ConnectionContextDeps,
  row: AccountRow,
  credentials: () => Credentials = () => decryptCredentials(deps.encryptor, row),
): ConnectionContext | undefined =>
  createConnectionContext(
    deps,
    { ...row, id: row.auth_config_id, credentials: row.auth_config_credentials },
    credentials,
  )

/**
 * Converts a row to the account that the engine uses. @throws 306 for a managed account if the administrator
 * removed the client credentials: before anything is sent, whatever the call needs
 */
export function toEngineAccount(deps: ConnectionContextDeps, row: AccountRow): EngineAccount {
  if (row.is_service_managed) deps.managed.credentials(row.toolkit_slug, row.auth_scheme)
  return {
    id: row.id,
    userId: row.user_id,
    toolkit: row.toolkit_slug,
    status: row.status,
    statusReason: row.status_reason,
    shared: row.account_type === 'SHARED' ? (row.acl ?? {}) : null,
    authConfigId: row.auth_config_id,
    authConfigEnabled: row.auth_config_status === 'ENABLED',
    allowedTools: row.tools_available_for_execution,
    context: accountConnectionContext(deps, row),
    version: row.credentials_version,
    tokenExpiresAt: row.token_expires_at?.getTime() ?? null,
    authFailures: row.auth_failures,
  }
}

const NO_VALUES: Credentials = {}

const omit = (values: Credentials, names: ReadonlySet<string>): Credentials =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))

function once<T>(create: () => T): () => T {
  let created: { value: T } | undefined
  return () => (created ??= { value: create() }).value
}
