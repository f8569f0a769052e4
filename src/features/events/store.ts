import type { DeliveryStatus } from '../../contract/events.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { all, type Db, sql } from '../../platform/db/sql.ts'
import { openPayload } from './outbox.ts'

export interface EventRow {
  id: string
  type: string
  ordering_key: string | null
  data: Record<string, unknown>
  encrypted_payload: Buffer | null
  created_at: Date
}
export interface ListedRow extends Omit<EventRow, 'data' | 'encrypted_payload'> {
  pending: number
  delivered: number
  dead: number
}
export interface DeliveryRow {
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
  }[]
}

const ATTEMPTS_SHOWN = 50
/** Of one call: a statement stays short. */
const REPLAYED_MAX = 10_000

export async function list(
  db: Db,
  projectId: string,
  filter: { status?: DeliveryStatus | undefined; subscriptionId?: string | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: ListedRow[]; total: number }> {
  const { status, subscriptionId } = filter
  const wanted = all(
    status !== undefined && sql`d.status = ${status}`,
    subscriptionId !== undefined && sql`d.subscription_id = ${subscriptionId}`,
  )
  const where = all(
    sql`e.project_id = ${projectId}`,
    (status !== undefined || subscriptionId !== undefined) &&
      sql`exists (select 1 from webhook_deliveries d where d.event_id = e.id and ${wanted})`,
  )
  const rows = await db.rows<ListedRow>(sql`
    select e.id, e.type, e.ordering_key, e.created_at, n.pending, n.delivered, n.dead
    from (select * from events e where ${where} order by e.created_at desc, e.id limit ${page.limit} offset ${page.offset}) e
    cross join lateral (
      select count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'delivered')::int as delivered, count(*) filter (where status = 'dead')::int as dead
      from webhook_deliveries where event_id = e.id) n
    order by e.created_at desc, e.id`)
  const total = await db.one<{ total: number }>(
    sql`select count(*)::int as total from events e where ${where}`,
  )
  return { rows, total: total?.total ?? 0 }
}

export const find = (db: Db, projectId: string, id: string): Promise<EventRow | undefined> =>
  db.one(sql`
  select id, type, ordering_key, data, encrypted_payload, created_at from events where project_id = ${projectId} and id = ${id}`)

/** Deliveries of an event, each with its last attempts, oldest first. */
export const deliveriesOf = (db: Db, projectId: string, eventId: string): Promise<DeliveryRow[]> =>
  db.rows(sql`
  select d.id, d.subscription_id, d.status, d.attempts, d.next_at, d.finished_at, coalesce(a.log, '[]') as log
  from webhook_deliveries d left join lateral (
    select jsonb_agg(to_jsonb(t) - 'delivery_id' order by t.number) as log
    from (select * from webhook_attempts where delivery_id = d.id order by number desc limit ${ATTEMPTS_SHOWN}) t) a on true
  where d.project_id = ${projectId} and d.event_id = ${eventId} order by d.created_at, d.id`)

export interface Wanted {
  eventIds: readonly string[] | undefined
  from: Date | undefined
  to: Date | undefined
  subscriptionId: string | undefined
  onlyDead: boolean
}

/**
 * Begins deliveries anew, oldest events first: those that ended, and, unless only dead ones are wanted, those of events that a subscription was not there for.
 * Disabled subscriptions are left out. Answers how many.
 */
export const replay = (
  tx: Db,
  projectId: string,
  { eventIds, from, to, subscriptionId, onlyDead }: Wanted,
): Promise<number> =>
  tx.run(sql`
  with again as (
    insert into webhook_deliveries (id, project_id, subscription_id, event_id, seq, ordering_key)
    select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.project_id, s.id, e.id, e.seq, e.ordering_key
    from events e join webhook_subscriptions s on s.project_id = e.project_id and s.disabled_at is null and 'service.' || e.type = any (s.enabled_events)
    left join webhook_deliveries d on d.subscription_id = s.id and d.event_id = e.id
    where ${all(
      sql`e.project_id = ${projectId}`,
      eventIds && sql`e.id = any(${[...eventIds]}::text[])`,
      from && sql`e.created_at >= ${from}`,
      to && sql`e.created_at < ${to}`,
      subscriptionId !== undefined && sql`s.id = ${subscriptionId}`,
      onlyDead ? sql`d.status = 'dead'` : sql`coalesce(d.status <> 'pending', true)`,
    )}
    order by e.seq limit ${REPLAYED_MAX}
    for key share of s
    on conflict (subscription_id, event_id) do update set status = 'pending', next_at = now(), leased_until = null, created_at = now(), round_start = webhook_deliveries.attempts, finished_at = null
      where webhook_deliveries.status <> 'pending'
    returning 1
  )
  select 1 from again, lateral (select pg_notify('deliveries', '')) n`)

const EVENTS_A_STATEMENT = 2_000

/**
 * Removes events that are older than their project keeps them (`event_retention_days`), with their deliveries; not one that is still being delivered, nor one that was given
 * up less than a week ago. Answers whether there may be more.
 */
export const removeOldEvents = async (db: Db, defaultDays: number): Promise<boolean> =>
  (await db.run(sql`
  delete from events where id in (
    select e.id from projects p cross join lateral (
      select e.id from events e
      where e.project_id = p.id and e.created_at < now() - make_interval(days => coalesce((p.config->>'event_retention_days')::int, ${defaultDays}::int))
        and not exists (select 1 from webhook_deliveries d where d.event_id = e.id and (d.status = 'pending' or d.finished_at > now() - interval '7 days' and d.status = 'dead'))
      limit ${EVENTS_A_STATEMENT}) e
    limit ${EVENTS_A_STATEMENT})`)) === EVENTS_A_STATEMENT

/** What was told with an event, and how the attempt ended that was made last, whichever receiver it was for. */
export interface Aftermath {
  payload: Record<string, unknown> | undefined
  answer: string | null
  error: string | null
}

export async function aftermathOf(
  db: Db,
  encryptor: Encryptor,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, Aftermath>> {
  if (eventIds.length === 0) return new Map()
  const rows = await db.rows<{
    id: string
    encrypted_payload: Buffer | null
    answer: string | null
    error: string | null
  }>(sql`
    select e.id, e.encrypted_payload, a.response as answer, a.error from events e left join lateral (
      select t.response, t.error from webhook_deliveries d join webhook_attempts t on t.delivery_id = d.id where d.event_id = e.id order by t.ended_at desc limit 1) a on true
    where e.project_id = ${projectId} and e.id = any(${[...eventIds]}::text[])`)
  return new Map(
    rows.map(({ id, encrypted_payload: encryptedPayload, answer, error }) => [
      id,
      { payload: encryptedPayload ? openPayload(encryptor, id, encryptedPayload) : undefined, answer, error },
    ]),
  )
}
