import type { Catalog, CatalogOf, Toolkit } from '../../catalog/index.ts'
import type { AuthConfigDraft, AuthConfigPatch } from '../../contract/auth-configs.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { changeOf } from './change.ts'
import { checkFields, checkTools, offeredScheme } from './check.ts'
import { notConfigured } from './managed.ts'
import type { Secrets } from './masking.ts'
import { contextOf } from './sealed.ts'
import * as store from './store.ts'

export interface AuthConfigDeps {
  db: Pool
  encryptor: Encryptor
  catalogOf: CatalogOf
  logo(slug: string): string
  managedSchemes(toolkit: string): readonly string[]
  /** Has the connections of an auth config ended at the provider once the transaction commits; answers the job id. */
  revokeAccounts(tx: Db, projectId: string, authConfigId: string): Promise<string>
}

export function authConfigService({
  db,
  encryptor,
  catalogOf,
  managedSchemes,
  revokeAccounts,
}: AuthConfigDeps) {
  const notFound = (id: string) => new ApiError('Auth_Config_NotFound', `Auth config ${id} not found`)
  const seal = (id: string, column: Parameters<typeof contextOf>[1], value: Secrets) =>
    encryptor.encrypt(value, contextOf(id, column))

  function toolkitOf(catalog: Catalog, slug: string): Toolkit {
    const toolkit = catalog.toolkit(slug)
    if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${slug} not found`)
    if (toolkit.noAuth)
      throw new ApiError(
        'Auth_Config_NoAuthApp',
        `${toolkit.name} needs no authentication, so it has no auth configs.`,
      )
    return toolkit
  }

  function schemeFor(toolkit: Toolkit, draft: AuthConfigDraft) {
    if (draft.type === 'use_custom_auth') {
      const scheme = offeredScheme(toolkit, draft.authScheme)
      checkFields(
        toolkit,
        scheme,
        'auth_config_creation',
        { ...draft.shared_credentials, ...draft.credentials },
        'payload.auth_config.credentials',
      )
      return scheme
    }
    // What the operator configured is not for a toolkit of the project that has the same slug.
    const managed = toolkit.origin === 'project' ? [] : managedSchemes(toolkit.slug)
    const mode = managed.includes('OAUTH2')
      ? 'OAUTH2'
      : toolkit.schemes.find((scheme) => managed.includes(scheme.mode))?.mode
    if (!mode) throw notConfigured(toolkit, toolkit.slug)
    return offeredScheme(toolkit, mode)
  }

  return {
    list: (projectId: string, filter: store.AuthConfigFilter, page: { limit: number; offset: number }) =>
      store.list(db, projectId, filter, page),

    async read(projectId: string, id: string): Promise<store.AuthConfigRow> {
      const row = await store.find(db, projectId, id)
      if (!row) throw notFound(id)
      return row
    },

    async create(projectId: string, keyId: string, slug: string, draft: AuthConfigDraft) {
      const catalog = await catalogOf(projectId)
      const toolkit = toolkitOf(catalog, slug)
      const scheme = schemeFor(toolkit, draft)
      const id = newId('ac')
      const tools = (list: readonly string[], part: string) =>
        checkTools(catalog, toolkit.slug, list, `payload.auth_config.${part}`)
      const { tools_for_connected_account_creation: needed, tools_available_for_execution: available } =
        draft.tool_access_config ?? {}
      const row = {
        id,
        toolkit_slug: toolkit.slug,
        type: draft.type === 'use_custom_auth' ? ('custom' as const) : ('default' as const),
        name: draft.name ?? `${toolkit.slug}-${randomText(6).toLowerCase()}`,
        auth_scheme: scheme.mode,
        is_service_managed: draft.type !== 'use_custom_auth',
        credentials:
          draft.credentials && Object.keys(draft.credentials).length
            ? seal(id, 'credentials', draft.credentials)
            : null,
        shared_credentials: draft.shared_credentials
          ? seal(id, 'shared_credentials', draft.shared_credentials)
          : null,
        proxy_config:
          draft.type === 'use_custom_auth' && draft.proxy_config
            ? seal(id, 'proxy_config', { ...draft.proxy_config })
            : null,
        created_by: keyId,
        is_enabled_for_tool_router: draft.is_enabled_for_tool_router ?? true,
        tools_for_connected_account_creation: tools(
          needed ?? [],
          'tool_access_config.tools_for_connected_account_creation',
        ),
        tools_available_for_execution: available
          ? tools(available, 'tool_access_config.tools_available_for_execution')
          : tools(draft.restrict_to_following_tools ?? [], 'restrict_to_following_tools'),
      }
      await store.insert(db, projectId, row)
      return row
    },

    update: (projectId: string, id: string, patch: AuthConfigPatch) =>
      db.begin(async (tx) => {
        const row = await store.findForUpdate(tx, projectId, id)
        if (!row) throw notFound(id)
        if (patch.type === undefined) throw badRequest('Error in payload.type: is required')
        if (patch.type !== row.type)
          throw badRequest(`Error in payload.type: must be ${row.type}, the type of this auth config`)
        const change = changeOf({ catalog: await catalogOf(projectId), encryptor }, row, patch)
        if (Object.keys(change).length) await store.update(tx, projectId, id, change)
      }),

    /** The status it has already is no change. */
    setStatus: (projectId: string, id: string, status: 'ENABLED' | 'DISABLED') =>
      db.begin(async (tx) => {
        const row = await store.findForUpdate(tx, projectId, id)
        if (!row) throw notFound(id)
        if (row.status !== status) await store.update(tx, projectId, id, { status })
      }),

    /** With `revoke`, has its connections ended at the provider too; answers the id of that job. */
    remove: (projectId: string, id: string, revoke: boolean): Promise<string | undefined> =>
      db.begin(async (tx) => {
        if (!(await store.findForUpdate(tx, projectId, id))) throw notFound(id)
        const jobId = revoke ? await revokeAccounts(tx, projectId, id) : undefined
        await store.remove(tx, projectId, id)
        return jobId
      }),
  }
}
