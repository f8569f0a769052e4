import { type Catalog, findCompiledScheme } from '../../catalog/index.ts'
import type { AuthConfigPatch } from '../../contract/auth-configs/index.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { validateFields, validateTools } from './validation.ts'
import { isMaskOf, mergeSecrets, type Secrets, restoreMaskedValues } from './masking.ts'
import {
  encryptionContext,
  decryptConfig,
  type ProxyConfig,
  type EncryptedColumn,
} from './encrypted-columns.ts'
import type { AuthConfigChange, AuthConfigRow } from './store.ts'

/**
 * Computes the change of a patch: absent fields stay, empty ones are cleared, and masked values are ignored.
 */
export function changeFromPatch(
  { catalog, encryptor }: { catalog: Catalog; encryptor: Encryptor },
  row: AuthConfigRow,
  patch: AuthConfigPatch,
): AuthConfigChange {
  const stored = decryptConfig(encryptor, row)
  const encrypt = (column: EncryptedColumn, value: object) => ({
    [column]: encryptor.encrypt(value, encryptionContext(row.id, column)),
  })
  const tools = (list: readonly string[], part: string) =>
    catalog.toolkit(row.toolkit_slug)
      ? validateTools(catalog, row.toolkit_slug, list, `payload.${part}`)
      : [...list]
  const { tools_for_connected_account_creation: needed, tools_available_for_execution: available } =
    patch.tool_access_config ?? {}
  const restricted = patch.restrict_to_following_tools
  const sent = patchedCredentials(row, patch)
  const credentials = mergeSecrets(sent, stored.credentials)
  const shared = patch.shared_credentials
    ? restoreMaskedValues(patch.shared_credentials, stored.shared)
    : stored.shared
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
    ...(Object.keys(sent).length > 0 && encrypt('credentials', credentials)),
    ...(patch.shared_credentials && encrypt('shared_credentials', shared)),
    ...(proxy === null
      ? { proxy_config: null }
      : proxy && encrypt('proxy_config', patchedProxy(proxy, stored.proxy))),
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

/**
 * Credentials of a patch. Scopes of a custom config are among its credentials; a managed config has only
 * scopes.
 */
function patchedCredentials(
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

/** Rejects a change that removes a required field, or writes an invalid value. */
function checkCredentials(
  catalog: Catalog,
  row: AuthConfigRow,
  credentials: Secrets,
  touched: ReadonlySet<string>,
): void {
  const toolkit = catalog.toolkit(row.toolkit_slug)
  const scheme = toolkit && findCompiledScheme(toolkit, row.auth_scheme)
  if (row.type === 'custom' && scheme)
    validateFields(toolkit, scheme, 'auth_config_creation', credentials, 'payload.credentials', touched)
}

function patchedProxy(
  {
    proxy_url: url,
    proxy_auth_key: sent,
  }: ProxyConfig | { proxy_url: string; proxy_auth_key?: string | undefined },
  stored: ProxyConfig | undefined,
): ProxyConfig {
  const key = sent === undefined || isMaskOf(sent, stored?.proxy_auth_key) ? stored?.proxy_auth_key : sent
  return { proxy_url: url, ...(key && { proxy_auth_key: key }) }
}
