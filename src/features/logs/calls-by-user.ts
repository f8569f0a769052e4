import { type Db, type Sql, sql } from '../../platform/db/sql.ts'
import { countedCalls } from './rollups/counted.ts'
import { DAY_MS } from './rollups/hours.ts'

const COUNTED_DAYS = 7

/** Executions without dry runs. */
export interface UserCalls {
  calls: number
  failed: number
}

/**
 * Counts the executions of the last seven days of some users of a project. Whole days and hours come from the sums of
 * usage, so that a user with many calls costs as much as one with few. A user without calls is left out.
 */
export async function countCallsOfUsers(
  db: Db,
  projectId: string,
  userIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, UserCalls>> {
  const period = {
    ofProject: (column: Sql) => sql`${column} = ${projectId}`,
    from: now - COUNTED_DAYS * DAY_MS,
    // The clock of another server may be ahead.
    to: now + DAY_MS,
    keys: userIds,
  }
  const rows = await db.rows<UserCalls & { key: string }>(sql`
    select c.key, sum(c.calls)::int as calls, sum(c.failed)::int as failed
    from (${countedCalls('user_id', period)}) c group by c.key`)
  return new Map(rows.map(({ key, calls, failed }) => [key, { calls, failed }]))
}
