import type { Delivery, DeliveryStatus } from '../../../contract/events/index.ts'
import { notification } from '../../../platform/change-bus.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import { all, type Db, sql } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { decryptResponse, type EventDeliveries, type RedeliveryFilter } from '../../events/index.ts'
import { findSubscription } from '../subscriptions/store.ts'

interface DeliveryRow {
  id: string
  subscription_id: string
  status: DeliveryStatus
  attempts: number
  next_at: Date
  finished_at: Date | null
  log: {
    number: number
    ended_at: string
    status: number | null
    latency_ms: number
    error: string | null
    response: string | null
    id: string | null
    /** In the form of PostgreSQL: `\\x` and hexadecimal digits. */
    encrypted_response: string | null
  }[]
}

const ATTEMPTS_SHOWN_MAX = 50
/** Limits the duration of the statement. */
const REDELIVERIES_MAX = 10_000

/** The deliveries of events, for the log of events. */
export const eventDeliveries: EventDeliveries = {
  async list({ db, encryptor }, projectId, eventId) {
    const rows = await db.rows<DeliveryRow>(sql`
      select d.id, d.subscription_id, d.status, d.attempts, d.next_at, d.finished_at, coalesce(a.log, '[]') as log
      from webhook_deliveries d left join lateral (
        select jsonb_agg(to_jsonb(t) - 'delivery_id' order by t.number) as log
        from (
          select * from webhook_attempts where delivery_id = d.id order by number desc limit ${ATTEMPTS_SHOWN_MAX}) t
      ) a on true
      where d.project_id = ${projectId} and d.event_id = ${eventId} order by d.created_at, d.id`)
    return rows.map((row) => presentDelivery(encryptor, row))
  },
  async redeliver(db, projectId, filter) {
    const { subscriptionId } = filter
    if (subscriptionId !== undefined && !(await findSubscription(db, projectId, subscriptionId)))
      throw new ApiError('WebhookSubscription_NotFound', `Webhook subscription ${subscriptionId} not found`)
    return redeliver(db, projectId, filter)
  },
}

const presentDelivery = (
  encryptor: Encryptor,
  { next_at, finished_at, log, ...row }: DeliveryRow,
): Delivery => ({
  ...row,
  next_at: row.status === 'pending' ? next_at.toISOString() : null,
  finished_at: finished_at?.toISOString() ?? null,
  log: log.map(({ response, id, encrypted_response: hex, ...attempt }) => ({
    ...attempt,
    answer: decryptResponse(encryptor, {
      response,
      response_id: id,
      encrypted_response: hex === null ? null : Buffer.from(hex.slice('\\x'.length), 'hex'),
    }),
    ended_at: new Date(attempt.ended_at).toISOString(),
  })),
})

/**
 * Starts deliveries again, oldest events first: those that ended, and, unless only dead ones are requested, those of
 * events that are older than the subscription. Disabled subscriptions are left out. Returns how many.
 */
function redeliver(
  db: Db,
  projectId: string,
  { eventIds, from, to, subscriptionId, onlyDead }: RedeliveryFilter,
): Promise<number> {
  return db.run(sql`
    with restarted as (
      insert into webhook_deliveries (id, project_id, subscription_id, event_id, seq, ordering_key)
      select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.project_id, s.id, e.id, e.seq, e.ordering_key
      from events e
      join webhook_subscriptions s on s.project_id = e.project_id and s.disabled_at is null
        and 'service.' || e.type = any (s.enabled_events)
      left join webhook_deliveries d on d.subscription_id = s.id and d.event_id = e.id
      where ${all(
        sql`e.project_id = ${projectId}`,
        eventIds && sql`e.id = any(${[...eventIds]}::text[])`,
        from && sql`e.created_at >= ${from}`,
        to && sql`e.created_at < ${to}`,
        subscriptionId !== undefined && sql`s.id = ${subscriptionId}`,
        onlyDead ? sql`d.status = 'dead'` : sql`coalesce(d.status <> 'pending', true)`,
      )}
      order by e.seq limit ${REDELIVERIES_MAX}
      for key share of s
      on conflict (subscription_id, event_id) do update
        set status = 'pending', next_at = now(), leased_until = null, created_at = now(),
          round_start = webhook_deliveries.attempts, finished_at = null
        where webhook_deliveries.status <> 'pending'
      returning 1
    )
    select 1 from restarted, lateral (select ${notification({ kind: 'deliveries_due' })}) n`)
}

/**
 * Deletes the attempts of deliveries that the caller is about to delete, in its transaction: there is no foreign key.
 * The deliveries are locked first, so that no process can add an attempt meanwhile.
 */
export async function deleteAttempts(
  tx: Db,
  which: { eventIds: readonly string[] } | { subscriptionId: string },
): Promise<void> {
  const condition =
    'eventIds' in which
      ? sql`event_id = any(${which.eventIds as string[]}::text[])`
      : sql`subscription_id = ${which.subscriptionId}`
  await tx.run(sql`
    with locked as (select id from webhook_deliveries where ${condition} order by id for update)
    select count(*) from locked`)
  await tx.run(sql`
    delete from webhook_attempts where delivery_id in (select id from webhook_deliveries where ${condition})`)
}
