import { EncryptionError, type Encryptor } from '../crypto/index.ts'
import type { DecryptedField, EncryptedField } from './user-rows.ts'
import { type Db, empty, join, raw, type Sql, sql } from './sql.ts'

/** How the export of a project reads one table. */
export interface ExportedColumns {
  /** Columns of the key that orders the rows, and their types. Other types than numbers are compared as texts. */
  key?: Readonly<Record<string, KeyType>>
  /** Columns that are left out: secrets, hashes, and what only the server uses. */
  omitted?: readonly string[]
  /**
   * An encrypted column with data of the project, and the last part of its encryption context, `table:id:part`. The id
   * of a table without one is its key, joined by dots.
   */
  encrypted?: EncryptedField
  /** Other encrypted columns, and the fields that have their values if there are some. */
  decrypted?: readonly DecryptedField[]
  /** Moves values between a row and its content. */
  arrange?: (exported: Pick<ExportedRow, 'row' | 'content'>) => Pick<ExportedRow, 'row' | 'content'>
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
  const { key = { id: 'text' }, omitted = [], encrypted, decrypted = [], where = ofProject } = columns
  const names = Object.keys(key)
  const types = Object.values(key)
  const order = join(names.map((name, at) => keyColumn(name, types[at] as KeyType)))
  const columnsOfBytes = [...(encrypted ? [encrypted] : []), ...decrypted].map(({ column }) => column)
  const hidden = [...omitted, ...columnsOfBytes]
  const bytes = columnsOfBytes.map((column) => raw(`, t."${column}" as "${bytesName(column)}"`))
  return {
    table: table.sql,
    key: types,
    columns,
    async read({ db, encryptor }, projectId, { after, limit }) {
      const rows = await db.rows<SelectedRow>(sql`
        select array[${join(names.map((name) => raw(`t."${name}"::text`)))}] as key,
          to_jsonb(t) - ${[...hidden]}::text[] as row${join(bytes.length ? bytes : [empty], '')}
        from ${table} t
        where ${where(projectId)} and ${after === undefined ? sql`true` : isAfter(order, types, after)}
        order by ${order} limit ${limit}`)
      return rows.map((selected) => {
        const { key: position, row: stored } = selected
        const place = `${table.sql}:${String(stored['id'] ?? position.join('.'))}`
        const valueOf = ({ column, part }: EncryptedField) =>
          contentOf(encryptor, selected[bytesName(column)], `${place}:${part}`)
        const { isUnreadable, ...content } = encrypted ? valueOf(encrypted) : {}
        const fields = decrypted.flatMap((one) =>
          selected[bytesName(one.column)] ? [[one.field, valueOf(one).content]] : [],
        )
        const row = { ...stored, ...(Object.fromEntries(fields) as Record<string, unknown>) }
        const exported = { row, ...content }
        return {
          key: position,
          ...(columns.arrange?.(exported) ?? exported),
          ...(isUnreadable && { isUnreadable }),
        }
      })
    },
  }
}

interface SelectedRow {
  key: string[]
  row: Record<string, unknown>
  [bytes: `bytes of ${string}`]: Buffer | null
}

const bytesName = (column: string) => `bytes of ${column}` as const

const ofProject = (projectId: string): Sql => sql`t.project_id = ${projectId}`

const keyColumn = (name: string, type: KeyType): Sql => raw(`t."${name}"${type === 'text' ? '::text' : ''}`)

const isAfter = (order: Sql, types: readonly KeyType[], after: readonly string[]): Sql =>
  sql`(${order}) > (${join(after.map((value, at) => sql`${value}::${raw(types[at] as KeyType)}`))})`

/** A value whose key is lost does not prevent the export of the others. */
function contentOf(
  encryptor: Encryptor,
  bytes: Buffer | null | undefined,
  context: string,
): Pick<ExportedRow, 'content' | 'isUnreadable'> {
  if (!bytes) return { content: null }
  try {
    return { content: encryptor.decrypt(bytes, context) }
  } catch (error) {
    if (!(error instanceof EncryptionError)) throw error
    return { content: null, isUnreadable: true }
  }
}
