import { createHash } from 'node:crypto'
import type { CatalogOf } from '../../catalog/index.ts'
import type { CreateSession, PatchSession } from '../../contract/sessions.ts'
import { coalesce } from '../../platform/db/coalesce.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { checkConfig, contradictions, refuse } from './check.ts'
import type { SessionConfig } from './config.ts'
import { BLOCKS, changed, configOf } from './normal.ts'
import { savedFilters } from './saved.ts'
import * as store from './store.ts'

export interface SessionServiceDeps {
  db: Pool
  catalogOf: CatalogOf
  /** What of the hooks of a configuration cannot be used. */
  hookMistakes(projectId: string, config: SessionConfig): Promise<readonly string[]>
  /** Lets the files of a session go, as part of the transaction. */
  releaseFiles(tx: Db, projectId: string, id: string): Promise<void>
}
export type SessionService = ReturnType<typeof sessionService>

/** What cannot be told together with a saved configuration. */
const besideSaved = (given: Omit<CreateSession, 'user_id'>): string[] =>
  !given.experimental?.session_config_id
    ? []
    : [
        ...(['toolkits', 'tools', 'tags', 'hooks'] as const).filter((block) => given[block]),
        ...(['custom_tools', 'custom_toolkits'] as const).filter((block) => given.experimental?.[block]),
      ].map((block) => `${block}: cannot be given together with experimental.session_config_id`)

const HOUR_MS = 3_600_000
const notFound = (id: string) => new ApiError('ToolRouterV2_SessionNotFound', `Session ${id} not found`)

export function sessionService({ db, catalogOf, hookMistakes, releaseFiles }: SessionServiceDeps) {
  const rowOf = coalesce((keys: readonly store.SessionKey[]) => store.findMany(db, keys))

  /** @throws ApiError 404 for one that is not there, was deleted, or is another project's, alike */
  async function read(projectId: string, id: string): Promise<store.SessionRow> {
    const row = await rowOf({ projectId, id })
    if (!row) throw notFound(id)
    return row
  }

  async function insert(
    projectId: string,
    userId: string,
    config: SessionConfig,
    given: ReadonlySet<string>,
    labsKey?: Buffer,
  ): Promise<store.SessionRow> {
    await checkConfig(db, await catalogOf(projectId), { projectId, userId }, config, given)
    if (given.has('hooks')) refuse(await hookMistakes(projectId, config))
    const id = newId('trs')
    const isNew = await store.insert(db, projectId, {
      id,
      user_id: userId,
      config,
      ...(labsKey ? { labs_key: labsKey } : {}),
    })
    if (!isNew)
      throw new ApiError('ToolRouterV2_SessionExists', 'The user has a session with the same configuration.')
    return read(projectId, id)
  }

  return {
    read,

    /** The same, for work within the session. */
    async use(projectId: string, id: string): Promise<store.SessionRow> {
      const row = await read(projectId, id)
      if (row.last_used_at.getTime() < Date.now() - HOUR_MS) await store.touch(db, projectId, id)
      return row
    },

    /** What a saved configuration holds is copied: later changes of it are not those of the session. */
    async create(projectId: string, { user_id: userId, ...given }: CreateSession): Promise<store.SessionRow> {
      refuse([...contradictions(given), ...besideSaved(given)])
      const saved = given.experimental?.session_config_id
      return insert(
        projectId,
        userId,
        { ...configOf(given), ...(saved ? await savedFilters(db, projectId, saved) : {}) },
        new Set([...BLOCKS, 'experimental']),
      )
    },

    /** By the older address: one for each user and configuration. @throws ApiError 409 */
    createLabs(
      projectId: string,
      userId: string,
      given: Omit<CreateSession, 'user_id'>,
    ): Promise<store.SessionRow> {
      const config = configOf(given)
      return insert(
        projectId,
        userId,
        config,
        new Set(BLOCKS),
        createHash('sha256').update(JSON.stringify(config)).digest(),
      )
    },

    /** @throws ApiError 409 when another version stands than the one that was expected; nothing is written then */
    async update(projectId: string, id: string, patch: PatchSession): Promise<store.SessionRow> {
      refuse(contradictions(patch))
      const catalog = await catalogOf(projectId)
      if (patch.hooks) refuse(await hookMistakes(projectId, configOf({ hooks: patch.hooks })))
      return db.begin(async (tx) => {
        const row = await store.findForUpdate(tx, projectId, id)
        if (!row) throw notFound(id)
        const { expected_config_version: expected } = patch
        if (typeof expected === 'number' && expected !== row.config_version)
          throw new ApiError(
            'ToolRouterV2_ConfigVersionConflict',
            `The session has the version ${row.config_version} of its configuration, not ${expected}.`,
          )
        const config = changed(row.config, patch)
        await checkConfig(
          tx,
          catalog,
          { projectId, userId: row.user_id },
          config,
          new Set(
            Object.entries(patch)
              .filter(([, value]) => value !== undefined)
              .map(([block]) => block),
          ),
        )
        await store.configure(tx, projectId, id, config)
        return (await store.find(tx, projectId, id)) as store.SessionRow
      })
    },

    remove: (projectId: string, id: string): Promise<void> =>
      db.begin(async (tx) => {
        if (!(await store.remove(tx, projectId, id))) throw notFound(id)
        await releaseFiles(tx, projectId, id)
      }),

    /** Newest first; the one that stands is the first. */
    async history(projectId: string, id: string, { limit, offset }: { limit: number; offset: number }) {
      const row = await read(projectId, id)
      const current = {
        version: row.config_version,
        config: row.config,
        at: row.configured_at,
        isCurrent: true,
      }
      const former = await store.history(db, projectId, id, {
        limit: offset === 0 ? limit - 1 : limit,
        offset: Math.max(0, offset - 1),
      })
      const items = former.map(({ version, config, superseded_at: at }) => ({
        version,
        config,
        at,
        isCurrent: false,
      }))
      return {
        userId: row.user_id,
        items: offset === 0 ? [current, ...items] : items,
        total: row.config_version,
      }
    },
  }
}
