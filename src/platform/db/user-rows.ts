import type { Encryptor } from '../crypto/index.ts'
import { type Db, join, raw, type Sql, sql } from './sql.ts'

/** Rows of one table that belong to users, for the export of a user. */
export interface UserRows {
  /** Name of the table. */
  table: string
  /** Reads the rows of a user whose id is larger than `after`, in the order of their ids. */
  read(
    deps: { db: Db; encryptor: Encryptor },
    user: { projectId: string; userId: string },
    page: { after: string; limit: number },
  ): Promise<{ id: string; row: Record<string, unknown> }[]>
}

/** An encrypted column, and the last part of its encryption context, `table:id:part`. */
export interface EncryptedField {
  readonly column: string
  readonly part: string
}

/** An encrypted column, and the field that has its value if there is one. */
export interface DecryptedField extends EncryptedField {
  readonly field: string
}

interface UserColumns {
  /** Columns without secrets. */
  columns: readonly string[]
  /** An encrypted column with data of the user. Its context is `table:id:column`. */
  encrypted?: string
  /** Other encrypted columns. A field that is a column too has the value of rows from before it was encrypted. */
  decrypted?: readonly DecryptedField[]
  /** Rows that are left out. */
  where?: Sql
}

/** Rows of a table with the columns `id`, `project_id` and `user_id`. The names come from our code. */
export const userRows = (
  table: Sql,
  { columns, encrypted, decrypted = [], where = sql`true` }: UserColumns,
): UserRows => ({
  table: table.sql,
  async read({ db, encryptor }, { projectId, userId }, { after, limit }) {
    const bytes = [encrypted, ...decrypted.map(({ column }) => column)].filter((name) => name !== undefined)
    const names = join([...columns, ...bytes].map((name) => raw(name)))
    const rows = await db.rows<Record<string, unknown> & { id: string }>(sql`
      select id, ${names} from ${table}
      where project_id = ${projectId} and user_id = ${userId} and id > ${after} and ${where}
      order by id limit ${limit}`)
    return rows.map((stored) => {
      const row = decrypted.reduce((all, one) => withField(encryptor, table.sql, all, one), stored)
      if (encrypted === undefined) return { id: row.id, row }
      const { [encrypted]: bytes, ...rest } = row
      const content =
        bytes === null ? null : encryptor.decrypt(bytes as Buffer, `${table.sql}:${row.id}:${encrypted}`)
      return { id: row.id, row: { ...rest, content } }
    })
  },
})

/** Replaces an encrypted column by a field with its value, if it has one. */
function withField<T extends { id: string }>(
  encryptor: Encryptor,
  table: string,
  { ...row }: T,
  { column, part, field }: DecryptedField,
): T {
  const value = (row as Record<string, unknown>)[column] as Buffer | null
  Reflect.deleteProperty(row, column)
  return value ? { ...row, [field]: encryptor.decrypt(value, `${table}:${row.id}:${part}`) } : row
}
