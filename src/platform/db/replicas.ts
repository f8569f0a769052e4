import { type Db, sql } from './sql.ts'

/** The connection on which every server hears of changes is how the others know that it lives: it ends with its process, however that ends. */
export const CHANGES_CONNECTION = 'patchbay-listen-changed'
const EVERY_MS = 5_000

export interface Replicas {
  /** Servers that work on this database, this one included; at least 1. What was known last while the database is away. */
  count(): number
  close(): void
}

/** Asks now and then how many there are. */
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

/** How many servers hear of changes in this database. */
export async function countReplicas(db: Db): Promise<number> {
  const row = await db.one<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = ${CHANGES_CONNECTION}`,
  )
  return row?.count ?? 0
}
