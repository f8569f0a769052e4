import { createCache } from '../../platform/cache.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { violates } from '../../platform/db/errors.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createApiKey } from './api-keys/keys.ts'
import * as keyStore from './api-keys/store.ts'
import { insertDataKey } from './data-keys/store.ts'
import { scheduleErasure } from './deletion/erase-project.ts'
import * as store from './store.ts'

const REMEMBERED_MAX = 10_000
const NAMES = ['demo', 'demo-project', 'simulated-demo']

export interface DemoProject {
  projectId: string
  name: string
  keyId: string
  /** API key for the requests that fill the project. */
  key: string
}

type CreatedOrExisting =
  | { project: DemoProject; existing?: undefined }
  | { project?: undefined; existing: { id: string; name: string } }

export interface DemoProjects {
  /** Creates the demo project of an organization, or returns the one that it has. */
  create(organizationId: string): Promise<CreatedOrExisting>
  remove(organizationId: string, projectId: string): Promise<void>
  removeKey(organizationId: string, project: DemoProject): Promise<void>
}

/** Creates and removes demo projects. */
export function demoProjects({ db, encryptor, keysChanged }: DemoProjectDeps): DemoProjects {
  return {
    create: (organizationId) => createDemo(db, encryptor, organizationId),
    async remove(organizationId, projectId) {
      await db.begin(async (tx) => {
        await store.deleteProject(tx, organizationId, projectId)
        await keyStore.deleteKeysOfProject(tx, projectId)
        await scheduleErasure(tx, organizationId, projectId)
      })
      keysChanged()
    },
    async removeKey(organizationId, { projectId, keyId }) {
      await keyStore.deleteKey(db, { organizationId, projectId }, keyId)
      keysChanged()
    },
  }
}

interface DemoProjectDeps {
  db: Pool
  encryptor: Encryptor
  /** Clears the key cache of this process. */
  keysChanged(): void
}

async function createDemo(
  db: Pool,
  encryptor: Encryptor,
  organizationId: string,
): Promise<CreatedOrExisting> {
  const projects = await store.listProjectNames(db, organizationId, null)
  const existing = projects.find((project) => project.is_demo)
  if (existing) return { existing: { id: existing.id, name: existing.name } }
  const projectId = newId('proj')
  const used = new Set(projects.map((project) => project.name))
  const name = NAMES.find((one) => !used.has(one)) ?? `demo-${projectId.slice(-8)}`
  try {
    const { id: keyId, key } = await db.begin(async (tx) => {
      await store.insertProject(tx, organizationId, { id: projectId, name, config: {}, isDemo: true })
      await insertDataKey(tx, projectId, 'encryption', encryptor.newDataKey())
      return createApiKey(tx, encryptor, { organizationId, projectId, name: 'demo data' })
    })
    return { project: { projectId, name, keyId, key } }
  } catch (error) {
    // A concurrent request created it.
    if (violates(error, 'projects_demo')) return createDemo(db, encryptor, organizationId)
    throw error
  }
}

/**
 * Returns a function that tells demo projects from others. The property never changes, so it is read once per
 * process and project.
 */
export function createDemoCheck(db: Pool): (projectId: string) => Promise<boolean> {
  const known = createCache<string, boolean>({ max: REMEMBERED_MAX })
  return async (projectId) => {
    const remembered = known.get(projectId)
    if (remembered !== undefined) return remembered
    const row = await db.one<{ is_demo: boolean }>(sql`select is_demo from projects where id = ${projectId}`)
    if (row) known.set(projectId, row.is_demo)
    return row?.is_demo ?? false
  }
}
