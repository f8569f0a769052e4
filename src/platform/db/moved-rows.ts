import type { Db, Pool } from './sql.ts'

/** 40001: a row was moved. 40P01: of two transactions that waited for each other, PostgreSQL has ended this one. */
const REPEATED_CODES: readonly unknown[] = ['40001', '40P01']
const ATTEMPTS_MAX = 5

/**
 * Runs a statement again if a row that it wanted to change was moved to another partition at the same moment, such as a
 * delivery that another process has just finished. PostgreSQL does not find such a row again. Results of many
 * deliveries lock them in any order, and so does the erasure of a project: a deadlock is repeated, too.
 */
export async function retryMovedRows<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!REPEATED_CODES.includes((error as { code?: unknown }).code) || attempt === ATTEMPTS_MAX)
        throw error
    }
  }
}

/** Runs a transaction, and again as a whole after such a failure. */
export const beginAndRetry = <T>(db: Pool, work: (tx: Db) => Promise<T>): Promise<T> =>
  retryMovedRows(() => db.begin(work))
