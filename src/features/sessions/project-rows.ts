import { exportedRows } from '../../platform/db/exported-rows.ts'
import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

const CONFIG = { column: 'encrypted_config', part: 'config', field: 'config' }

/**
 * What the deletion of a project erases, in this order. Versions of recipes and configurations are erased with their
 * owners.
 */
export const sessionsProjectRows = [
  projectRows(sql`recipe_runs`, 'results of runs that stopped, which expire within seven days'),
  projectRows(sql`recipes`, {}),
  projectRows(sql`user_memories`, { encrypted: { column: 'encrypted_payload', part: 'encrypted_payload' } }),
  projectRows(sql`saved_session_configs`, { decrypted: [CONFIG] }),
  projectRows(sql`sandbox_runs`, 'code that is passed to another server'),
  projectRows(sql`session_sandboxes`, 'which server has the sandbox of a session'),
  projectRows(sql`sessions`, {
    omitted: ['labs_key', 'auth_config_ids', 'account_ids'],
    decrypted: [CONFIG],
  }),
]

/** What the export of a project contains of tables without a project of their own. */
export const sessionsExportedRows = [
  exportedRows(sql`recipe_versions`, {
    encrypted: { column: 'encrypted_payload', part: 'encrypted_payload' },
    where: (projectId) => sql`t.recipe_id in (select id from recipes where project_id = ${projectId})`,
  }),
  exportedRows(sql`session_configs`, {
    key: { session_id: 'text', version: 'bigint' },
    decrypted: [CONFIG],
    where: (projectId) => sql`t.session_id in (select id from sessions where project_id = ${projectId})`,
  }),
]
