import type { Delivery, DeliveryStatus } from '../../../contract/events/index.ts'
import { notification } from '../../../platform/change-bus.ts'
import { all, type Db, type Pool, type Sql, sql } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import {
  decryptOutcome,
  type EventDeliveries,
  OUTCOME_COLUMNS,
  type RedeliveryFilter,
  type ReadOutcome,
} from '../../events/index.ts'
import { findSubscription } from '../subscriptions/store.ts'

/** A delivery with one of its attempts, or with none. */
interface DeliveryRow extends ReadOutcome {
  id: string
  subscription_id: string
  status: DeliveryStatus
  attempts: number
  next_at: Date
  finished_at: Date | null
  number: number | null
  ended_at: Date
  response_status: number | null
  latency_ms: number
}

const ATTEMPTS_SHOWN_MAX = 50
/** Limits the duration of the statement. */
const REDELIVERIES_MAX = 10_000

/** The deliveries of events, for the log of events. */
export const eventDeliveries: EventDeliveries = {
  async list(db, projectId, eventId) {
    const rows = await db.rows<DeliveryRow>(sql`
      select d.id, d.subscription_id, d.status, d.attempts, d.next_at, d.finished_at, a.*
      from events e
      join webhook_deliveries d on d.event_id = e.id and d.event_created_at = e.created_at
      left join lateral (
        select t.number, t.ended_at, t.status as response_status, t.latency_ms, ${OUTCOME_COLUMNS}
        from webhook_attempts t where t.delivery_id = d.id and t.event_created_at = d.event_created_at
        order by t.number desc limit ${ATTEMPTS_SHOWN_MAX}
      ) a on true
      where e.project_id = ${projectId} and e.id = ${eventId} order by d.created_at, d.id, a.number`)
    return [...Map.groupBy(rows, ({ id }) => id).values()].map((own) => presentDelivery(db, own))
  },
  async redeliver(db, projectId, filter) {
    const { subscriptionId } = filter
    if (subscriptionId !== undefined && !(await findSubscription(db, projectId, subscriptionId)))
      throw new ApiError('WebhookSubscription_NotFound', `Webhook subscription ${subscriptionId} not found`)
    return redeliver(db, projectId, filter)
  },
}

/** `rows`: a delivery with each of its attempts. */
function presentDelivery(db: Db, rows: readonly DeliveryRow[]): Delivery {
  const { id, subscription_id, status, attempts, next_at, finished_at } = rows[0] as DeliveryRow
  return {
    id,
    subscription_id,
    status,
    attempts,
    next_at: status === 'pending' ? next_at.toISOString() : null,
    finished_at: finished_at?.toISOString() ?? null,
    log: rows.flatMap((row) => {
      if (row.number === null) return []
      const { error, response } = decryptOutcome(db, row)
      const { number, response_status, latency_ms } = row
      const ended = { number, ended_at: row.ended_at.toISOString(), status: response_status, latency_ms }
      return [{ ...ended, error, answer: response }]
    }),
  }
}

/**
 * Starts deliveries again, oldest events first: those that ended, and, unless only dead ones are requested, those of
 * events that are older than the subscription. Disabled subscriptions are left out. Returns how many.
 */
const redeliver = (db: Pool, projectId: string, filter: RedeliveryFilter): Promise<number> =>
  db.begin(async (tx) => {
    // Deliveries move between partitions, so that no unique key prevents two concurrent replays from adding the same
    // one.
    await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`replays ${projectId}`}, 0))`)
    return tx.run(restartDeliveries(projectId, filter))
  })

/** The locks keep an event and a subscription from being deleted before the transaction ends. */
const restartDeliveries = (
  projectId: string,
  { eventIds, from, to, subscriptionId, onlyDead }: RedeliveryFilter,
): Sql => sql`
    with chosen as (
      select e.id as event_id, e.created_at as event_created_at, e.seq, e.ordering_key, e.project_id, s.id as
        subscription_id, d.id as delivery_id
      from events e
      join webhook_subscriptions s on s.project_id = e.project_id and s.disabled_at is null
        and 'service.' || e.type = any (s.enabled_events)
      left join webhook_deliveries d
        on d.event_id = e.id and d.event_created_at = e.created_at and d.subscription_id = s.id
      where ${all(
        sql`e.project_id = ${projectId}`,
        eventIds && sql`e.id = any(${[...eventIds]}::text[])`,
        from && sql`e.created_at >= ${from}`,
        to && sql`e.created_at < ${to}`,
        subscriptionId !== undefined && sql`s.id = ${subscriptionId}`,
        onlyDead ? sql`d.status = 'dead'` : sql`coalesce(d.status <> 'pending', true)`,
      )}
      order by e.seq limit ${REDELIVERIES_MAX}
      for key share of s, e
    ), restarted as (
      update webhook_deliveries d
      set status = 'pending', next_at = now(), leased_until = null, created_at = now(), round_start = d.attempts,
        finished_at = null
      from chosen c
      where d.event_id = c.event_id and d.event_created_at = c.event_created_at
        and d.subscription_id = c.subscription_id and d.status <> 'pending'
      returning 1
    ), added as (
      insert into webhook_deliveries (id, project_id, subscription_id, event_id, event_created_at, seq, ordering_key)
      select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), project_id, subscription_id, event_id,
        event_created_at, seq, ordering_key
      from chosen where delivery_id is null order by seq
      returning 1
    )
    select 1 from (select from restarted union all select from added) r,
      lateral (select ${notification({ kind: 'deliveries_due' })}) n`
