import type { Db, Pool } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue, type Schedule, type Task, TASK_WORK_MS } from '../../../platform/jobs/index.ts'
import { recordAction } from '../../audit-log/index.ts'
import { destroyDataKeys } from '../data-keys/store.ts'
import * as store from './store.ts'

/** Removes data of one kind that belongs to a project. */
export interface ProjectDataRemover {
  /** Kind of the data: `accounts`, or the name of a table. */
  kind: string
  /**
   * Removes at most one batch and returns its size. It is called until it returns 0, and again after a crash, so it
   * must be repeatable. `undefined`: something else must end first, so the deletion continues later.
   */
  removeBatch(projectId: string): Promise<number | undefined>
}

export interface ProjectErasureDeps {
  db: Pool
  /** In the order of removal. */
  removers: readonly ProjectDataRemover[]
}

const ERASE_TASK = 'projects.erase'
const CONTINUE_AFTER_MS = 60_000
const RESUMED_AT_ONCE_MAX = 1_000

/** Schedules the erasure of a project in the transaction that deletes it. */
export async function scheduleErasure(tx: Db, organizationId: string, projectId: string): Promise<void> {
  const id = newId('pdl')
  await store.insertDeletion(tx, { id, organizationId, projectId })
  await enqueue(tx, ERASE_TASK, { id }, { key: `${ERASE_TASK}:${id}` })
}

export const erasureTasks = (deps: ProjectErasureDeps): Task[] => [
  { task: ERASE_TASK, run: ({ id }) => runErasure(deps, String(id)) },
]

/** Continues deletions whose job has no attempts left: an erasure is never given up. */
export const erasureSchedules = ({ db }: Pick<ProjectErasureDeps, 'db'>): readonly Schedule[] => [
  {
    task: 'projects.resumeErasures',
    cron: '47 * * * *',
    run: async () => {
      for (const id of await store.listPendingDeletions(db, RESUMED_AT_ONCE_MAX))
        await enqueue(db, ERASE_TASK, { id }, { key: `${ERASE_TASK}:${id}` })
    },
  },
]

async function runErasure(deps: ProjectErasureDeps, id: string): Promise<void> {
  const { db } = deps
  const row = await store.findDeletionById(db, id)
  if (row?.status !== 'pending') return
  try {
    if (await removeUntil(deps, row, performance.now() + TASK_WORK_MS)) return await finish(db, id)
  } catch (error) {
    await store.recordFailure(
      db,
      id,
      'An internal error occurred; the server log has the cause. It is repeated.',
    )
    throw error
  }
  const runAt = new Date(Date.now() + CONTINUE_AFTER_MS)
  await enqueue(db, ERASE_TASK, { id }, { key: `${ERASE_TASK}:${id}`, runAt })
}

/**
 * Removes batches until nothing is left or `deadline` has passed. Returns whether nothing is left: it looks at every
 * kind again after it has removed something, because a call that was running may have stored more.
 */
async function removeUntil(
  { db, removers }: ProjectErasureDeps,
  { id, project_id: projectId }: store.ProjectDeletionRow,
  deadline: number,
): Promise<boolean> {
  for (let isEmpty = false; !isEmpty;) {
    isEmpty = true
    for (const { kind, removeBatch } of removers) {
      for (;;) {
        if (performance.now() > deadline) return false
        const count = await removeBatch(projectId)
        if (count === undefined) return false
        if (count === 0) break
        isEmpty = false
        await store.countRemoved(db, id, kind, count)
      }
    }
  }
  return true
}

/** Ends the deletion, with an entry in the audit log as its proof. */
const finish = (db: Pool, id: string): Promise<void> =>
  db.begin(async (tx) => {
    const row = await store.finishDeletion(tx, id)
    if (!row) return
    await store.eraseSettings(tx, row.project_id)
    await destroyDataKeys(tx, row.project_id)
    await recordAction(tx, {
      owner: { organizationId: row.organization_id },
      actor: { type: 'system', id: null },
      action: 'projects.erased',
      object: { type: 'project', id: row.project_id },
      // Names that end with `_count` are not taken for secrets.
      after: Object.fromEntries(Object.entries(row.removed).map(([kind, count]) => [`${kind}_count`, count])),
    })
  })
