import { ApiError } from '../../platform/http/api-error.ts'
import type { Page } from '../../platform/http/paging.ts'
import { violates } from '../../platform/db/errors.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import type { KeyDraft, KeyRotation, ProjectConfigPatch } from '../../contract/projects/index.ts'
import { createApiKey } from './api-keys/keys.ts'
import { insertDataKey } from './data-keys/store.ts'
import { findDeletion } from './deletion/store.ts'
import { scheduleErasure } from './deletion/erase-project.ts'
import * as keyStore from './api-keys/store.ts'
import * as keys from './api-keys/service.ts'
import { pickKnownSettings } from './project-config.ts'
import * as store from './store.ts'

export interface ProjectDeps extends keys.KeyDeps {
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

    /**
     * Deletes a project and its keys, and schedules the erasure of its data. The last project cannot be deleted: the
     * server would be unusable.
     */
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

    ...keyOperations(deps),

    /** Reads the deletion of a project. @throws ApiError 404 for a project that was not deleted */
    async deletion(organizationId: string, id: string) {
      const row = await findDeletion(db, organizationId, id)
      if (!row) throw new ApiError('Project_NotFound', `No deleted project ${id} in this organization.`)
      return row
    },

    keysOf: (ids: readonly string[]) => keyStore.listKeysOfProjects(db, ids),
    key: (id: string) => keyStore.findKey(db, id),
    project: (projectId: string) => store.findProjectWithOrganization(db, projectId),

    /** Changes settings. A patch without known settings changes nothing, not even `updated_at`. */
    async updateConfig(projectId: string, patch: ProjectConfigPatch) {
      const change = { config: pickKnownSettings(patch), triggersEnabled: patch.triggers_enabled }
      return Object.keys(change.config).length || change.triggersEnabled !== undefined
        ? invalidateKeys(deps, () => store.mergeConfig(db, projectId, change))
        : store.findProjectWithOrganization(db, projectId)
    },

    nanoId: (projectId: string, uuid: string, type: LegacyResource) =>
      findIdOfLegacyUuid(db, projectId, uuid, type),
  }
}

/** Operations on keys of a project, or of the organization if `id` is null. */
function keyOperations(deps: ProjectDeps) {
  const { db } = deps
  return {
    async createKey(organizationId: string, id: string | null, draft: KeyDraft) {
      return keys.createKey(deps, await ownerOf(db, organizationId, id), draft)
    },

    rotateKey: (organizationId: string, id: string | null, keyId: string, rotation: KeyRotation) =>
      invalidateKeys(deps, async () =>
        keys.rotateKey(deps, await ownerOf(db, organizationId, id), keyId, rotation),
      ),

    async listKeys(organizationId: string, id: string | null) {
      return keyStore.listKeys(db, await ownerOf(db, organizationId, id))
    },

    removeKey: (organizationId: string, id: string | null, keyId: string) =>
      invalidateKeys(deps, async () => {
        const { projectId } = await ownerOf(db, organizationId, id)
        return projectId === null
          ? keys.revokeOrganizationKey(deps, { organizationId, projectId }, keyId)
          : keys.revokeKey(deps, { organizationId, projectId }, keyId)
      }),
  }
}

type LegacyResource = keyof typeof TABLES

interface ProjectDraft {
  name: string
  should_create_api_key?: boolean | undefined
  config?: ProjectConfigPatch | undefined
}

const notFound = (id: string) => new ApiError('Project_NotFound', `No project ${id} in this organization.`)

async function requireProject(db: Db, organizationId: string, id: string): Promise<store.ProjectRow> {
  const row = await store.findProject(db, organizationId, id)
  if (!row) throw notFound(id)
  return row
}

/** Returns the owner of keys: a project, which must exist, or the organization. @throws ApiError 404 */
async function ownerOf(db: Db, organizationId: string, id: string | null): Promise<keyStore.KeyOwner> {
  if (id !== null) await requireProject(db, organizationId, id)
  return { organizationId, projectId: id }
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
      const triggersEnabled = draft.config?.triggers_enabled
      await store.insertProject(tx, organizationId, { id, name: draft.name, config, triggersEnabled })
      await insertDataKey(tx, id, 'encryption', encryptor.newDataKey())
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
  await scheduleErasure(tx, organizationId, id)
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

/** Checks that projects belong to the organization. @throws ApiError 404 for the first that does not */
export async function assertProjectsExist(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  for (const id of new Set(ids)) await requireProject(db, organizationId, id)
}
