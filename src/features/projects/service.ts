import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Page } from '../../platform/http/paging.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { violates } from '../../platform/db/errors.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import type { ProjectConfigPatch } from '../../contract/projects.ts'
import { createKey } from './api-keys/keys.ts'
import * as keyStore from './api-keys/store.ts'
import { isAddressOrRange } from './api-keys/allowed-ips.ts'
import { knownConfig } from './project-config.ts'
import * as store from './store.ts'

export interface ProjectDeps {
  db: Pool
  encryptor: Encryptor
  /** Forget remembered keys at once in this process; other processes hear it from the database. */
  keysChanged(): void
}

/** What a legacy uuid may be of. */
const TABLES = {
  AUTH_CONFIG: sql`auth_configs`,
  CONNECTED_ACCOUNT: sql`connected_accounts`,
  TRIGGER_INSTANCE: sql`trigger_instances`,
}

export function projectService({ db, encryptor, keysChanged }: ProjectDeps) {
  async function read(organizationId: string, id: string): Promise<store.ProjectRow> {
    const row = await store.find(db, organizationId, id)
    if (!row) throw new ApiError('Project_NotFound', `No project ${id} in this organization.`)
    return row
  }

  async function changingKeys<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      keysChanged()
    }
  }

  return {
    read,
    list: (organizationId: string, page: Page) => store.list(db, organizationId, page),

    async create(
      organizationId: string,
      draft: {
        name: string
        should_create_api_key?: boolean | undefined
        config?: ProjectConfigPatch | undefined
      },
    ) {
      const id = newId('proj')
      try {
        const key = await db.begin(async (tx) => {
          await store.insert(tx, organizationId, {
            id,
            name: draft.name,
            config: knownConfig(draft.config ?? {}),
          })
          return draft.should_create_api_key
            ? createKey(tx, encryptor, { organizationId, projectId: id })
            : undefined
        })
        return { id, name: draft.name, api_key: key?.key ?? null }
      } catch (error) {
        if (violates(error, 'projects_name'))
          throw new ApiError(
            'Project_NameTaken',
            `The organization already has a project called ${draft.name}.`,
          )
        throw error
      }
    },

    /** A project and all its keys go; the last project stays, or nobody could use the server. */
    remove: (organizationId: string, id: string) =>
      changingKeys(() =>
        db.begin(async (tx) => {
          const count = await store.countForUpdate(tx, organizationId)
          if (!(await store.find(tx, organizationId, id)))
            throw new ApiError('Project_NotFound', `No project ${id} in this organization.`)
          if (count <= 1)
            throw new ApiError(
              'Project_LastProject',
              'The last project of an organization cannot be deleted.',
            )
          await store.remove(tx, organizationId, id)
          await keyStore.removeAll(tx, id)
        }),
      ),

    /** The project stays locked, so that no key made meanwhile slips through: of two regenerations at once, one key lives. */
    regenerateKey: (organizationId: string, id: string) =>
      changingKeys(() =>
        db.begin(async (tx) => {
          if (!(await store.findForUpdate(tx, organizationId, id)))
            throw new ApiError('Project_NotFound', `No project ${id} in this organization.`)
          await keyStore.removeAll(tx, id)
          const key = await createKey(tx, encryptor, { organizationId, projectId: id })
          return { ...key, row: (await keyStore.find(tx, key.id)) as keyStore.KeyRow }
        }),
      ),

    async createKey(
      organizationId: string,
      id: string,
      draft: {
        name?: string | undefined
        permissions?: Record<string, string[] | undefined> | undefined
        allowed_ips?: string[] | undefined
      },
    ) {
      const wrong = (draft.allowed_ips ?? []).findIndex((entry) => !isAddressOrRange(entry))
      if (wrong >= 0)
        throw badRequest(`Error in payload.allowed_ips.${wrong}: must be an address or a CIDR range`)
      await read(organizationId, id)
      const key = await createKey(db, encryptor, {
        organizationId,
        projectId: id,
        name: draft.name,
        permissions: draft.permissions as Record<string, string[]> | undefined,
        allowedIps: draft.allowed_ips,
      })
      return { ...key, row: (await keyStore.find(db, key.id)) as keyStore.KeyRow }
    },

    async listKeys(organizationId: string, id: string) {
      await read(organizationId, id)
      return keyStore.ofProject(db, id)
    },

    removeKey: (organizationId: string, id: string, keyId: string) =>
      changingKeys(async () => {
        await read(organizationId, id)
        if (!(await keyStore.removeOne(db, id, keyId)))
          throw new ApiError('APIKey_NotFound', `No key ${keyId} in this project.`)
      }),

    keysOf: (ids: readonly string[]) => keyStore.ofProjects(db, ids),
    key: (id: string) => keyStore.find(db, id),
    project: (projectId: string) => store.byId(db, projectId),
    /** A patch without a known key changes nothing, not even when the project was last changed. */
    async updateConfig(projectId: string, patch: ProjectConfigPatch) {
      const known = knownConfig(patch)
      return Object.keys(known).length
        ? changingKeys(() => store.mergeConfig(db, projectId, known))
        : store.byId(db, projectId)
    },

    /** The NanoId of a legacy UUID; deleted resources are told apart from unknown ones. */
    async nanoId(projectId: string, uuid: string, type: keyof typeof TABLES): Promise<string> {
      const found = await db.one<{ id: string; gone: boolean }>(
        sql`select id, deleted_at is not null as gone from ${TABLES[type]} where project_id = ${projectId} and uuid = ${uuid}`,
      )
      if (!found) throw new ApiError('Migration_NotFound', `Nothing of this kind has the uuid ${uuid}.`)
      if (found.gone) throw new ApiError('Migration_Gone', `The resource with the uuid ${uuid} was deleted.`)
      return found.id
    },
  }
}
