import { type Catalog, compiledSchemeOf } from '../../catalog/index.ts'
import type { AuthConfigPatch } from '../../contract/auth-configs.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { checkFields, checkTools } from './check.ts'
import { isMaskOf, merged, type Secrets, unmasked } from './masking.ts'
import { contextOf, openConfig, type ProxyConfig, type SealedColumn } from './sealed.ts'
import type { AuthConfigChange, AuthConfigRow } from './store.ts'

/** What a patch changes: absent means unchanged, empty means cleared, and a masked value that comes back is ignored. */
export function changeOf(
  { catalog, encryptor }: { catalog: Catalog; encryptor: Encryptor },
  row: AuthConfigRow,
  patch: AuthConfigPatch,
): AuthConfigChange {
  const stored = openConfig(encryptor, row)
  const seal = (column: SealedColumn, value: object) => ({
    [column]: encryptor.encrypt(value, contextOf(row.id, column)),
  })
  const tools = (list: readonly string[], part: string) =>
    catalog.toolkit(row.toolkit_slug)
      ? checkTools(catalog, row.toolkit_slug, list, `payload.${part}`)
      : [...list]
  const { tools_for_connected_account_creation: needed, tools_available_for_execution: available } =
    patch.tool_access_config ?? {}
  const restricted = patch.restrict_to_following_tools
  const sent = credentialsOf(row, patch)
  const credentials = merged(sent, stored.credentials)
  const shared = patch.shared_credentials ? unmasked(patch.shared_credentials, stored.shared) : stored.shared
  checkCredentials(
    catalog,
    row,
    { ...shared, ...credentials },
    new Set(
      Object.keys({
        ...sent,
        ...(patch.shared_credentials && { ...stored.shared, ...patch.shared_credentials }),
      }),
    ),
  )
  const proxy = row.type === 'custom' ? patch.proxy_config : undefined
  return {
    ...(patch.name !== undefined && { name: patch.name }),
    ...(Object.keys(sent).length > 0 && seal('credentials', credentials)),
    ...(patch.shared_credentials && seal('shared_credentials', shared)),
    ...(proxy === null
      ? { proxy_config: null }
      : proxy && seal('proxy_config', proxyOf(proxy, stored.proxy))),
    ...(needed && {
      tools_for_connected_account_creation: tools(
        needed,
        'tool_access_config.tools_for_connected_account_creation',
      ),
    }),
    ...(available
      ? {
          tools_available_for_execution: tools(available, 'tool_access_config.tools_available_for_execution'),
        }
      : restricted && { tools_available_for_execution: tools(restricted, 'restrict_to_following_tools') }),
    ...(patch.is_enabled_for_tool_router !== undefined && {
      is_enabled_for_tool_router: patch.is_enabled_for_tool_router,
    }),
  }
}

/** A custom config has its scopes among its credentials; of a managed one only the scopes can be chosen. */
function credentialsOf(
  { type }: AuthConfigRow,
  { credentials, scopes, user_scopes: userScopes }: AuthConfigPatch,
): Secrets {
  return type === 'custom'
    ? (credentials ?? {})
    : {
        ...(scopes !== undefined && { scopes }),
        ...(userScopes !== undefined && { user_scopes: userScopes }),
      }
}

/** A change may not take away what the scheme requires, nor write what does not fit it. */
function checkCredentials(
  catalog: Catalog,
  row: AuthConfigRow,
  credentials: Secrets,
  touched: ReadonlySet<string>,
): void {
  const toolkit = catalog.toolkit(row.toolkit_slug)
  const scheme = toolkit && compiledSchemeOf(toolkit, row.auth_scheme)
  if (row.type === 'custom' && scheme)
    checkFields(toolkit, scheme, 'auth_config_creation', credentials, 'payload.credentials', touched)
}

function proxyOf(
  {
    proxy_url: url,
    proxy_auth_key: sent,
  }: ProxyConfig | { proxy_url: string; proxy_auth_key?: string | undefined },
  stored: ProxyConfig | undefined,
): ProxyConfig {
  const key = sent === undefined || isMaskOf(sent, stored?.proxy_auth_key) ? stored?.proxy_auth_key : sent
  return { proxy_url: url, ...(key && { proxy_auth_key: key }) }
}
