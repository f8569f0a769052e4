import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order, and what its export contains. */
export const triggersProjectRows = [
  projectRows(sql`trigger_logs`, {
    decrypted: [{ column: 'encrypted_message', part: 'message', field: 'message' }],
  }),
  projectRows(sql`trigger_polls`, 'positions in lists of applications'),
  projectRows(sql`trigger_registrations`, 'secret URLs that applications call'),
  projectRows(sql`webhook_endpoints`, { omitted: ['data'] }),
  projectRows(sql`trigger_instances`, {
    omitted: ['config_hash'],
    decrypted: [{ column: 'encrypted_config', part: 'config', field: 'config' }],
  }),
]
