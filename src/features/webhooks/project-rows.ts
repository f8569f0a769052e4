import { exportedRows } from '../../platform/db/exported-rows.ts'
import { projectRows, type ProjectRows } from '../../platform/db/project-rows.ts'
import { instantOf, microsecondsOf } from '../../platform/db/instants.ts'
import { beginAndRetry } from '../../platform/db/moved-rows.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'

/**
 * Locks deliveries before it erases them with their attempts: an attempt that ends at the same moment is either stored
 * before, and then seen by the second statement, or it finds no delivery any more.
 */
const eraseDeliveries = (db: Pool, projectId: string, limit: number): Promise<number> =>
  beginAndRetry(db, async (tx) => {
    const deliveries = await tx.rows<{ id: string; time: number }>(sql`
      select id, ${microsecondsOf(sql`event_created_at`)} as time from webhook_deliveries
      where project_id = ${projectId} limit ${limit} for update`)
    const chosen = sql`unnest(${deliveries.map(({ id }) => id)}::text[],
      ${deliveries.map(({ time }) => time)}::bigint[]) c (id, time)`
    await tx.run(sql`
      delete from webhook_attempts a using ${chosen}
      where a.delivery_id = c.id and a.event_created_at = ${instantOf(sql`c.time`)}`)
    return tx.run(sql`
      delete from webhook_deliveries d using ${chosen}
      where d.project_id = ${projectId} and d.id = c.id and d.event_created_at = ${instantOf(sql`c.time`)}`)
  })

const DELIVERIES: ProjectRows = {
  table: 'webhook_deliveries',
  erase: eraseDeliveries,
  // There is no index of their ids.
  exported: exportedRows(sql`webhook_deliveries`, { key: { event_id: 'text', subscription_id: 'text' } }),
}

/** What the deletion of a project erases, in this order, and what its export contains. */
export const webhooksProjectRows = [
  DELIVERIES,
  // Those of deliveries that do not exist any more.
  projectRows(sql`webhook_attempts`, {
    key: { delivery_id: 'text', number: 'bigint' },
    encrypted: { column: 'encrypted_response', part: 'response' },
    decrypted: [{ column: 'encrypted_error', part: 'error', field: 'error' }],
  }),
  projectRows(sql`webhook_subscriptions`, {
    omitted: ['secret', 'former_secret', 'approval_secret', 'signing_key'],
    decrypted: [{ column: 'encrypted_webhook_url', part: 'webhook_url', field: 'webhook_url' }],
  }),
]
