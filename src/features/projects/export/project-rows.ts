import { exportedRows } from '../../../platform/db/exported-rows.ts'
import { sql } from '../../../platform/db/sql.ts'

/** What the export of a project contains of the project itself: its name and its settings. */
export const projectsExportedRows = [
  exportedRows(sql`projects`, { where: (projectId) => sql`t.id = ${projectId}` }),
]
