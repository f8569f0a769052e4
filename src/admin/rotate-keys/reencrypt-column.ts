import { EncryptionError, encryptedPrefix, type Encryptor } from '../../platform/crypto/index.ts'
import { type Db, raw, type Sql, sql } from '../../platform/db/sql.ts'
import { encryptionContext, type EncryptedColumn } from './encrypted-columns.ts'

/** What a portion may bring into memory at most, unless one value alone is larger. */
const PORTION_BYTES_MAX = 16 * 2 ** 20

interface Names {
  table: Sql
  column: Sql
  id: Sql
  ids: Sql
}
const namesOf = ({ table, column, id, idType }: EncryptedColumn): Names => ({
  table: raw(`"${table}"`),
  column: raw(`t."${column}"`),
  id: raw(`t."${id}"`),
  ids: raw(`${idType}[]`),
})

/** Whether a value is sealed with another key: told by its first bytes, so nothing has to be opened. */
const isOutdated = (column: Sql, keyId: string): Sql => {
  const prefix = encryptedPrefix(keyId)
  return sql`(${column} is not null and substring(${column} from 1 for ${prefix.length}::int) <> ${prefix})`
}

/** How many values of a column are sealed with another key than `keyId`. */
export async function countOutdated(db: Db, sealed: EncryptedColumn, keyId: string): Promise<number> {
  const { table, column } = namesOf(sealed)
  return (
    (
      await db.one<{ count: number }>(
        sql`select count(*)::int as count from ${table} t where ${isOutdated(column, keyId)}`,
      )
    )?.count ?? 0
  )
}

/** Whether a column has a value that is sealed with this key. */
export async function hasValuesOf(db: Db, sealed: EncryptedColumn, keyId: string): Promise<boolean> {
  const { table, column } = namesOf(sealed)
  const prefix = encryptedPrefix(keyId)
  return (
    (await db.one(
      sql`select 1 from ${table} t where substring(${column} from 1 for ${prefix.length}::int) = ${prefix} limit 1`,
    )) !== undefined
  )
}

export interface ReencryptResult {
  done: number
  unreadable: string[]
}

/**
 * Goes through a column once, in portions of rows in the order of the primary key, and seals anew what another key has sealed. No other column of a row
 * changes: `credentials_version` counts credentials, and these stay the same, so a renewal that is under way stores its own over them. A value is replaced only
 * if it is still the one that was read. Rows that somebody holds are passed over, not waited for, so this can never be part of a deadlock; whoever calls
 * counts what is left and goes through again.
 */
export async function reencryptColumn(
  db: Db,
  seal: Encryptor,
  sealed: EncryptedColumn,
  options: { keyId: string; portion: number; onProgress(done: number): void; signal?: AbortSignal },
): Promise<ReencryptResult> {
  const { keyId, portion, onProgress, signal } = options
  const result: ReencryptResult = { done: 0, unreadable: [] }
  let last: string | Buffer | undefined
  for (;;) {
    signal?.throwIfAborted()
    const rows = await portionAfter(db, sealed, keyId, last, portion)
    if (!rows.length) return result
    last = rows.at(-1)!.id
    const fresh = rows.flatMap(({ id, value }) => {
      if (!value) return []
      try {
        return [{ id, value, next: seal.reencrypt(value, encryptionContext(sealed, id)) }]
      } catch (error) {
        if (!(error instanceof EncryptionError)) throw error
        result.unreadable.push(`${encryptionContext(sealed, id)}: ${error.message}`)
        return []
      }
    })
    if (fresh.length) result.done += await replace(db, sealed, fresh)
    onProgress(result.done)
  }
}

interface PortionRow {
  id: string | Buffer
  value: Buffer | null
}

/** The next rows; `value` only where it has to be sealed anew. */
function portionAfter(
  db: Db,
  sealed: EncryptedColumn,
  keyId: string,
  last: string | Buffer | undefined,
  portion: number,
): Promise<PortionRow[]> {
  const { table, column, id } = namesOf(sealed)
  return db.rows<PortionRow>(sql`
    select id, value from (
      select id, value, sum(octet_length(value)) over (order by id) as bytes, row_number() over (order by id) as n from (
        select ${id} as id, case when ${isOutdated(column, keyId)} then ${column} end as value from ${table} t
        where ${last === undefined ? sql`true` : sql`${id} > ${last}`} order by ${id} limit ${portion}) page) s
    where n = 1 or coalesce(bytes, 0) <= ${PORTION_BYTES_MAX} order by id`)
}

function replace(
  db: Db,
  sealed: EncryptedColumn,
  fresh: readonly { id: string | Buffer; value: Buffer; next: Buffer }[],
): Promise<number> {
  const { table, column, id, ids } = namesOf(sealed)
  return db.run(sql`
    with given (id, old, new) as (select * from unnest(${fresh.map((row) => row.id) as string[]}::${ids}, ${fresh.map((row) => row.value) as never}::bytea[], ${fresh.map((row) => row.next) as never}::bytea[])),
    free as (select ${id} as id from ${table} t join given g on g.id = ${id} and g.old = ${column} for no key update of t skip locked)
    update ${table} t set ${raw(`"${sealed.column}"`)} = g.new from given g join free on free.id = g.id where ${id} = g.id and ${column} = g.old`)
}
