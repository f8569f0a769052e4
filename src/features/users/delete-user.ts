import type { Pool } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue, type Task, TASK_WORK_MS } from '../../platform/jobs/index.ts'
import { recordAction } from '../audit-log/index.ts'
import * as store from './store.ts'

/** Removes objects of one kind that belong to a user. */
export interface UserDataRemover {
  /** Kind of the objects, as the API names it: `accounts`. */
  kind: string
  /**
   * Removes at most one batch and returns its size. It is called until it returns 0, and again after a crash, so it
   * must be repeatable.
   */
  removeBatch(projectId: string, userId: string): Promise<number>
}

export interface UserDeletionDeps {
  db: Pool
  /** In the order of removal. */
  removers: readonly UserDataRemover[]
}

const DELETE_TASK = 'users.delete'

/** Starts the deletion of a user, or returns the one that is pending. */
export const startDeletion = (
  { db }: UserDeletionDeps,
  projectId: string,
  userId: string,
): Promise<store.DeletionRow> =>
  db.begin(async (tx) => {
    const created = await store.insertDeletion(tx, projectId, userId, newId('udl'))
    if (!created) return (await store.findLatestDeletion(tx, projectId, userId)) as store.DeletionRow
    await enqueue(tx, DELETE_TASK, { id: created.id })
    return created
  })

export const userTasks = (deps: UserDeletionDeps): Task[] => [
  { task: DELETE_TASK, run: ({ id }, { isLast }) => runDeletion(deps, String(id), isLast) },
]

async function runDeletion(deps: UserDeletionDeps, id: string, isLast: boolean): Promise<void> {
  const row = await store.findDeletion(deps.db, id)
  if (row?.status !== 'pending') return
  try {
    const isComplete = await removeUntil(deps, row, performance.now() + TASK_WORK_MS)
    if (isComplete) await finish(deps.db, row)
    else await enqueue(deps.db, DELETE_TASK, { id })
  } catch (error) {
    if (isLast)
      await store.finishDeletion(
        deps.db,
        id,
        'failed',
        'An internal error occurred; the server log has the cause. Delete the user again to continue.',
      )
    throw error
  }
}

/** Ends the deletion, with an entry in the audit log as its proof. */
const finish = (db: Pool, { id, project_id: projectId, user_id: userId }: store.DeletionRow): Promise<void> =>
  db.begin(async (tx) => {
    const removed = await store.finishDeletion(tx, id, 'done', null)
    if (!removed) return
    await recordAction(tx, {
      owner: { projectId },
      actor: { type: 'system', id: null },
      action: 'users.erased',
      object: { type: 'user', id: userId },
      // Names that end with `_count` are not taken for secrets.
      after: Object.fromEntries(Object.entries(removed).map(([kind, count]) => [`${kind}_count`, count])),
    })
  })

/** Removes batches until nothing is left or `deadline` has passed. Returns whether nothing is left. */
async function removeUntil(
  { db, removers }: UserDeletionDeps,
  { id, project_id: projectId, user_id: userId }: store.DeletionRow,
  deadline: number,
): Promise<boolean> {
  for (const { kind, removeBatch } of removers) {
    for (;;) {
      if (performance.now() > deadline) return false
      const count = await removeBatch(projectId, userId)
      if (count === 0) break
      await store.countRemoved(db, id, kind, count)
    }
  }
  return true
}
