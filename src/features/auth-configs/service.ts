import {
  type Catalog,
  type CatalogOf,
  type CompiledScheme,
  describeMissingToolkit,
  type Toolkit,
} from '../../catalog/index.ts'
import type { AuthConfigDraft, AuthConfigPatch } from '../../contract/auth-configs/index.ts'
import type { Encryptor, ProjectEncryptor } from '../../platform/crypto/index.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { newId, randomText } from '../../platform/ids.ts'
import type { PageWindow } from '../../platform/list-page.ts'
import { changeFromPatch } from './patch.ts'
import { validateFields, validateTools, requireScheme } from './validation.ts'
import { managedAuthMissing } from './managed-auth.ts'
import type { Secrets } from './masking.ts'
import { type EncryptedColumn, encryptionContext } from './encrypted-columns.ts'
import * as store from './store.ts'

export interface AuthConfigDeps {
  db: Pool
  encryptor: Encryptor
  catalogOf: CatalogOf
  logo(slug: string): string
  managedSchemes(toolkit: string): readonly string[]
  /** Schedules the revocation of all connections of an auth config, after the commit; returns the job ID. */
  revokeAccounts(tx: Db, projectId: string, authConfigId: string): Promise<string>
  /** Disables the connected accounts of an auth config that is being deleted, in the same transaction. */
  disableAccounts(tx: Db, projectId: string, authConfigId: string): Promise<void>
}

export function authConfigService(deps: AuthConfigDeps) {
  const { db, encryptor, catalogOf, revokeAccounts, disableAccounts } = deps
  return {
    list: (projectId: string, filter: store.AuthConfigFilter, page: PageWindow) =>
      store.listAuthConfigs(db, projectId, filter, page),

    async read(projectId: string, id: string): Promise<store.AuthConfigRow> {
      const row = await store.findAuthConfig(db, projectId, id)
      if (!row) throw notFound(id)
      return row
    },

    async create(projectId: string, keyId: string, slug: string, draft: AuthConfigDraft) {
      const own = await encryptor.ofProject(projectId)
      const row = newAuthConfigRow(deps, own, await catalogOf(projectId), slug, draft)
      const created = { ...row, created_by: keyId }
      await store.insertAuthConfig(db, projectId, created)
      return created
    },

    /** `isUnrestricted`: the key of the caller has all permissions. */
    update: (projectId: string, id: string, patch: AuthConfigPatch, isUnrestricted: boolean) =>
      db.begin(async (tx) => {
        const row = await requireLocked(tx, projectId, id)
        if (patch.type === undefined) throw badRequest('Error in payload.type: is required')
        if (patch.type !== row.type)
          throw badRequest(`Error in payload.type: must be ${row.type}, the type of this auth config`)
        const canMoveAccounts = isUnrestricted || !(await store.hasAccounts(tx, projectId, id))
        const context = {
          catalog: await catalogOf(projectId),
          encryptor,
          own: await encryptor.ofProject(projectId),
          canMoveAccounts,
        }
        const change = changeFromPatch(context, row, patch)
        if (Object.keys(change).length) await store.updateAuthConfig(tx, projectId, id, change)
      }),

    /** Enables or disables an auth config. Setting the current status again changes nothing. */
    setStatus: (projectId: string, id: string, status: 'ENABLED' | 'DISABLED') =>
      db.begin(async (tx) => {
        const row = await requireLocked(tx, projectId, id)
        if (row.status !== status) await store.updateAuthConfig(tx, projectId, id, { status })
      }),

    /**
     * Deletes an auth config. With `revoke`, its connections are also revoked at the provider; returns the
     * job ID.
     */
    remove: (projectId: string, id: string, revoke: boolean): Promise<string | undefined> =>
      db.begin(async (tx) => {
        await requireLocked(tx, projectId, id)
        const jobId = revoke ? await revokeAccounts(tx, projectId, id) : undefined
        await store.deleteAuthConfig(tx, projectId, id)
        await disableAccounts(tx, projectId, id)
        return jobId
      }),
  }
}

