import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Page } from '../../platform/http/paging.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { violates } from '../../platform/db/errors.ts'
import { type Db, type Pool, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import type { ProjectConfigPatch } from '../../contract/projects/index.ts'
import { createApiKey } from './api-keys/keys.ts'
import * as keyStore from './api-keys/store.ts'
import { isIpOrRange } from './api-keys/allowed-ips.ts'
import { pickKnownSettings } from './project-config.ts'
import * as store from './store.ts'

export interface ProjectDeps {
  db: Pool
  encryptor: Encryptor
  /** Clears the key cache of this process; other processes are notified by the database. */
  keysChanged(): void
}

/** Tables whose rows have a legacy UUID. */
const TABLES = {
  AUTH_CONFIG: sql`auth_configs`,
  CONNECTED_ACCOUNT: sql`connected_accounts`,
  TRIGGER_INSTANCE: sql`trigger_instances`,
}

export function projectService(deps: ProjectDeps) {
  const { db } = deps
  return {
    read: (organizationId: string, id: string) => requireProject(db, organizationId, id),
    list: (organizationId: string, page: Page) => store.listProjects(db, organizationId, page),
    create: (organizationId: string, draft: ProjectDraft) => createProject(deps, organizationId, draft),

    /** Deletes a project and its keys. The last project cannot be deleted: the server would be unusable. */
    remove: (organizationId: string, id: string) =>
      invalidateKeys(deps, () => db.begin((tx) => deleteProject(tx, organizationId, id))),

    /**
     * Replaces all keys. The project is locked, so that of two concurrent calls exactly one new key stays
     * valid.
     */
    regenerateKey: (organizationId: string, id: string) =>
      invalidateKeys(deps, () =>
        db.begin(async (tx) => {
          if (!(await store.lockProject(tx, organizationId, id))) throw notFound(id)
          await keyStore.deleteKeysOfProject(tx, id)
          const key = await createApiKey(tx, deps.encryptor, { organizationId, projectId: id })
          return { ...key, row: (await keyStore.findKey(tx, key.id)) as keyStore.ApiKeyRow }
        }),
      ),

    createKey: (organizationId: string, id: string, draft: ProjectKeyDraft) =>
      createProjectKey(deps, organizationId, id, draft),

    async listKeys(organizationId: string, id: string) {
      await requireProject(db, organizationId, id)
      return keyStore.listKeysOfProject(db, id)
    },

    removeKey: (organizationId: string, id: string, keyId: string) =>
      invalidateKeys(deps, async () => {
        await requireProject(db, organizationId, id)
        if (!(await keyStore.deleteKey(db, id, keyId)))
          throw new ApiError('APIKey_NotFound', `No key ${keyId} in this project.`)
      }),

    keysOf: (ids: readonly string[]) => keyStore.listKeysOfProjects(db, ids),
    key: (id: string) => keyStore.findKey(db, id),
    project: (projectId: string) => store.findProjectWithOrganization(db, projectId),

    /** Changes settings. A patch without known settings changes nothing, not even `updated_at`. */
    async updateConfig(projectId: string, patch: ProjectConfigPatch) {
      const settings = pickKnownSettings(patch)
      return Object.keys(settings).length
        ? invalidateKeys(deps, () => store.mergeConfig(db, projectId, settings))
        : store.findProjectWithOrganization(db, projectId)
    },

    nanoId: (projectId: string, uuid: string, type: LegacyResource) =>
      findIdOfLegacyUuid(db, projectId, uuid, type),
  }
}

type LegacyResource = keyof typeof TABLES

interface ProjectDraft {
  name: string
  should_create_api_key?: boolean | undefined
  config?: ProjectConfigPatch | undefined
}

interface ProjectKeyDraft {
  name?: string | undefined
  permissions?: Record<string, string[] | undefined> | undefined
  allowed_ips?: string[] | undefined
}

const notFound = (id: string) => new ApiError('Project_NotFound', `No project ${id} in this organization.`)

async function requireProject(db: Db, organizationId: string, id: string): Promise<store.ProjectRow> {
  const row = await store.findProject(db, organizationId, id)
  if (!row) throw notFound(id)
  return row
}

/** Clears the key cache after a change, also after a failed one: it may have been committed. */
async function invalidateKeys<T>({ keysChanged }: ProjectDeps, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } finally {
    keysChanged()
  }
}

async function createProject({ db, encryptor }: ProjectDeps, organizationId: string, draft: ProjectDraft) {
  const id = newId('proj')
  try {
    const key = await db.begin(async (tx) => {
      const config = pickKnownSettings(draft.config ?? {})
      await store.insertProject(tx, organizationId, { id, name: draft.name, config })
      return draft.should_create_api_key
        ? createApiKey(tx, encryptor, { organizationId, projectId: id })
        : undefined
    })
    return { id, name: draft.name, api_key: key?.key ?? null }
  } catch (error) {
    if (violates(error, 'projects_name'))
      throw new ApiError(
        'Project_NameTaken',
        `The organization already has a project named ${draft.name}. Choose another name.`,
      )
    throw error
  }
}

async function deleteProject(tx: Db, organizationId: string, id: string): Promise<void> {
  const count = await store.lockAndCountProjects(tx, organizationId)
  await requireProject(tx, organizationId, id)
  if (count <= 1)
    throw new ApiError('Project_LastProject', 'The last project of an organization cannot be deleted.')
  await store.deleteProject(tx, organizationId, id)
  await keyStore.deleteKeysOfProject(tx, id)
}

async function createProjectKey(
  { db, encryptor }: ProjectDeps,
  organizationId: string,
  projectId: string,
  { name, permissions, allowed_ips: allowedIps }: ProjectKeyDraft,
) {
  const invalid = (allowedIps ?? []).findIndex((entry) => !isIpOrRange(entry))
  if (invalid >= 0)
    throw badRequest(`Error in payload.allowed_ips.${invalid}: must be an IP address or a CIDR range`)
  await requireProject(db, organizationId, projectId)
  const key = await createApiKey(db, encryptor, {
    organizationId,
    projectId,
    name,
    permissions: permissions as Record<string, string[]> | undefined,
    allowedIps,
  })
  return { ...key, row: (await keyStore.findKey(db, key.id)) as keyStore.ApiKeyRow }
}

/** Finds the ID of a legacy UUID; the error distinguishes deleted from unknown resources. */
async function findIdOfLegacyUuid(
  db: Db,
  projectId: string,
  uuid: string,
  type: LegacyResource,
): Promise<string> {
  const row = await db.one<{ id: string; is_deleted: boolean }>(
    sql`select id, deleted_at is not null as is_deleted from ${TABLES[type]}
        where project_id = ${projectId} and uuid = ${uuid}`,
  )
  if (!row) throw new ApiError('Migration_NotFound', `No resource of this type has the UUID ${uuid}.`)
  if (row.is_deleted) throw new ApiError('Migration_Gone', `The resource with the UUID ${uuid} was deleted.`)
  return row.id
}
