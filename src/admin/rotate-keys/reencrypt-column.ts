import { EncryptionError, encryptedPrefix, type Encryptor } from '../../platform/crypto/index.ts'
import { type Db, raw, type Sql, sql } from '../../platform/db/sql.ts'
import { encryptionContext, type EncryptedColumn } from './encrypted-columns.ts'

/** Memory of one portion, unless a single value is larger. */
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

/**
 * Returns the condition for values of another key. Their first bytes show the key, so nothing is decrypted.
 */
const isOutdated = (column: Sql, keyId: string): Sql => {
  const prefix = encryptedPrefix(keyId)
  return sql`(${column} is not null and substring(${column} from 1 for ${prefix.length}::int) <> ${prefix})`
}

/** Counts the values of a column that a key other than `keyId` encrypted. */
export async function countOutdated(db: Db, target: EncryptedColumn, keyId: string): Promise<number> {
  const { table, column } = namesOf(target)
  return (
    (
      await db.one<{ count: number }>(
        sql`select count(*)::int as count from ${table} t where ${isOutdated(column, keyId)}`,
      )
    )?.count ?? 0
  )
}

/** Whether a column has a value that this key encrypted. */
export async function hasValuesOf(db: Db, target: EncryptedColumn, keyId: string): Promise<boolean> {
  const { table, column } = namesOf(target)
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
 * Processes a column once, in portions of rows in the order of the primary key, and encrypts values of other
 * keys with the current key. Other columns stay the same: `credentials_version` counts credentials, which do
 * not change, so a token refresh in progress can store its result. A value is replaced only if it is still
 * the one that was read. Locked rows are skipped, so this can never be part of a deadlock. The caller counts
 * the remaining values and calls this again.
 */
export async function reencryptColumn(
  db: Db,
  encryptor: Encryptor,
  target: EncryptedColumn,
  options: { keyId: string; portion: number; onProgress(done: number): void; signal?: AbortSignal },
): Promise<ReencryptResult> {
  const { keyId, portion, onProgress, signal } = options
  const result: ReencryptResult = { done: 0, unreadable: [] }
  let last: string | Buffer | undefined
  for (;;) {
    signal?.throwIfAborted()
    const rows = await portionAfter(db, target, keyId, last, portion)
    if (!rows.length) return result
    last = rows.at(-1)!.id
    const updates = rows.flatMap(({ id, value }) => {
      if (!value) return []
      try {
        return [{ id, value, next: encryptor.reencrypt(value, encryptionContext(target, id)) }]
      } catch (error) {
        if (!(error instanceof EncryptionError)) throw error
        result.unreadable.push(`${encryptionContext(target, id)}: ${error.message}`)
        return []
      }
    })
    if (updates.length) result.done += await replace(db, target, updates)
    onProgress(result.done)
  }
}

interface PortionRow {
  id: string | Buffer
  value: Buffer | null
}

/** Reads the next rows, with `value` only if it must be encrypted again. */
function portionAfter(
  db: Db,
  target: EncryptedColumn,
  keyId: string,
  last: string | Buffer | undefined,
  portion: number,
): Promise<PortionRow[]> {
  const { table, column, id } = namesOf(target)
  return db.rows<PortionRow>(sql`
    select id, value from (
      select id, value, sum(octet_length(value)) over (order by id) as bytes,
        row_number() over (order by id) as n from (
        select ${id} as id, case when ${isOutdated(column, keyId)} then ${column} end as value from ${table} t
        where ${last === undefined ? sql`true` : sql`${id} > ${last}`} order by ${id} limit ${portion}) page) s
    where n = 1 or coalesce(bytes, 0) <= ${PORTION_BYTES_MAX} order by id`)
}

function replace(
  db: Db,
  target: EncryptedColumn,
  updates: readonly { id: string | Buffer; value: Buffer; next: Buffer }[],
): Promise<number> {
  const { table, column, id, ids } = namesOf(target)
  return db.run(sql`
    with updates (id, old, new) as (select *
      from unnest(${updates.map((row) => row.id) as string[]}::${ids},
      ${updates.map((row) => row.value) as never}::bytea[], ${updates.map((row) => row.next) as never}::bytea[])),
    free as (select ${id} as id from ${table} t join updates g on g.id = ${id}
      and g.old = ${column} for no key update of t skip locked)
    update ${table} t set ${raw(`"${target.column}"`)} = g.new from updates g join free on free.id = g.id
      where ${id} = g.id and ${column} = g.old`)
}
