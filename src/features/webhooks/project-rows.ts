import { exportedRows } from '../../platform/db/exported-rows.ts'
import { projectRows, type ProjectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** Erased together with the deliveries, by which they are found. */
const ATTEMPTS: ProjectRows = {
  table: 'webhook_attempts',
  erase: async () => 0,
  exported: exportedRows(sql`webhook_attempts`, {
    key: { delivery_id: 'text', number: 'bigint' },
    encrypted: { column: 'encrypted_response', part: 'response' },
    decrypted: [{ column: 'encrypted_error', part: 'error', field: 'error' }],
  }),
}

/** Found by the subscriptions of the project, for which there is an index. */
const DELIVERIES: ProjectRows = {
  table: 'webhook_deliveries',
  erase: (db, projectId, limit) =>
    db.run(sql`
      with chosen as materialized (
        select event_id, event_created_at, subscription_id from webhook_deliveries
        where project_id = ${projectId}
          and subscription_id in (select id from webhook_subscriptions where project_id = ${projectId})
        limit ${limit}
      ), removed as (
        delete from webhook_deliveries d using chosen c
        where d.event_id = c.event_id and d.event_created_at = c.event_created_at
          and d.subscription_id = c.subscription_id
        returning d.id, d.event_created_at
      ), attempts as (
        delete from webhook_attempts a using removed r
        where a.delivery_id = r.id and a.event_created_at = r.event_created_at
      ) select from removed`),
  // There is no index of their ids.
  exported: exportedRows(sql`webhook_deliveries`, { key: { event_id: 'text', subscription_id: 'text' } }),
}

/** What the deletion of a project erases, in this order, and what its export contains. */
export const webhooksProjectRows = [
  ATTEMPTS,
  DELIVERIES,
  projectRows(sql`webhook_subscriptions`, {
    omitted: ['secret', 'former_secret', 'approval_secret', 'signing_key'],
    decrypted: [{ column: 'encrypted_webhook_url', part: 'webhook_url', field: 'webhook_url' }],
  }),
]
