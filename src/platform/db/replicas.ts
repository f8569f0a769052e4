import { listenerName } from './notifications.ts'
import { type Db, sql } from './sql.ts'

/**
 * The application name of the connection on which every server listens for changes. It ends with its process,
 * so the connections show which servers run.
 */
export const CHANGES_CONNECTION = listenerName('changes')
const EVERY_MS = 5_000

export interface Replicas {
  /**
   * Returns the number of servers on this database, including this one; at least 1. While the database is
   * unavailable, the last known number.
   */
  count(): number
  close(): void
}

/** Counts the servers regularly. */
export function watchReplicas(db: Db, onError: (error: unknown) => void): Replicas {
  let known = 1
  const ask = () =>
    countReplicas(db).then((count) => {
      known = Math.max(1, count)
    }, onError)
  const timer = setInterval(ask, EVERY_MS).unref()
  void ask()
  return { count: () => known, close: () => clearInterval(timer) }
}

/** Counts the servers that listen for changes in this database. */
export async function countReplicas(db: Db): Promise<number> {
  const row = await db.one<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity where datname = current_database()
        and application_name = ${CHANGES_CONNECTION}`,
  )
  return row?.count ?? 0
}
