import pg from 'pg'
import { EncryptionError } from '../crypto/index.ts'
import { currentTurn } from '../http/turns/request-turns.ts'
import { encryptValues, type SentStatement, type ValueEncryption } from './encrypted-value.ts'
import type { Db, Sql } from './sql.ts'

/** Processor time of one value of a row: parsed, and collected as garbage. Measured with lists of 1,000 logs. */
const VALUE_MS = 0.000_4
/** Fewer values take less than a millisecond, and are not counted. */
const CHARGED_VALUES_MIN = 2_500

/**
 * Returns the statements of a connection or a pool. Rows with encrypted values are returned when the data keys that
 * decrypt them are in memory.
 */
export function toDb(
  send: (query: SentStatement) => Promise<pg.QueryResult>,
  encryption: ValueEncryption | undefined,
): Db {
  const sendEncrypted = async (query: Sql) => {
    const statement = encryptValues(query, encryption)
    return send(statement instanceof Promise ? await statement : statement)
  }
  const receive = async (query: Sql) => {
    const result = await sendEncrypted(query)
    chargeValues(result)
    if (encryption) {
      const values = bytesIn(result)
      if (values?.length) await encryption.loadKeys(values)
    }
    return result.rows
  }
  return {
    rows: (query) => receive(query),
    one: async (query) => (await receive(query))[0],
    run: async (query) => (await sendEncrypted(query)).rowCount ?? 0,
    decrypt(value, context) {
      if (!encryption) throw new EncryptionError('This connection has no keys to decrypt values with.')
      return encryption.decrypt(value, context)
    },
  }
}

/** Counts the processor time of a long result for the project of the running request. */
function chargeValues({ fields, rows }: pg.QueryResult): void {
  const values = fields.length * rows.length
  if (values >= CHARGED_VALUES_MIN) currentTurn()?.charge(values * VALUE_MS)
}

/** Returns the values of type bytea. Most results have no such column. */
function bytesIn({ fields, rows }: pg.QueryResult<Record<string, unknown>>): Uint8Array[] | undefined {
  const columns = fields.filter(({ dataTypeID }) => dataTypeID === pg.types.builtins.BYTEA)
  if (!columns.length) return undefined
  return rows.flatMap((row) =>
    columns.map(({ name }) => row[name]).filter((value): value is Buffer => value instanceof Buffer),
  )
}
