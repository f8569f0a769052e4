import { exportedRows } from '../../platform/db/exported-rows.ts'
import { projectRows, type ProjectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** Attempts have no project of their own: they belong to deliveries, which are erased after them. */
const ATTEMPTS: ProjectRows = {
  table: 'webhook_attempts',
  erase: (db, projectId, limit) =>
    db.run(sql`
      delete from webhook_attempts where ctid = any(array(
        select a.ctid from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
        where d.project_id = ${projectId} limit ${limit}))`),
  exported: exportedRows(sql`webhook_attempts`, {
    key: { delivery_id: 'text', number: 'bigint' },
    encrypted: { column: 'encrypted_response', part: 'response' },
    where: (projectId) =>
      sql`t.delivery_id in (select id from webhook_deliveries where project_id = ${projectId})`,
  }),
}

/** What the deletion of a project erases, in this order, and what its export contains. */
export const webhooksProjectRows = [
  ATTEMPTS,
  projectRows(sql`webhook_deliveries`, {}),
  projectRows(sql`webhook_subscriptions`, {
    omitted: ['secret', 'former_secret', 'approval_secret', 'signing_key'],
  }),
]
