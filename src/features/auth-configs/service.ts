import type { Catalog, Toolkit } from '../../catalog/index.ts'
import type { AuthConfigDraft, AuthConfigPatch } from '../../contract/auth-configs.ts'
import type { Sealer } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { checkFields, checkTools, offeredScheme } from './check.ts'
import { isMaskOf, type Secrets } from './masking.ts'
import * as store from './store.ts'

export interface AuthConfigDeps {
  db: Pool
  sealer: Sealer
  catalog: Catalog
  logo(slug: string): string
  managedSchemes(toolkit: string): readonly string[]
}

export interface ProxyConfig { proxy_url: string, proxy_auth_key?: string }

export const contextOf = (id: string, column: 'credentials' | 'shared_credentials' | 'proxy_config') => `auth_configs:${id}:${column}`

/** The sealed columns of a row, opened. */
export function openConfig(sealer: Sealer, row: Pick<store.AuthConfigRow, 'id' | 'credentials' | 'shared_credentials' | 'proxy_config'>) {
  return {
    credentials: sealer.open<Secrets>(row.credentials, contextOf(row.id, 'credentials')),
    shared: row.shared_credentials ? sealer.open<Secrets>(row.shared_credentials, contextOf(row.id, 'shared_credentials')) : {},
    proxy: row.proxy_config ? sealer.open<ProxyConfig>(row.proxy_config, contextOf(row.id, 'proxy_config')) : undefined,
  }
}

