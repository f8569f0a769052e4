import { createHash } from 'node:crypto'
import type { CatalogOf } from '../../catalog/index.ts'
import type { CreateSession, PatchSession } from '../../contract/sessions/index.ts'
import { batchCalls } from '../../platform/db/batch.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import type { PageWindow } from '../../platform/list-page.ts'
import { validateConfig, findContradictions, assertNoProblems } from './config/validate-config.ts'
import { isLooserConfig } from './config/loosening.ts'
import type { SessionConfig } from './config/session-config.ts'
import { CONFIG_BLOCKS, applyPatch, normalizeConfig } from './config/normalize-config.ts'
import { readSavedFilters } from './saved-configs/routes.ts'
import * as store from './store.ts'

export interface SessionServiceDeps {
  db: Pool
  catalogOf: CatalogOf
  /** Returns the problems of the hooks of a configuration. */
  findHookProblems(projectId: string, config: SessionConfig): Promise<readonly string[]>
  /** Releases the files of a session in the transaction. */
  releaseFiles(tx: Db, projectIds: readonly string[], ids: readonly string[]): Promise<void>
}
export type SessionService = ReturnType<typeof createSessionService>

/** The fields that cannot be combined with a saved configuration. */
const savedConfigConflicts = (request: Omit<CreateSession, 'user_id'>): string[] =>
  !request.experimental?.session_config_id
    ? []
    : [
        ...(['toolkits', 'tools', 'tags', 'hooks'] as const).filter((block) => request[block]),
        ...(['custom_tools', 'custom_toolkits'] as const).filter((block) => request.experimental?.[block]),
      ].map((block) => `${block}: cannot be combined with experimental.session_config_id`)

const HOUR_MS = 3_600_000
const notFound = (id: string) => new ApiError('ToolRouterV2_SessionNotFound', `Session ${id} not found`)

export function createSessionService(deps: SessionServiceDeps) {
  const { db } = deps
  const loadSession = batchCalls((keys: readonly store.SessionKey[]) => store.findMany(db, keys))

  /** @throws ApiError 404, also for a deleted session and for a session of another project */
  async function read(projectId: string, id: string): Promise<store.SessionRow> {
    const row = await loadSession({ projectId, id })
    if (!row) throw notFound(id)
    return row
  }

  return {
    read,

    /** Reads a session for a call within it, and updates the time of its last use. */
    async readAndTouch(projectId: string, id: string): Promise<store.SessionRow> {
      const row = await read(projectId, id)
      if (row.last_used_at.getTime() < Date.now() - HOUR_MS) await store.markUsed(db, projectId, id)
      return row
    },

    /** Creates a session. A saved configuration is copied: later changes to it do not change the session. */
    create: async (
      projectId: string,
      { user_id: userId, ...request }: CreateSession,
    ): Promise<store.SessionRow> => read(projectId, await createSession(deps, projectId, userId, request)),

    /** Creates a session through the older endpoint: one per user and configuration. @throws ApiError 409 */
    createLabs: async (
      projectId: string,
      userId: string,
      request: Omit<CreateSession, 'user_id'>,
    ): Promise<store.SessionRow> => {
      const config = normalizeConfig(request)
      const labsKey = createHash('sha256').update(JSON.stringify(config)).digest()
      const blocks = new Set<string>(CONFIG_BLOCKS)
      return read(projectId, await insertSession(deps, projectId, userId, config, blocks, labsKey))
    },

    /** Updates a session. `authorizeLoosening` checks that the caller may remove permissions and hooks. */
    update: (
      projectId: string,
      id: string,
      patch: PatchSession,
      authorizeLoosening: () => Promise<void>,
    ): Promise<store.SessionRow> => updateSession(deps, projectId, id, patch, authorizeLoosening),

    ...removals(deps),

    list: (projectId: string, userId: string | undefined, page: PageWindow) =>
      store.list(db, projectId, userId, page),

    history: async (projectId: string, id: string, page: PageWindow) =>
      readConfigHistory(db, await read(projectId, id), page),
  }
}

const removals = (deps: SessionServiceDeps) => ({
  remove: (projectId: string, id: string): Promise<void> =>
    deps.db.begin(async (tx) => {
      if (!(await store.remove(tx, projectId, id))) throw notFound(id)
      await deps.releaseFiles(tx, [projectId], [id])
    }),

  /** Deletes the sessions of projects, or of one user in them, in a transaction. Returns their number. */
  async removeOfProjects(tx: Db, projectIds: readonly string[], userId: string | undefined): Promise<number> {
    const ids = await store.removeOfProjects(tx, projectIds, userId)
    if (ids.length > 0) await deps.releaseFiles(tx, projectIds, ids)
    return ids.length
  },
})

