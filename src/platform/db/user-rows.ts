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

interface UserColumns {
  /** Columns without secrets. */
  columns: readonly string[]
  /** An encrypted column with data of the user. Its context is `table:id:column`. */
  encrypted?: string
  /** Rows that are left out. */
  where?: Sql
}

/** Rows of a table with the columns `id`, `project_id` and `user_id`. The names come from our code. */
export const userRows = (table: Sql, { columns, encrypted, where = sql`true` }: UserColumns): UserRows => ({
  table: table.sql,
  async read({ db, encryptor }, { projectId, userId }, { after, limit }) {
    const names = join([...columns, ...(encrypted === undefined ? [] : [encrypted])].map((name) => raw(name)))
    const rows = await db.rows<Record<string, unknown> & { id: string }>(sql`
      select id, ${names} from ${table}
      where project_id = ${projectId} and user_id = ${userId} and id > ${after} and ${where}
      order by id limit ${limit}`)
    return rows.map((row) => {
      if (encrypted === undefined) return { id: row.id, row }
      const { [encrypted]: bytes, ...rest } = row
      const content =
        bytes === null ? null : encryptor.decrypt(bytes as Buffer, `${table.sql}:${row.id}:${encrypted}`)
      return { id: row.id, row: { ...rest, content } }
    })
  },
})
