import { EncryptionError, type Encryptor } from '../../platform/crypto/index.ts'
import { type Db, raw, type Sql, sql } from '../../platform/db/sql.ts'
import { encryptionContext, type EncryptedColumn } from './encrypted-columns.ts'

/** Values that earlier releases stored in clear, next to the encrypted column that has them since then. */
export interface ClearColumn {
  column: string
  /** Rows whose value is encrypted, in SQL with the alias `t`. Default: all with a value. */
  where?: string
  /** Prepares the rows, such as ids that the encryption is bound to. Returns how many it changed, and is repeated. */
  prepare?: (db: Db, limit: number, encryptor: Encryptor) => Promise<number>
  /** Returns the value to encrypt. Default: the clear one. */
  merge?: (clear: unknown, former: unknown) => unknown
}

type TargetColumn = EncryptedColumn & { clear: ClearColumn }

export const isClearTarget = (column: EncryptedColumn): column is TargetColumn => column.clear !== undefined

const namesOf = ({ table, column, id, number, clear, project = 't.project_id' }: TargetColumn) => ({
  table: raw(`"${table}"`),
  id: raw(`t."${id}"`),
  /** 0 for a primary key of one column. */
  number: raw(number === undefined ? '0' : `t."${number}"`),
  encrypted: raw(`"${column}"`),
  clear: raw(`"${clear.column}"`),
  project: raw(project as string),
  isClear: raw(`t."${clear.column}" is not null and (${clear.where ?? 'true'})`),
})

/** Compared as JSON, because values of the type json have no equality. */
const asJson = (column: Sql): Sql => sql`to_json(t.${column})::text`

export const countClear = async (db: Db, target: TargetColumn): Promise<number> => {
  const { table, isClear } = namesOf(target)
  return (
    (await db.one<{ count: number }>(sql`select count(*)::int as count from ${table} t where ${isClear}`))
      ?.count ?? 0
  )
}

interface RowKey {
  id: string
  number: number
}

interface ClearRow extends RowKey {
  project: string | null
  value: string
  former: Buffer | null
}

/**
 * Encrypts the clear values of a column once, in portions in the order of the primary key. A value is replaced only if
 * it is still the one that was read. Rows that are locked are skipped. Returns how many it encrypted.
 */
export async function encryptClearColumn(
  db: Db,
  encryptor: Encryptor,
  target: TargetColumn,
  { portion, onProgress, signal }: { portion: number; onProgress(done: number): void; signal?: AbortSignal },
): Promise<number> {
  const { prepare } = target.clear
  while (prepare && (await prepare(db, portion, encryptor)) > 0) signal?.throwIfAborted()
  let done = 0
  for (let last: RowKey = { id: '', number: 0 }; ;) {
    signal?.throwIfAborted()
    const rows = await portionAfter(db, target, last, portion)
    if (rows.length === 0) return done
    last = rows.at(-1)!
    done += await replaceAll(db, target, await encryptAll(encryptor, target, rows))
    onProgress(done)
  }
}

function portionAfter(db: Db, target: TargetColumn, last: RowKey, portion: number): Promise<ClearRow[]> {
  const { table, id, number, project, clear, encrypted, isClear } = namesOf(target)
  const key = target.number === undefined ? id : sql`${id}, ${number}`
  const isAfter =
    target.number === undefined ? sql`${id} > ${last.id}` : sql`(${key}) > (${last.id}, ${last.number}::int)`
  return db.rows(sql`
    select ${id} as id, ${number} as number, ${project} as project, ${asJson(clear)} as value,
      t.${encrypted} as former from ${table} t
    where ${isClear} and ${isAfter} order by ${key} limit ${portion}`)
}

interface Update extends RowKey {
  value: string
  encrypted: Buffer
}

/** Rows of a project that was erased meanwhile are left out: they go with it. */
async function encryptAll(
  encryptor: Encryptor,
  target: TargetColumn,
  rows: readonly ClearRow[],
): Promise<Update[]> {
  const { merge = (clear) => clear } = target.clear
  const encrypted: Update[] = []
  for (const { id, number, project, value, former } of rows) {
    const context = encryptionContext(target, { id, number })
    try {
      if (project === null) continue
      const own = await encryptor.ofProject(project)
      if (former) await encryptor.loadKeys([former])
      const plain = merge(JSON.parse(value), former ? encryptor.decrypt(former, context) : undefined)
      encrypted.push({ id, number, value, encrypted: own.encrypt(plain, context) })
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error
    }
  }
  return encrypted
}

function replaceAll(db: Db, target: TargetColumn, rows: readonly Update[]): Promise<number> {
  const { table, id, number, clear, encrypted } = namesOf(target)
  return db.run(sql`
    with next (id, number, value, encrypted) as (
      select * from unnest(${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.number)}::int[],
        ${rows.map((row) => row.value)}::text[], ${rows.map((row) => row.encrypted)}::bytea[])),
    free as (select ${id} as id, ${number} as number from ${table} t
      join next n on n.id = ${id} and n.number = ${number} and n.value = ${asJson(clear)}
      for no key update of t skip locked)
    update ${table} t set ${encrypted} = n.encrypted, ${clear} = null from next n
      join free f on f.id = n.id and f.number = n.number
    where ${id} = n.id and ${number} = n.number`)
}