/** Creates a session from a request and returns its id. */
async function createSession(
  deps: SessionServiceDeps,
  projectId: string,
  userId: string,
  request: Omit<CreateSession, 'user_id'>,
): Promise<string> {
  assertNoProblems([...findContradictions(request), ...savedConfigConflicts(request)])
  const savedId = request.experimental?.session_config_id
  const savedFilters = savedId ? await readSavedFilters(deps.db, projectId, savedId) : {}
  const config = { ...normalizeConfig(request), ...savedFilters }
  return insertSession(deps, projectId, userId, config, new Set([...CONFIG_BLOCKS, 'experimental']))
}

/** Inserts a session and returns its id. */
async function insertSession(
  { db, catalogOf, findHookProblems }: SessionServiceDeps,
  projectId: string,
  userId: string,
  config: SessionConfig,
  requestedBlocks: ReadonlySet<string>,
  labsKey?: Buffer,
): Promise<string> {
  await validateConfig(db, await catalogOf(projectId), { projectId, userId }, config, requestedBlocks)
  if (requestedBlocks.has('hooks')) assertNoProblems(await findHookProblems(projectId, config))
  const id = newId('trs')
  const isNew = await store.insert(db, projectId, {
    id,
    user_id: userId,
    config,
    ...(labsKey ? { labs_key: labsKey } : {}),
  })
  if (!isNew)
    throw new ApiError(
      'ToolRouterV2_SessionExists',
      'The user already has a session with the same configuration.',
    )
  return id
}

/** @throws ApiError 409 if the session has another configuration version than the expected one */
async function updateSession(
  { db, catalogOf, findHookProblems }: SessionServiceDeps,
  projectId: string,
  id: string,
  patch: PatchSession,
  authorizeLoosening: () => Promise<void>,
): Promise<store.SessionRow> {
  assertNoProblems(findContradictions(patch))
  const catalog = await catalogOf(projectId)
  if (patch.hooks)
    assertNoProblems(await findHookProblems(projectId, normalizeConfig({ hooks: patch.hooks })))
  const requestedBlocks = new Set(
    Object.entries(patch)
      .filter(([, value]) => value !== undefined)
      .map(([block]) => block),
  )
  // Before the transaction, which must not hold its connection while a key is looked up.
  const denial = await authorizeLoosening().then(
    () => undefined,
    (error: unknown) => error,
  )
  return db.begin(async (tx) => {
    const row = await store.findForUpdate(tx, projectId, id)
    if (!row) throw notFound(id)
    const { expected_config_version: expected } = patch
    if (typeof expected === 'number' && expected !== row.config_version)
      throw new ApiError(
        'ToolRouterV2_ConfigVersionConflict',
        `The session has configuration version ${row.config_version}, not ${expected}. Read the session and try again.`,
      )
    const config = applyPatch(row.config, patch)
    if (denial !== undefined && isLooserConfig(row.config, config)) throw denial
    await validateConfig(tx, catalog, { projectId, userId: row.user_id }, config, requestedBlocks)
    await store.updateConfig(tx, projectId, row, config)
    return (await store.find(tx, projectId, id)) as store.SessionRow
  })
}

/** Lists the configuration versions of a session, newest first. The first one is the current one. */
async function readConfigHistory(db: Db, row: store.SessionRow, { limit, offset, after }: PageWindow) {
  const current = { version: row.config_version, config: row.config, at: row.configured_at, isCurrent: true }
  const isFirstPage = offset === 0 && !after
  const count = isFirstPage ? limit - 1 : limit
  const former = await store.listConfigHistory(db, row.project_id, row.id, {
    limit: count,
    offset: Math.max(0, offset - 1),
    after,
  })
  const items = former.slice(0, count).map(({ version, config, superseded_at: at }) => ({
    version,
    config,
    at,
    isCurrent: false,
  }))
  const page = isFirstPage ? [current, ...items] : items
  return {
    userId: row.user_id,
    items: page,
    total: row.config_version,
    next: former.length > count ? [String(page.at(-1)!.version)] : null,
  }
}
