import type { ConnectionContext, Values } from '../../auth-schemes/index.ts'
import { type Catalog, compiledSchemeOf, secretHosts } from '../../catalog/index.ts'
import type { Account } from '../../engine/index.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import {
  type AuthConfigRow,
  contextOf as configContextOf,
  type ManagedAuth,
  withChoices,
} from '../auth-configs/index.ts'
import type { AccountRow } from './store.ts'

export const valContext = (id: string) => `connected_accounts:${id}:val`
export const openVal = (encryptor: Encryptor, row: Pick<AccountRow, 'id' | 'val'>): Values =>
  encryptor.decrypt<Values>(row.val, valContext(row.id))

/** Whether the provider brings no state back, so that the browser alone says which walk it is. See docs/decisions/0018-callbacks-without-state.md. */
export const isWithoutState = ({ scheme: { manifest } }: Pick<ConnectionContext, 'scheme'>): boolean =>
  manifest.scheme === 'OAUTH2' && manifest.callback?.state_from === 'cookie'

type Config = Pick<
  AuthConfigRow,
  | 'id'
  | 'credentials'
  | 'shared_credentials'
  | 'proxy_config'
  | 'toolkit_slug'
  | 'auth_scheme'
  | 'is_service_managed'
>
interface OpenDeps {
  encryptor: Encryptor
  catalog: Catalog
  managed: ManagedAuth
  callbackUrl: string
}

/**
 * The setup of an account: its scheme and every value around it. Sealed parts are opened when they are first read: a tool call with a key
 * never needs the client secret. Undefined when the toolkit no longer offers the scheme. A managed config has the operator's client; reading
 * `credentials` throws 306 when the operator took it away.
 */
export function setupOf(
  { encryptor, catalog, managed, callbackUrl }: OpenDeps,
  config: Config,
  val: () => Values,
): ConnectionContext | undefined {
  const toolkit = catalog.toolkit(config.toolkit_slug)
  const scheme = toolkit && compiledSchemeOf(toolkit, config.auth_scheme)
  // The operator's client goes to no address that a project wrote, also where a toolkit of the server once had this slug.
  if (!scheme || (config.is_service_managed && toolkit.origin === 'project')) return undefined
  const open = <T>(column: 'credentials' | 'shared_credentials' | 'proxy_config', sealed: Buffer) =>
    encryptor.decrypt<T>(sealed, configContextOf(config.id, column))
  const own = once(() => (config.credentials ? open<Values>('credentials', config.credentials) : NOTHING))
  const credentials = config.is_service_managed
    ? once(() => withChoices(managed.credentials(config.toolkit_slug, config.auth_scheme), own()))
    : own
  const opened = once(val)
  const shared = once(() => {
    const given = config.shared_credentials
      ? open<Values>('shared_credentials', config.shared_credentials)
      : NOTHING
    return config.is_service_managed ? without(given, secretHosts(scheme.manifest)) : given
  })
  const proxy = once(() =>
    config.proxy_config
      ? open<{ proxy_url: string; proxy_auth_key?: string }>('proxy_config', config.proxy_config)
      : undefined,
  )
  return {
    scheme,
    get val() {
      return opened()
    },
    get shared() {
      return shared()
    },
    get credentials() {
      return credentials()
    },
    get redirectUri() {
      const own = credentials()['oauth_redirect_uri']
      return typeof own === 'string' && own
        ? own
        : isWithoutState({ scheme })
          ? `${callbackUrl}/${config.toolkit_slug}`
          : callbackUrl
    },
    get proxy() {
      const it = proxy()
      return it && { url: it.proxy_url, ...(it.proxy_auth_key ? { authKey: it.proxy_auth_key } : {}) }
    },
  }
}

/** A row as the engine needs it. @throws 306 for a managed account whose operator took the credentials away: said before anything is sent, whatever the call would need */
export function openAccount(deps: OpenDeps, row: AccountRow): Account {
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
    setup: setupOf(deps, { ...row, id: row.auth_config_id }, () => openVal(deps.encryptor, row)),
    version: row.val_version,
    tokenExpiresAt: row.token_expires_at?.getTime() ?? null,
    authFailures: row.auth_failures,
  }
}

const NOTHING: Values = {}

/** The operator's secret goes nowhere that a project chose. */
const without = (given: Values, names: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)))

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
