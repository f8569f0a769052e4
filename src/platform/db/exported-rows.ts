import { EncryptionError, type Encryptor } from '../crypto/index.ts'
import type { EncryptedField } from './user-rows.ts'
import { type Db, join, raw, type Sql, sql } from './sql.ts'

/** How the export of a project reads one table. */
export interface ExportedColumns {
  /** Columns of the key that orders the rows, and their types. Other types than numbers are compared as texts. */
  key?: Readonly<Record<string, KeyType>>
  /** Columns that are left out: secrets, hashes, and what only the server uses. */
  omitted?: readonly string[]
  /** An encrypted column with data of the project, and the last part of its encryption context, `table:id:part`. */
  encrypted?: EncryptedField
  /** Another encrypted column, and the field that has its value if there is one. */
  decrypted?: EncryptedField & { readonly field: string }
  /** The rows of a project. Default: those with its `project_id`. The table has the alias `t`. */
  where?: (projectId: string) => Sql
}
export type KeyType = 'text' | 'bigint'

/** Rows of one table, for the export of a project. */
export interface ExportedRows {
  /** Name of the table. */
  table: string
  key: readonly KeyType[]
  columns: ExportedColumns
  /** Reads the rows after the key `after`, in the order of their keys. */
  read(
    deps: { db: Db; encryptor: Encryptor },
    projectId: string,
    page: { after: readonly string[] | undefined; limit: number },
  ): Promise<ExportedRow[]>
}

export interface ExportedRow {
  key: string[]
  row: Record<string, unknown>
  /** The decrypted column. Absent for tables without one. */
  content?: unknown
  /** Whether no key of the server decrypts the column. */
  isUnreadable?: true
}

/** Returns how to read a table. The names come from our code. */
export function exportedRows(table: Sql, columns: ExportedColumns): ExportedRows {
  const { key = { id: 'text' }, omitted = [], encrypted, decrypted, where = ofProject } = columns
  const names = Object.keys(key)
  const types = Object.values(key)
  const order = join(names.map((name, at) => keyColumn(name, types[at] as KeyType)))
  const columnsOfBytes = [encrypted, decrypted].flatMap((one) => one?.column ?? [])
  const hidden = [...omitted, ...columnsOfBytes]
  const bytesOf = (one: EncryptedField | undefined) => (one ? raw(`t."${one.column}"`) : sql`null::bytea`)
  return {
    table: table.sql,
    key: types,
    columns,
    async read({ db, encryptor }, projectId, { after, limit }) {
      const rows = await db.rows<SelectedRow>(sql`
        select array[${join(names.map((name) => raw(`t."${name}"::text`)))}] as key,
          to_jsonb(t) - ${[...hidden]}::text[] as row, ${bytesOf(encrypted)} as bytes, ${bytesOf(decrypted)} as field
        from ${table} t
        where ${where(projectId)} and ${after === undefined ? sql`true` : isAfter(order, types, after)}
        order by ${order} limit ${limit}`)
      return rows.map(({ bytes: value, field, ...stored }) => {
        const id = String(stored.row['id'])
        const row = {
          ...stored,
          row: withField(encryptor, `${table.sql}:${id}`, stored.row, decrypted, field),
        }
        return encrypted === undefined
          ? row
          : { ...row, ...contentOf(encryptor, value, `${table.sql}:${id}:${encrypted.part}`) }
      })
    },
  }
}

interface SelectedRow {
  key: string[]
  row: Record<string, unknown>
  bytes: Buffer | null
  field: Buffer | null
}

/** Adds the value of an encrypted column to a row. One whose key is lost is left out. */
function withField(
  encryptor: Encryptor,
  place: string,
  row: Record<string, unknown>,
  decrypted: ExportedColumns['decrypted'],
  bytes: Buffer | null,
): Record<string, unknown> {
  if (!decrypted || !bytes) return row
  const { content } = contentOf(encryptor, bytes, `${place}:${decrypted.part}`)
  return { ...row, [decrypted.field]: content }
}

const ofProject = (projectId: string): Sql => sql`t.project_id = ${projectId}`

const keyColumn = (name: string, type: KeyType): Sql => raw(`t."${name}"${type === 'text' ? '::text' : ''}`)

const isAfter = (order: Sql, types: readonly KeyType[], after: readonly string[]): Sql =>
  sql`(${order}) > (${join(after.map((value, at) => sql`${value}::${raw(types[at] as KeyType)}`))})`

/** A value whose key is lost does not prevent the export of the others. */
function contentOf(
  encryptor: Encryptor,
  bytes: Buffer | null,
  context: string,
): Pick<ExportedRow, 'content' | 'isUnreadable'> {
  if (bytes === null) return { content: null }
  try {
    return { content: encryptor.decrypt(bytes, context) }
  } catch (error) {
    if (!(error instanceof EncryptionError)) throw error
    return { content: null, isUnreadable: true }
  }
}
