import { type Db, sql } from '../../platform/db/sql.ts'

const ROWS_A_STATEMENT = 5_000
/** A run ends after so many statements; the next goes on. */
const STATEMENTS_MAX = 200

/** Removes executions that began more than `days` ago, in portions that hold no lock for long. Answers how many. */
export async function removeOldExecutions(db: Db, days: number): Promise<number> {
  let removed = 0
  for (let statement = 0; statement < STATEMENTS_MAX; statement++) {
    // By project, because that is how the newest are found; a table of its own order would cost every call.
    const rows = await db.run(sql`
      delete from tool_executions where id in (
        select e.id from projects p cross join lateral (
          select id from tool_executions where project_id = p.id and created_at < now() - make_interval(days => ${days}) limit ${ROWS_A_STATEMENT}) e
        limit ${ROWS_A_STATEMENT})`)
    removed += rows
    if (rows < ROWS_A_STATEMENT) break
  }
  return removed
}