export function authConfigService({ db, sealer, catalog, managedSchemes }: AuthConfigDeps) {
  const notFound = (id: string) => new ApiError('Auth_Config_NotFound', `Auth config ${id} not found`)
  const seal = (id: string, column: Parameters<typeof contextOf>[1], value: Secrets) => sealer.seal(value, contextOf(id, column))

  function toolkitOf(slug: string): Toolkit {
    const toolkit = catalog.toolkit(slug)
    if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${slug} not found`)
    if (toolkit.noAuth) throw new ApiError('Auth_Config_NoAuthApp', `${toolkit.name} needs no authentication, so it has no auth configs.`)
    return toolkit
  }

  function schemeFor(toolkit: Toolkit, draft: AuthConfigDraft) {
    if (draft.type === 'use_custom_auth') {
      const scheme = offeredScheme(toolkit, draft.authScheme)
      checkFields(toolkit, scheme, 'auth_config_creation', { ...draft.shared_credentials, ...draft.credentials }, 'payload.auth_config.credentials')
      return scheme
    }
    const managed = managedSchemes(toolkit.slug)
    const mode = managed.includes('OAUTH2') ? 'OAUTH2' : managed[0]
    if (!mode) throw new ApiError('Auth_Config_DefaultAuthConfigNotFound', `This server has no credentials of its own for ${toolkit.name}, so managed auth is not possible.`)
    return offeredScheme(toolkit, mode)
  }

  return {
    list: (projectId: string, filter: store.AuthConfigFilter, page: { limit: number, offset: number }) => store.list(db, projectId, filter, page),

    async read(projectId: string, id: string): Promise<store.AuthConfigRow> {
      const row = await store.find(db, projectId, id)
      if (!row) throw notFound(id)
      return row
    },

    async create(projectId: string, keyId: string, slug: string, draft: AuthConfigDraft) {
      const toolkit = toolkitOf(slug)
      const scheme = schemeFor(toolkit, draft)
      const id = newId('ac')
      const access = draft.tool_access_config
      const row = {
        id, toolkit_slug: toolkit.slug, type: draft.type === 'use_custom_auth' ? 'custom' as const : 'default' as const,
        name: draft.name ?? `${toolkit.slug}-${randomText(6).toLowerCase()}`, auth_scheme: scheme.mode, is_service_managed: draft.type !== 'use_custom_auth',
        credentials: seal(id, 'credentials', draft.credentials ?? {}),
        shared_credentials: draft.shared_credentials ? seal(id, 'shared_credentials', draft.shared_credentials) : null,
        proxy_config: draft.type === 'use_custom_auth' && draft.proxy_config ? seal(id, 'proxy_config', { ...draft.proxy_config }) : null,
        created_by: keyId, is_enabled_for_tool_router: draft.is_enabled_for_tool_router ?? true,
        tools_for_connected_account_creation: checkTools(toolkit, access?.tools_for_connected_account_creation ?? [], 'payload.auth_config.tool_access_config.tools_for_connected_account_creation'),
        tools_available_for_execution: checkTools(toolkit, access?.tools_available_for_execution ?? draft.restrict_to_following_tools ?? [], 'payload.auth_config.restrict_to_following_tools'),
      }
      await store.insert(db, projectId, row)
      return row
    },

    update: (projectId: string, id: string, patch: AuthConfigPatch) => db.begin(async (tx) => {
      const row = await store.findForUpdate(tx, projectId, id)
      if (!row) throw notFound(id)
      if (patch.type === undefined) throw badRequest('Error in payload.type: is required')
      if (patch.type !== row.type) throw badRequest(`Error in payload.type: must be ${row.type}, the type of this auth config`)
      const change = changeOf(row, patch)
      if (Object.values(change).some((value) => value !== undefined)) await store.update(tx, projectId, id, change)
    }),

    async setStatus(projectId: string, id: string, status: 'ENABLED' | 'DISABLED'): Promise<void> {
      if (!await store.update(db, projectId, id, { status })) throw notFound(id)
    },

    remove: (projectId: string, id: string) => db.begin(async (tx) => {
      if (!await store.remove(tx, projectId, id)) throw notFound(id)
    }),
  }

  /** Absent means unchanged, empty means cleared, and a masked value that comes back is ignored. */
  function changeOf(row: store.AuthConfigRow, patch: AuthConfigPatch): store.AuthConfigChange {
    const opened = openConfig(sealer, row)
    const toolkit = catalog.toolkit(row.toolkit_slug)
    const scopes = row.type === 'default' ? { ...(patch.scopes === undefined ? {} : { scopes: patch.scopes }), ...(patch.user_scopes === undefined ? {} : { user_scopes: patch.user_scopes }) } : {}
    const credentials = { ...(row.type === 'custom' ? patch.credentials : {}), ...scopes }
    const tools = patch.tool_access_config
    const available = tools?.tools_available_for_execution ?? patch.restrict_to_following_tools
    const check = (slugs: readonly string[] | undefined, part: string) => slugs && (toolkit ? checkTools(toolkit, slugs, part) : [...slugs])
    return {
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(Object.keys(credentials).length ? { credentials: seal(row.id, 'credentials', merged(opened.credentials, credentials)) } : {}),
      ...(patch.shared_credentials ? { shared_credentials: seal(row.id, 'shared_credentials', unmasked(patch.shared_credentials, opened.shared)) } : {}),
      ...proxyChange(row, patch.proxy_config, opened.proxy),
      ...(tools?.tools_for_connected_account_creation
        ? { tools_for_connected_account_creation: check(tools.tools_for_connected_account_creation, 'payload.tool_access_config.tools_for_connected_account_creation') as string[] } : {}),
      ...(available ? { tools_available_for_execution: check(available, 'payload.tool_access_config.tools_available_for_execution') as string[] } : {}),
      ...(patch.is_enabled_for_tool_router === undefined ? {} : { is_enabled_for_tool_router: patch.is_enabled_for_tool_router }),
    }
  }

  function proxyChange(row: store.AuthConfigRow, sent: AuthConfigPatch['proxy_config'], stored: ProxyConfig | undefined): store.AuthConfigChange {
    if (sent === undefined || row.type !== 'custom') return {}
    if (sent === null) return { proxy_config: null }
    const { proxy_auth_key: key = stored?.proxy_auth_key, proxy_url: url } = sent
    const kept = isMaskOf(key, stored?.proxy_auth_key) ? stored?.proxy_auth_key : key
    return { proxy_config: seal(row.id, 'proxy_config', { proxy_url: url, ...(kept ? { proxy_auth_key: kept } : {}) }) }
  }
}

/** Key by key; an empty value clears, a masked one changes nothing. */
const merged = (stored: Secrets, sent: Secrets): Secrets => ({ ...stored, ...Object.fromEntries(Object.entries(sent).filter(([name, value]) => !isMaskOf(value, stored[name]))) })

/** Replaces the whole map, keeping the stored value where the mask came back. */
const unmasked = (sent: Secrets, stored: Secrets): Secrets => Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, isMaskOf(value, stored[name]) ? stored[name] : value]))
