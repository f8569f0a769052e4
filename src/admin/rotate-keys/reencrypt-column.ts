import { isOfFormerKey } from '../../features/projects/index.ts'
import { EncryptionError, encryptedPrefix, type Encryptor } from '../../platform/crypto/index.ts'
import { type Db, raw, type Sql, sql } from '../../platform/db/sql.ts'
import { encryptionContext, type EncryptedColumn } from './encrypted-columns.ts'

/** Memory of one portion, unless a single value is larger. */
const PORTION_BYTES_MAX = 16 * 2 ** 20

interface Names {
  project: Sql
  table: Sql
  column: Sql
  id: Sql
  /** 0 for a primary key of one column. */
  number: Sql
  ids: Sql
}
const namesOf = ({
  table,
  column,
  id,
  number,
  idType,
  project = 't.project_id',
}: EncryptedColumn): Names => ({
  project: project === null ? sql`null::text` : raw(project),
  table: raw(`"${table}"`),
  column: raw(`t."${column}"`),
  id: raw(`t."${id}"`),
  number: number === undefined ? sql`0` : raw(`t."${number}"`),
  ids: raw(`${idType}[]`),
})

/** Selects values that must be encrypted again, and does it. */
export interface Reencryption {
  isOutdated(column: Sql): Sql
  reencrypt(value: Buffer, context: string, projectId: string | null): Promise<Buffer>
}

/**
 * Encrypts values of other keys of the ring with its key `keyId`. Their first bytes show the key, so nothing is
 * decrypted to find them. Values of data keys stay as they are.
 */
export const withRing = (encryptor: Pick<Encryptor, 'reencrypt'>, keyId: string): Reencryption => ({
  isOutdated(column) {
    const prefix = encryptedPrefix(keyId)
    return sql`(${column} is not null and get_byte(${column}, 0) = ${prefix[0]}::int
      and substring(${column} from 1 for ${prefix.length}::int) <> ${prefix})`
  },
  reencrypt: async (value, context) => encryptor.reencrypt(value, context),
})

/** Encrypts values of the key ring and of former data keys with the data key of their project. */
export const withDataKeys = (encryptor: Encryptor): Reencryption => ({
  isOutdated: isOfFormerKey,
  async reencrypt(value, context, projectId) {
    // A row whose project is erased meanwhile goes with it.
    if (projectId === null) throw new EncryptionError('Its project does not exist any more.')
    await encryptor.loadKeys([value])
    return (await encryptor.ofProject(projectId)).encrypt(encryptor.decrypt(value, context), context)
  },
})

/** Counts the values of a column that must be encrypted again. */
export async function countOutdated(
  db: Db,
  target: EncryptedColumn,
  { isOutdated }: Pick<Reencryption, 'isOutdated'>,
): Promise<number> {
  const { table, column } = namesOf(target)
  return (
    (
      await db.one<{ count: number }>(
        sql`select count(*)::int as count from ${table} t where ${isOutdated(column)}`,
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
 * Processes a column once, in portions of rows in the order of the primary key, and encrypts its outdated values
 * again. Other columns stay the same: `credentials_version` counts credentials, which do
 * not change, so a token refresh in progress can store its result. A value is replaced only if it is still
 * the one that was read. Locked rows are skipped, so this can never be part of a deadlock. The caller counts
 * the remaining values and calls this again.
 */
export async function reencryptColumn(
  db: Db,
  work: Reencryption,
  target: EncryptedColumn,
  options: { portion: number; onProgress(done: number): void; signal?: AbortSignal },
): Promise<ReencryptResult> {
  const { portion, onProgress, signal } = options
  const result: ReencryptResult = { done: 0, unreadable: [] }
  let last: RowKey | undefined
  for (;;) {
    signal?.throwIfAborted()
    const rows = await portionAfter(db, target, work, last, portion)
    if (!rows.length) return result
    last = rows.at(-1)!
    const updates: Update[] = []
    for (const { id, number, value, project } of rows) {
      if (!value) continue
      const context = encryptionContext(target, { id, number })
      try {
        updates.push({ id, number, value, next: await work.reencrypt(value, context, project) })
      } catch (error) {
        if (!(error instanceof EncryptionError)) throw error
        result.unreadable.push(`${context}: ${error.message}`)
      }
    }
    if (updates.length) result.done += await replace(db, target, updates)
    onProgress(result.done)
  }
}

interface RowKey {
  id: string | Buffer
  number: number
}

interface Update extends RowKey {
  value: Buffer
  next: Buffer
}

interface PortionRow extends RowKey {
  value: Buffer | null
  project: string | null
}

/** Reads the next rows, with `value` only if it must be encrypted again. */
function portionAfter(
  db: Db,
  target: EncryptedColumn,
  { isOutdated }: Reencryption,
  last: RowKey | undefined,
  portion: number,
): Promise<PortionRow[]> {
  const { table, column, id, number, project } = namesOf(target)
  const key = target.number === undefined ? id : sql`${id}, ${number}`
  const isAfter = (after: RowKey) =>
    target.number === undefined
      ? sql`${id} > ${after.id}`
      : sql`(${key}) > (${after.id}, ${after.number}::int)`
  return db.rows<PortionRow>(sql`
    select id, number, value, project from (
      select id, number, value, project, sum(octet_length(value)) over (order by id, number) as bytes,
        row_number() over (order by id, number) as n from (
        select ${id} as id, ${number} as number, case when ${isOutdated(column)} then ${column} end as value,
          ${project} as project from ${table} t
        where ${last === undefined ? sql`true` : isAfter(last)} order by ${key} limit ${portion}) page) s
    where n = 1 or coalesce(bytes, 0) <= ${PORTION_BYTES_MAX} order by id, number`)
}

function replace(db: Db, target: EncryptedColumn, updates: readonly Update[]): Promise<number> {
  const { table, column, id, number, ids } = namesOf(target)
  return db.run(sql`
    with updates (id, number, old, new) as (select *
      from unnest(${updates.map((row) => row.id) as string[]}::${ids},
      ${updates.map((row) => row.number)}::int[],
      ${updates.map((row) => row.value) as never}::bytea[], ${updates.map((row) => row.next) as never}::bytea[])),
    free as (select ${id} as id, ${number} as number from ${table} t
      join updates g on g.id = ${id} and g.number = ${number} and g.old = ${column} for no key update of t skip locked)
    update ${table} t set ${raw(`"${target.column}"`)} = g.new from updates g
      join free on free.id = g.id and free.number = g.number
      where ${id} = g.id and ${number} = g.number and ${column} = g.old`)
}
