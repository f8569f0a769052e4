import type { PayloadVersion } from '../../contract/webhooks.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import type { Taken } from './lanes.ts'

/** A delivery that was taken: everything an attempt needs. */
export interface Due {
  id: string
  attempts: number
  round_start: number
  subscription_id: string
  webhook_url: string
  version: PayloadVersion
  max_at_once: number
  max_per_second: number | null
  secret: Buffer
  former_secret: Buffer | null
  event_id: string
  type: string
  data: Record<string, unknown>
  encrypted_payload: Buffer | null
  created_at: Date
  project_id: string
  organization_id: string
}

/** Behind the longest attempt, and the time it takes to write down how it ended. */
const LEASE_SECONDS = 60
/** While an event is being retried, later ones of its ordering key wait; not for longer than this after it was told. */
const HOLD_MINUTES = 10

/**
 * Takes up to `limit` due deliveries of all projects, oldest first, of each subscription as many as it allows at once and a second, over all processes; `lanes` says what is taken already.
 * A lease or a pace of the future is of a clock that was set back, and holds nobody. Subscriptions are found by hopping through the index, so that a large backlog of one costs the others nothing.
 */
export const take = (
  db: Db,
  { limit, lanes: { ids, taken, ahead } }: { limit: number; lanes: Taken },
): Promise<Due[]> =>
  db.rows(sql`
  with recursive waiting as (
    (select subscription_id from webhook_deliveries where status = 'pending' order by subscription_id limit 1)
    union all
    select (select subscription_id from webhook_deliveries where status = 'pending' and subscription_id > w.subscription_id order by subscription_id limit 1) from waiting w where w.subscription_id is not null
  ), lane as (
    select * from unnest(${ids}::text[], ${taken}::int[], ${ahead}::int[]) as b (id, taken, ahead)
  ), free as (
    select s.id, s.max_at_once + coalesce(b.ahead, 0) - coalesce(b.taken, 0) as room from waiting w
    join webhook_subscriptions s on s.id = w.subscription_id and s.disabled_at is null and s.max_per_second is null left join lane b on b.id = s.id
  ), paced as (
    select s.id, s.max_per_second, greatest(least(coalesce(s.throttled_until, '-infinity'), now()), now() - interval '1 second') as since, coalesce(b.taken, 0) as taken, s.max_at_once from waiting w
    join webhook_subscriptions s on s.id = w.subscription_id and s.disabled_at is null and s.max_per_second is not null left join lane b on b.id = s.id
    for no key update of s skip locked
  ), chosen as (
    select d.id, r.id as subscription_id
    from (select id, room from free union all select id, least(max_at_once - taken, floor(extract(epoch from now() - since) * max_per_second)::int) from paced) r
    cross join lateral (
      select d.id from webhook_deliveries d
      where d.subscription_id = r.id and d.status = 'pending' and d.next_at <= now() and (d.leased_until is null or d.leased_until not between now() and now() + make_interval(secs => ${LEASE_SECONDS}::int)) and (d.ordering_key is null or not exists (
        select 1 from webhook_deliveries e where e.subscription_id = d.subscription_id and e.ordering_key = d.ordering_key and e.status = 'pending' and e.seq < d.seq
          and e.created_at > now() - make_interval(mins => ${HOLD_MINUTES}::int)))
      order by d.next_at, d.seq limit greatest(r.room, 0) for update skip locked) d
    limit ${limit}::int
  ), spent as (
    update webhook_subscriptions s set throttled_until = p.since + make_interval(secs => c.sent::float8 / p.max_per_second)
    from paced p join (select subscription_id, count(*) as sent from chosen group by subscription_id) c on c.subscription_id = p.id where s.id = p.id
  )
  update webhook_deliveries d set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}::int)
  from chosen c, webhook_subscriptions s, events e, projects p
  where d.id = c.id and s.id = d.subscription_id and e.id = d.event_id and p.id = d.project_id
  returning d.id, d.attempts, d.round_start, d.subscription_id, s.webhook_url, s.version, s.max_at_once, s.max_per_second, s.secret, case when s.former_until > now() then s.former_secret end as former_secret,
    d.event_id, e.type, e.data, e.encrypted_payload, e.created_at, d.project_id, p.organization_id`)

/** How an attempt ended. `delay_s`: until the next one; null when there is none. */
export interface Outcome {
  id: string
  number: number
  delivered: boolean
  delay_s: number | null
  gone: boolean
  status: number | null
  latency_ms: number
  error: string | null
  response: string | null
}

/** After this long without one success, a subscription is disabled. */
const FAILING_DAYS = 5

/**
 * Writes down how attempts ended: the attempt, when the next one is, and what follows for the subscription, as one statement. An attempt that somebody else wrote down before, or whose
 * subscription is gone, changes nothing. Answers the subscriptions that were disabled by it.
 */
export const record = (
  db: Db,
  outcomes: readonly Outcome[],
): Promise<{ id: string; project_id: string; disabled_reason: string }[]> =>
  db.rows(sql`
  with outcome as (
    select * from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      as o (id text, number int, delivered boolean, delay_s double precision, gone boolean, status int, latency_ms int, error text, response text)
  ), changed as (
    update webhook_deliveries d set attempts = o.number, leased_until = null, next_at = now() + make_interval(secs => coalesce(o.delay_s, 0)),
      status = case when o.delivered then 'delivered' when o.delay_s is null then 'dead' else 'pending' end, finished_at = case when o.delivered or o.delay_s is null then now() end
    from outcome o where d.id = o.id and d.attempts = o.number - 1 and d.status = 'pending'
    returning d.subscription_id, o.*
  ), tried as (
    insert into webhook_attempts (delivery_id, number, status, latency_ms, error, response) select id, number, status, latency_ms, error, response from changed
  ), summary as (
    select subscription_id, bool_or(delivered) as reached, bool_or(gone) as gone from changed group by subscription_id
  ), judged as (
    select s.id, m.reached, case when m.gone then 'gone' when not m.reached and s.failing_since < now() - make_interval(days => ${FAILING_DAYS}::int) then 'failing' end as reason
    from summary m join webhook_subscriptions s on s.id = m.subscription_id
    where m.gone or not m.reached or s.failing_since is not null
    order by s.id for no key update of s
  ), marked as (
    update webhook_subscriptions s set failing_since = case when j.reached then null else coalesce(s.failing_since, now()) end,
      disabled_at = case when j.reason is null then s.disabled_at else coalesce(s.disabled_at, now()) end, disabled_reason = coalesce(s.disabled_reason, j.reason)
    from judged j where s.id = j.id
    returning s.id, s.project_id, s.disabled_at, s.disabled_reason, s.failing_since, j.reason
  ), disabled as (
    select * from marked where reason is not null and disabled_at = now()
  ), told as (
    insert into events (id, project_id, type, data)
    select 'evt_' || left(replace(gen_random_uuid()::text, '-', ''), 24), project_id, 'webhook.disabled',
      jsonb_build_object('id', id, 'disabled_at', disabled_at, 'disabled_reason', disabled_reason, 'failing_since', failing_since)
    from disabled
  )
  select id, project_id, disabled_reason from disabled`)

/** Deliveries that were taken and not tried are due again. */
export const giveBack = (db: Db, ids: readonly string[]): Promise<number> =>
  db.run(sql`
  update webhook_deliveries set leased_until = null where id = any(${[...ids]}::text[]) and status = 'pending'`)
