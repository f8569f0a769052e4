import { type Catalog, findCompiledScheme } from '../../catalog/index.ts'
import type { AuthConfigPatch } from '../../contract/auth-configs/index.ts'
import type { Encryptor, ProjectEncryptor } from '../../platform/crypto/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import { changedHostFields, requireSecretsAgain } from './changed-hosts.ts'
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
 * Computes the change of a patch: absent fields stay, empty ones are cleared, and masked values are ignored. Another
 * server or proxy needs all secrets again, and `canMoveAccounts` if there are accounts. See
 * docs/decisions/0042-changed-destinations.md. @throws ApiError 400
 */
export function changeFromPatch(
  {
    catalog,
    encryptor,
    own,
    canMoveAccounts,
  }: { catalog: Catalog; encryptor: Encryptor; own: ProjectEncryptor; canMoveAccounts: boolean },
  row: AuthConfigRow,
  patch: AuthConfigPatch,
): AuthConfigChange {
  const stored = decryptConfig(encryptor, row)
  const encrypt = (column: EncryptedColumn, value: object) => ({
    [column]: own.encrypt(value, encryptionContext(row.id, column)),
  })
  const sent = patchedCredentials(row, patch)
  const credentials = mergeSecrets(sent, stored.credentials)
  const shared = patch.shared_credentials
    ? restoreMaskedValues(patch.shared_credentials, stored.shared)
    : stored.shared
  const before = { ...stored.shared, ...stored.credentials }
  const changed = { ...shared, ...credentials }
  const toolkit = catalog.toolkit(row.toolkit_slug)
  const scheme = toolkit && findCompiledScheme(toolkit, row.auth_scheme)
  if (row.type === 'custom' && scheme) {
    const touched = {
      ...sent,
      ...(patch.shared_credentials && { ...stored.shared, ...patch.shared_credentials }),
    }
    const names = new Set(Object.keys(touched))
    validateFields(toolkit, scheme, 'auth_config_creation', changed, 'payload.credentials', names)
  }
  const proxy = row.type === 'custom' ? patch.proxy_config : undefined
  const hosts = scheme ? changedHostFields(toolkit, scheme, { stored: before, changed }) : []
  const isOtherProxy = Boolean(proxy && proxy.proxy_url !== stored.proxy?.proxy_url)
  const moved = isOtherProxy ? [...hosts, 'proxy_url'] : hosts
  if (moved.length > 0) {
    if (!canMoveAccounts) throw accountsWouldMove(moved)
    if (scheme)
      requireSecretsAgain(scheme, { stored: before, sent: newSecrets(patch, before, changed) }, moved)
    if (isOtherProxy) requireProxyKeyAgain(patch, stored.proxy)
  }
  return {
    ...(patch.name !== undefined && { name: patch.name }),
    ...(Object.keys(sent).length > 0 && encrypt('credentials', credentials)),
    ...(patch.shared_credentials && encrypt('shared_credentials', shared)),
    ...(proxy === null
      ? { proxy_config: null }
      : proxy && encrypt('proxy_config', patchedProxy(proxy, stored.proxy))),
    ...toolAccessChange(catalog, row, patch),
    ...(patch.is_enabled_for_tool_router !== undefined && {
      is_enabled_for_tool_router: patch.is_enabled_for_tool_router,
    }),
  }
}

function toolAccessChange(catalog: Catalog, row: AuthConfigRow, patch: AuthConfigPatch): AuthConfigChange {
  const tools = (list: readonly string[], part: string) =>
    catalog.toolkit(row.toolkit_slug)
      ? validateTools(catalog, row.toolkit_slug, list, `payload.${part}`)
      : [...list]
  const { tools_for_connected_account_creation: needed, tools_available_for_execution: available } =
    patch.tool_access_config ?? {}
  const restricted = patch.restrict_to_following_tools
  return {
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

/**
 * The secrets that a patch sends again. A value counts if the change stores it as it was sent: masks in it are replaced
 * by stored values.
 */
function newSecrets(patch: AuthConfigPatch, before: Secrets, changed: Secrets): Set<string> {
  const sent = Object.entries({ ...patch.shared_credentials, ...patch.credentials })
    .filter(([name, value]) => !isMaskOf(value, before[name]))
    .filter(([name, value]) => value === '' || JSON.stringify(value) === JSON.stringify(changed[name]))
  return new Set(sent.map(([name]) => name))
}

/** Requires the key of the proxy again for another proxy. @throws ApiError 400 */
function requireProxyKeyAgain(
  { proxy_config: proxy }: AuthConfigPatch,
  stored: ProxyConfig | undefined,
): void {
  const key = stored?.proxy_auth_key
  const sent = proxy?.proxy_auth_key
  if (!key || (sent !== undefined && !isMaskOf(sent, key))) return
  throw badRequest(
    'Error in payload.proxy_config.proxy_auth_key: send it again, because proxy_url changes the server that ' +
      'receives it',
  )
}

const accountsWouldMove = (fields: readonly string[]) =>
  badRequest(
    ...fields.map(
      (name) =>
        `Error in payload.${name === 'proxy_url' ? 'proxy_config' : 'credentials'}.${name}: the credentials of the ` +
        'connected accounts would be sent to another server. Use a key without restrictions, or create another auth ' +
        'config',
    ),
  )
