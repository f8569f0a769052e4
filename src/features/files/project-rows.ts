import { exportedRows } from '../../platform/db/exported-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the export of a project contains of files: everything but their bytes. */
export const filesExportedRows = [exportedRows(sql`files`, { omitted: ['object_key', 'encrypted_key'] })]
