import type { Db, Pool } from './sql.ts'

const SERIALIZATION_FAILURE = '40001'
const ATTEMPTS_MAX = 5

/**
 * Runs a statement again if a row that it wanted to change was moved to another partition at the same
 * moment, such as a delivery that another process has just finished. PostgreSQL does not find such a row again.
 */
export async function retryMovedRows<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: unknown }).code !== SERIALIZATION_FAILURE || attempt === ATTEMPTS_MAX)
        throw error
    }
  }
}

/** Runs a transaction, and again as a whole after such a failure. */
export const beginAndRetry = <T>(db: Pool, work: (tx: Db) => Promise<T>): Promise<T> =>
  retryMovedRows(() => db.begin(work))
