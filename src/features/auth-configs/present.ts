import {
  type AuthSchemeManifest,
  type Catalog,
  findCompiledScheme,
  schemeFieldGroups,
  type Toolkit,
} from '../../catalog/index.ts'
import type * as contract from '../../contract/auth-configs/index.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { stableUuid } from '../../platform/ids.ts'
import { isEmptyValue } from './validation.ts'
import { isProjectChoice, maskValue, maskSecrets, readableFields, REDACTED, type Secrets } from './masking.ts'
import { decryptConfig, type ProxyConfig } from './encrypted-columns.ts'
import { defaultRedirectUri } from './redirect-uri.ts'
import type { AuthConfigRow } from './store.ts'

export interface PresenterDeps {
  encryptor: Encryptor
  logo(slug: string): string
  legacyId(slug: string): string
  /** The redirect URI of auth configs that have none of their own. */
  callbackUrl: string
}

const REDIRECT_SCHEMES = ['OAUTH2', 'DCR_OAUTH', 'OAUTH1']

/** Returns a function that presents rows. Secrets are masked whatever the setting of the project. */
export function authConfigPresenter(
  deps: PresenterDeps,
): (catalog: Catalog, row: AuthConfigRow) => contract.AuthConfig {
  return (catalog, row) => {
    const { credentials, shared, proxy } = decryptConfig(deps.encryptor, row)
    const toolkit = catalog.toolkit(row.toolkit_slug)
    const manifest = toolkit && findCompiledScheme(toolkit, row.auth_scheme)?.manifest
    const readable = readableFields(manifest)
    const show = (values: Secrets) =>
      row.is_service_managed
        ? maskSecrets(values, isProjectChoice, () => REDACTED)
        : maskSecrets(values, readable)
    const expected = expectedInputFields(manifest, shared)
    return {
      id: row.id,
      uuid: row.uuid,
      type: row.type,
      name: row.name,
      toolkit: {
        slug: row.toolkit_slug,
        logo: deps.logo(row.toolkit_slug),
        auth_guide_url: toolkit?.docsUrl ?? null,
        auth_hint_url: manifest?.hint_url ?? null,
      },
      auth_scheme: row.auth_scheme,
      is_service_managed: row.is_service_managed,
      credentials: show(credentials),
      redirect_uri: toolkit ? redirectUriOf(deps, toolkit, row, credentials) : null,
      ...(proxy ? { proxy_config: presentProxy(proxy) } : {}),
      status: row.status,
      created_by: row.created_by,
      created_at: row.created_at.toISOString(),
      last_updated_at: row.updated_at.toISOString(),
      no_of_connections: row.no_of_connections,
      expected_input_fields: expected,
      restrict_to_following_tools: row.tools_available_for_execution,
      tool_access_config: {
        tools_for_connected_account_creation: row.tools_for_connected_account_creation,
        tools_available_for_execution: row.tools_available_for_execution,
      },
      shared_credentials: show(shared),
      is_enabled_for_tool_router: row.is_enabled_for_tool_router,
      deprecated_params: {
        default_connector_id: row.default_uuid,
        member_uuid: stableUuid(`creator:${row.created_by}`),
        toolkit_id: deps.legacyId(row.toolkit_slug),
        expected_input_fields: expected,
      },
    }
  }
}

/** The fields that a user has to fill in: those of the scheme without the ones that all connections share. */
function expectedInputFields(manifest: AuthSchemeManifest | undefined, shared: Secrets) {
  if (!manifest) return []
  const { required, optional } = schemeFieldGroups(manifest).connected_account_initiation
  return [...required, ...optional].filter(
    ({ name }) => !Object.hasOwn(shared, name) || isEmptyValue(shared[name]),
  )
}

const presentProxy = ({ proxy_url, proxy_auth_key: key }: ProxyConfig) => ({
  proxy_url,
  ...(key ? { proxy_auth_key: maskValue(key) } : {}),
})

/** The redirect URI to register at the provider; null for a scheme that redirects no browser. */
function redirectUriOf(
  { callbackUrl }: Pick<PresenterDeps, 'callbackUrl'>,
  toolkit: Toolkit,
  row: AuthConfigRow,
  { oauth_redirect_uri: configured }: Secrets,
): string | null {
  if (!REDIRECT_SCHEMES.includes(row.auth_scheme)) return null
  return typeof configured === 'string' && configured
    ? configured
    : defaultRedirectUri(callbackUrl, toolkit, row)
}
