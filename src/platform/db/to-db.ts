import pg from 'pg'
import type { Db, Sql } from './sql.ts'

/**
 * Receives the values of type bytea that a statement returned, if there are any. The rows are returned when its promise
 * is fulfilled: the data keys that decrypt them are then in memory.
 */
export type OnBytes = (values: readonly Uint8Array[]) => Promise<void> | undefined

/** Returns the statements of a connection or a pool. */
export function toDb(send: (query: Sql) => Promise<pg.QueryResult>, onBytes: OnBytes | undefined): Db {
  const receive = async (query: Sql) => {
    const result = await send(query)
    if (onBytes) {
      const values = bytesIn(result)
      if (values?.length) await onBytes(values)
    }
    return result.rows
  }
  return {
    rows: (query) => receive(query),
    one: async (query) => (await receive(query))[0],
    run: async (query) => (await send(query)).rowCount ?? 0,
  }
}

/** Returns the values of type bytea. Most results have no such column. */
function bytesIn({ fields, rows }: pg.QueryResult<Record<string, unknown>>): Uint8Array[] | undefined {
  const columns = fields.filter(({ dataTypeID }) => dataTypeID === pg.types.builtins.BYTEA)
  if (!columns.length) return undefined
  return rows.flatMap((row) =>
    columns.map(({ name }) => row[name]).filter((value): value is Buffer => value instanceof Buffer),
  )
}
