import { compiledSchemeOf, fieldsOf } from '../../catalog/index.ts'
import * as contract from '../../contract/auth-configs.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { masked, maskSecrets, readableNames, REDACTED } from './masking.ts'
import { type AuthConfigDeps, authConfigService, openConfig } from './service.ts'
import type { AuthConfigRow } from './store.ts'

export function authConfigRoutes(api: Api, deps: AuthConfigDeps & { legacyId(slug: string): string }): void {
  const service = authConfigService(deps)

  api.on(contract.listAuthConfigs, async ({ projectId, query, apiVersion }) => {
    const page = readPage(query)
    const toolkits = query.deprecated_app_id ? deps.catalog.toolkits.filter(({ slug }) => deps.legacyId(slug) === query.deprecated_app_id).map(({ slug }) => slug) : query.toolkit_slug?.map((slug) => slug.toLowerCase())
    const { rows, total } = await service.list(projectId, {
      managed: query.is_service_managed, toolkits, search: query.search, searchIds: apiVersion === 'v3.1',
      includeDisabled: query.show_disabled ?? false, status: query.deprecated_status,
    }, page)
    return pageOf(rows.map(present), total, page)
  })
  api.on(contract.createAuthConfig, async ({ projectId, keyId, body }) => {
    const row = await service.create(projectId, keyId, body.toolkit.slug, body.auth_config ?? { type: 'use_service_managed_auth' })
    return {
      toolkit: { slug: row.toolkit_slug },
      auth_config: { id: row.id, auth_scheme: row.auth_scheme, is_service_managed: row.is_service_managed, restrict_to_following_tools: row.tools_available_for_execution },
    }
  })
  api.on(contract.readAuthConfig, async ({ projectId, params }) => present(await service.read(projectId, params.nanoid)))
  api.on(contract.updateAuthConfig, async ({ projectId, params, body: { auth_config: wrapped, ...plain } }) => {
    await service.update(projectId, params.nanoid, wrapped ?? plain)
    return {}
  })
  api.on(contract.deleteAuthConfig, async ({ projectId, params }) => {
    await service.remove(projectId, params.nanoid)
    return {}
  })
  api.on(contract.setAuthConfigStatus, async ({ projectId, params }) => {
    await service.setStatus(projectId, params.nanoid, params.status)
    return {}
  })

  /** Row to wire. Secrets are masked whatever the project's setting says. */
  function present(row: AuthConfigRow): contract.AuthConfig {
    const { credentials, shared, proxy } = openConfig(deps.sealer, row)
    const toolkit = deps.catalog.toolkit(row.toolkit_slug)
    const manifest = toolkit && compiledSchemeOf(toolkit, row.auth_scheme)?.manifest
    const readable = readableNames(manifest)
    const show = (values: Readonly<Record<string, unknown>>) => row.is_service_managed ? maskSecrets(values, () => false, () => REDACTED) : maskSecrets(values, readable)
    const fields = manifest ? fieldsOf(manifest).connected_account_initiation : { required: [], optional: [] }
    const expected = [...fields.required, ...fields.optional].filter(({ name }) => !(name in shared))
    return {
      id: row.id, uuid: row.uuid, type: row.type, name: row.name,
      toolkit: { slug: row.toolkit_slug, logo: deps.logo(row.toolkit_slug), auth_guide_url: toolkit?.docsUrl ?? null, auth_hint_url: manifest?.hint_url ?? null },
      auth_scheme: row.auth_scheme, is_service_managed: row.is_service_managed, credentials: show(credentials),
      ...(proxy ? { proxy_config: { proxy_url: proxy.proxy_url, ...(proxy.proxy_auth_key ? { proxy_auth_key: masked(proxy.proxy_auth_key) } : {}) } } : {}),
      status: row.status, created_by: row.created_by, created_at: row.created_at.toISOString(), last_updated_at: row.updated_at.toISOString(), no_of_connections: row.no_of_connections,
      expected_input_fields: expected, restrict_to_following_tools: row.tools_available_for_execution,
      tool_access_config: { tools_for_connected_account_creation: row.tools_for_connected_account_creation, tools_available_for_execution: row.tools_available_for_execution },
      shared_credentials: show(shared), is_enabled_for_tool_router: row.is_enabled_for_tool_router,
      deprecated_params: { default_connector_id: null, member_uuid: row.uuid, toolkit_id: deps.legacyId(row.toolkit_slug), expected_input_fields: expected },
    }
  }
}
