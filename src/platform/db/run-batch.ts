import type { Db, Sql } from './sql.ts'

/** Rows that a statement of a cleanup changes at most, so that it holds locks for a moment only. */
const ROWS_PER_STATEMENT = 1_000

/** Runs a statement that changes at most `limit` rows. Returns whether it changed so many: there may be more. */
export const runBatch = async (db: Db, statement: (limit: number) => Sql): Promise<boolean> =>
  (await db.run(statement(ROWS_PER_STATEMENT))) === ROWS_PER_STATEMENT
