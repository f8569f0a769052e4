import type { Pool } from '../../platform/db/sql.ts'
import { readUserRows, type UserRow } from './store.ts'

export interface UserReadDeps {
  db: Pool
  /** Counts the executions of the last seven days by user; a user without any may be left out. */
  countCalls(
    projectId: string,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, { calls: number; failed: number }>>
}

export interface UserNumbers extends UserRow {
  calls_7d: number
  failed_7d: number
}

/** Returns the numbers of users, in the order of their ids. */
export async function readUsers(
  { db, countCalls }: UserReadDeps,
  projectId: string,
  userIds: readonly string[],
): Promise<UserNumbers[]> {
  const [rows, counts] = await Promise.all([
    readUserRows(db, projectId, userIds),
    countCalls(projectId, userIds),
  ])
  return rows.map((row) => {
    const { calls = 0, failed = 0 } = counts.get(row.user_id) ?? {}
    return { ...row, calls_7d: calls, failed_7d: failed }
  })
}

/** Returns the numbers of one user. They are all zero for an id that the project does not have. */
export const readUser = async (deps: UserReadDeps, projectId: string, userId: string): Promise<UserNumbers> =>
  (await readUsers(deps, projectId, [userId]))[0]!
