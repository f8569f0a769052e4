import { type Db, type Sql, sql } from './sql.ts'

/** Rows of one table that belong to projects. */
export interface ProjectRows {
  /** Name of the table. */
  table: string
  /** Erases at most `limit` rows of a project for good, and returns their number. */
  erase(db: Db, projectId: string, limit: number): Promise<number>
}

/** Rows of a table with the column `project_id`. */
export const projectRows = (table: Sql): ProjectRows => ({
  table: table.sql,
  erase: (db, projectId, limit) =>
    db.run(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where project_id = ${projectId} limit ${limit} for update))`),
})
