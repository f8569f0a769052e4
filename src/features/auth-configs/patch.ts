import { type Catalog, findCompiledScheme } from '../../catalog/index.ts'
import type { AuthConfigPatch } from '../../contract/auth-configs/index.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
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
    canMoveAccounts,
  }: { catalog: Catalog; encryptor: Encryptor; canMoveAccounts: boolean },
  row: AuthConfigRow,
  patch: AuthConfigPatch,
): AuthConfigChange {
  const stored = decryptConfig(encryptor, row)
  const encrypt = (column: EncryptedColumn, value: object) => ({
    [column]: encryptor.encrypt(value, encryptionContext(row.id, column)),
  })
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
  const before = { ...stored.shared, ...stored.credentials }
  const changed = { ...shared, ...credentials }
  const moved = changedDestinations(catalog, row, { before, changed, proxy, storedProxy: stored.proxy })
  if (moved.length) {
    if (!canMoveAccounts) throw accountsWouldMove(moved)
    requireAllSecretsAgain(catalog, row, { before, changed, moved, patch, storedProxy: stored.proxy })
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

interface Destination {
  before: Secrets
  changed: Secrets
  proxy: { proxy_url: string } | null | undefined
  storedProxy: ProxyConfig | undefined
}

/** The fields of a change that have requests sent to another server or through another proxy. */
function changedDestinations(
  catalog: Catalog,
  row: AuthConfigRow,
  { before, changed, proxy, storedProxy }: Destination,
): string[] {
  const toolkit = catalog.toolkit(row.toolkit_slug)
  const scheme = toolkit && findCompiledScheme(toolkit, row.auth_scheme)
  const fields = scheme
    ? changedHostFields(toolkit, scheme, { stored: before, changed, sent: new Set() })
    : []
  return proxy && proxy.proxy_url !== storedProxy?.proxy_url ? [...fields, 'proxy_url'] : fields
}

/** Requires the secrets of the auth config, and of the proxy, if they would be sent elsewhere. @throws ApiError 400 */
function requireAllSecretsAgain(
  catalog: Catalog,
  row: AuthConfigRow,
  {
    before,
    changed,
    moved,
    patch,
    storedProxy,
  }: Pick<Destination, 'before' | 'changed' | 'storedProxy'> & { moved: string[]; patch: AuthConfigPatch },
): void {
  const toolkit = catalog.toolkit(row.toolkit_slug)
  const scheme = toolkit && findCompiledScheme(toolkit, row.auth_scheme)
  if (!scheme) return
  // A value counts as sent if the change stores it as it was sent: masks in it are replaced by stored values.
  const sent = Object.entries({ ...patch.shared_credentials, ...patch.credentials })
    .filter(([name, value]) => !isMaskOf(value, before[name]))
    .filter(([name, value]) => value === '' || JSON.stringify(value) === JSON.stringify(changed[name]))
  requireSecretsAgain(
    scheme,
    { stored: before, sent: new Set(sent.map(([name]) => name)) },
    moved,
    'payload.credentials',
  )
  const key = storedProxy?.proxy_auth_key
  const sentKey = patch.proxy_config?.proxy_auth_key
  if (moved.includes('proxy_url') && key && (sentKey === undefined || isMaskOf(sentKey, key)))
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
