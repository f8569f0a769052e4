import type { ExecutionRow } from '../../engine/index.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { batchCalls } from '../../platform/db/batch.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { type Pool, type Sql, sql } from '../../platform/db/sql.ts'
import { insertLateRows, insertNewRows, insertOrReplaceRows } from './insert-rows.ts'
import { toRecords } from './log-records.ts'

/** A row costs PostgreSQL half as much in a statement with 16 rows as in one with 8. */
const BATCH = { max: 200, gatherMs: 3 }

/**
 * How a statement commits. A setting of the connection would not pass a connection pooler. A server that commits
 * asynchronously altogether keeps doing so.
 */
const ASYNCHRONOUS_COMMIT = sql`(select set_config('synchronous_commit', 'off', true)) is not null`
const DURABLE_COMMIT = sql`true`

/**
 * Returns a function that writes rows of the execution log and resolves when the row is in the database. Rows that
 * arrive together are written by one statement, and the end of a call replaces its start. A row is written once, also
 * if it arrives twice.
 *
 * The start of a call that may change something is committed durably, with the synchronous replicas that PostgreSQL
 * has: nothing is sent that a crash or a failover of the database could make unknown. The commit of all other rows
 * does not wait for the disk: they survive the end of this process, and a crash of the database may lose those of the
 * last fraction of a second.
 */
export function createLogWriter(db: Pool, encryptor: Encryptor): (row: ExecutionRow) => Promise<void> {
  const writeStart = batchRows(db, encryptor, DURABLE_COMMIT)
  const writeEnd = batchRows(db, encryptor, ASYNCHRONOUS_COMMIT)
  return (row) => (row.successful === null ? writeStart(row) : writeEnd(row))
}

function batchRows(db: Pool, encryptor: Encryptor, commit: Sql): (row: ExecutionRow) => Promise<void> {
  return batchCalls<ExecutionRow, void>(async (rows) => {
    const encrypted = await toRecords(rows, encryptor)
    const replace = () => db.run(insertOrReplaceRows(encrypted, commit))
    const written = rows.some(({ isStartLogged }) => isStartLogged)
      ? await replace()
      : await db.run(insertNewRows(encrypted, commit)).catch((error: unknown) => {
          // The ids of rows are the only unique index, which has another name in each partition.
          if (!isUniqueViolation(error)) throw error
          return replace()
        })
    // A row is missing if it is late, or if it is a start row after the end of its call.
    if (written < rows.length) await db.run(insertLateRows(encrypted, commit))
    return rows.map(() => undefined)
  }, BATCH)
}
