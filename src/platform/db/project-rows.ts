import { type ExportedColumns, type ExportedRows, exportedRows } from './exported-rows.ts'
import { type Pool, type Sql, sql } from './sql.ts'

/** Rows of one table that belong to projects. */
export interface ProjectRows {
  /** Name of the table. */
  table: string
  /** Erases at most `limit` rows of a project for good, and returns their number. */
  erase(db: Pool, projectId: string, limit: number): Promise<number>
  /** Reads the rows for the export of a project; a text is the reason why they are not in it. */
  exported: ExportedRows | string
}

/**
 * Rows of a table with the column `project_id`. Their place (`ctid`) is unique in one partition only.
 * `exported`: what the export has of them, or why it has nothing. */
export const projectRows = (table: Sql, exported: ExportedColumns | string): ProjectRows => ({
  table: table.sql,
  erase: (db, projectId, limit) =>
    db.run(sql`
      with chosen as materialized (
        select tableoid as partition, ctid as place from ${table}
        where project_id = ${projectId} limit ${limit} for update)
      delete from ${table} t using chosen c
      where t.tableoid = c.partition and t.ctid = c.place and t.project_id = ${projectId}`),
  exported: typeof exported === 'string' ? exported : exportedRows(table, exported),
})