const notFound = (id: string) => new ApiError('Auth_Config_NotFound', `Auth config ${id} not found`)

async function requireLocked(tx: Db, projectId: string, id: string): Promise<store.AuthConfigRow> {
  const row = await store.lockAuthConfig(tx, projectId, id)
  if (!row) throw notFound(id)
  return row
}

function requireToolkit(catalog: Catalog, slug: string): Toolkit {
  const toolkit = catalog.toolkit(slug)
  if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(catalog, slug))
  if (toolkit.noAuth)
    throw new ApiError(
      'Auth_Config_NoAuthApp',
      `${toolkit.name} needs no authentication, so it has no auth configs.`,
    )
  return toolkit
}

/**
 * The scheme of a draft: the given one for custom auth, otherwise one with managed credentials.
 * @throws ApiError
 */
function selectScheme(
  { managedSchemes }: AuthConfigDeps,
  toolkit: Toolkit,
  draft: AuthConfigDraft,
): CompiledScheme {
  if (draft.type === 'use_custom_auth') {
    const scheme = requireScheme(toolkit, draft.authScheme)
    const credentials = { ...draft.shared_credentials, ...draft.credentials }
    validateFields(toolkit, scheme, 'auth_config_creation', credentials, 'payload.auth_config.credentials')
    return scheme
  }
  // Managed credentials do not apply to a custom toolkit of the project with the same slug.
  const managed = toolkit.origin === 'project' ? [] : managedSchemes(toolkit.slug)
  const mode = managed.includes('OAUTH2')
    ? 'OAUTH2'
    : toolkit.schemes.find((scheme) => managed.includes(scheme.mode))?.mode
  if (!mode) throw managedAuthMissing(toolkit, toolkit.slug)
  return requireScheme(toolkit, mode)
}

/** Validates a draft and converts it to a row with encrypted credentials. @throws ApiError */
function newAuthConfigRow(
  deps: AuthConfigDeps,
  encryptor: ProjectEncryptor,
  catalog: Catalog,
  slug: string,
  draft: AuthConfigDraft,
) {
  const toolkit = requireToolkit(catalog, slug)
  const scheme = selectScheme(deps, toolkit, draft)
  const isCustom = draft.type === 'use_custom_auth'
  const id = newId('ac')
  const encrypt = (column: EncryptedColumn, value: Secrets | undefined) =>
    value ? encryptor.encrypt(value, encryptionContext(id, column)) : null
  return {
    id,
    toolkit_slug: toolkit.slug,
    type: isCustom ? ('custom' as const) : ('default' as const),
    name: draft.name ?? `${toolkit.slug}-${randomText(6).toLowerCase()}`,
    auth_scheme: scheme.mode,
    is_service_managed: !isCustom,
    credentials: encrypt(
      'credentials',
      draft.credentials && Object.keys(draft.credentials).length ? draft.credentials : undefined,
    ),
    shared_credentials: encrypt('shared_credentials', draft.shared_credentials),
    proxy_config: encrypt(
      'proxy_config',
      isCustom && draft.proxy_config ? { ...draft.proxy_config } : undefined,
    ),
    is_enabled_for_tool_router: draft.is_enabled_for_tool_router ?? true,
    ...toolLists(catalog, toolkit.slug, draft),
  }
}

function toolLists(catalog: Catalog, toolkit: string, draft: AuthConfigDraft) {
  const validate = (list: readonly string[], field: string) =>
    validateTools(catalog, toolkit, list, `payload.auth_config.${field}`)
  const access = draft.tool_access_config ?? {}
  const available = access.tools_available_for_execution
  return {
    tools_for_connected_account_creation: validate(
      access.tools_for_connected_account_creation ?? [],
      'tool_access_config.tools_for_connected_account_creation',
    ),
    tools_available_for_execution: available
      ? validate(available, 'tool_access_config.tools_available_for_execution')
      : validate(draft.restrict_to_following_tools ?? [], 'restrict_to_following_tools'),
  }
}
