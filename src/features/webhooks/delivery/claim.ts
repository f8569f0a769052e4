import type { PayloadVersion } from '../../../contract/events/index.ts'
import { retryMovedRows } from '../../../platform/db/moved-rows.ts'
import { type Db, type Sql, sql } from '../../../platform/db/sql.ts'
import type { StoredContent } from '../../events/index.ts'
import type { StoredUrl } from '../subscriptions/webhook-url.ts'
import type { ClaimedPerSubscription } from './limiter.ts'

/** A delivery that this process has claimed, with everything that an attempt needs. */
export interface ClaimedDelivery extends StoredUrl, Omit<StoredContent, 'id'> {
  id: string
  attempts: number
  round_start: number
  subscription_id: string
  version: PayloadVersion
  max_at_once: number
  max_per_second: number | null
  secret: Buffer
  former_secret: Buffer | null
  signing_key: Buffer | null
  event_id: string
  type: string
  created_at: Date
  project_id: string
  organization_id: string
}

/** Longer than the longest attempt and the time to store its result. */
const LEASE_SECONDS = 60
/** While an event is retried, later events of its ordering key wait, but no longer than this after it was published. */
const ORDERING_WAIT_MINUTES = 10

/**
 * The subscriptions with pending deliveries, and how many of each may be claimed. Each subscription is found by one
 * index lookup (a loose index scan), so that a large backlog of one does not slow down the others. Subscriptions with a
 * limit per second are locked while they are counted; `throttled_until` in the future comes from a clock that was set
 * back and is ignored.
 */
const SUBSCRIPTION_CAPACITY = ({ ids, claimed, prefetch }: ClaimedPerSubscription) => sql`
  with recursive pending as (
    (select subscription_id from webhook_deliveries where status = 'pending' order by subscription_id limit 1)
    union all
    select (
      select subscription_id from webhook_deliveries
      where status = 'pending' and subscription_id > p.subscription_id order by subscription_id limit 1)
    from pending p where p.subscription_id is not null
  ), load as (
    select * from unnest(${ids}::text[], ${claimed}::int[], ${prefetch}::int[]) as l (id, claimed, prefetch)
  ), unlimited as (
    select s.id, s.max_at_once + coalesce(l.prefetch, 0) - coalesce(l.claimed, 0) as capacity from pending p
    join webhook_subscriptions s on s.id = p.subscription_id and s.disabled_at is null and s.max_per_second is null
      and exists (select 1 from projects p where p.id = s.project_id and p.deleted_at is null)
    left join load l on l.id = s.id
  ), throttled as (
    select s.id, s.max_per_second, s.max_at_once, coalesce(l.claimed, 0) as claimed,
      greatest(least(coalesce(s.throttled_until, '-infinity'), now()), now() - interval '1 second') as used_until
    from pending p
    join webhook_subscriptions s on s.id = p.subscription_id and s.disabled_at is null and s.max_per_second is not null
      and exists (select 1 from projects p where p.id = s.project_id and p.deleted_at is null)
    left join load l on l.id = s.id
    for no key update of s skip locked
  ), capacity as (
    select id, capacity from unlimited
    union all
    select id, least(max_at_once - claimed, floor(extract(epoch from now() - used_until) * max_per_second)::int)
    from throttled
  )`

/**
 * The event of delivery `d`. With `limit`, PostgreSQL looks it up for each delivery, whatever it estimates. In a plain
 * join, each claim would read all events while tens of thousands of deliveries are pending and PostgreSQL has no
 * statistics of them.
 */
const EVENT_OF_DELIVERY = sql`(
    select type, data, encrypted_payload, created_at from events
    where id = d.event_id and created_at = d.event_created_at limit 1)`

/**
 * Leases up to `limit` due deliveries of all projects, oldest first: of each subscription as many as it allows at once
 * and per second, over all processes. `load` has the deliveries that this process has claimed already. A lease that
 * ends later than the longest lease comes from a clock that was set back and is ignored.
 */
export const claimDeliveries = (
  db: Db,
  { limit, load }: { limit: number; load: ClaimedPerSubscription },
): Promise<ClaimedDelivery[]> => retryMovedRows(() => db.rows(claimStatement(limit, load)))

/** Returns the statement of `claimDeliveries`. */
export const claimStatement = (limit: number, load: ClaimedPerSubscription): Sql => sql`
  ${SUBSCRIPTION_CAPACITY(load)}, chosen as (
    select d.id, c.id as subscription_id from capacity c
    cross join lateral (
      select d.id from webhook_deliveries d
      where d.subscription_id = c.id and d.status = 'pending' and d.next_at <= now()
        and (d.leased_until is null
          or d.leased_until not between now() and now() + make_interval(secs => ${LEASE_SECONDS}::int))
        and (d.ordering_key is null or not exists (
          select 1 from webhook_deliveries e
          where e.subscription_id = d.subscription_id and e.ordering_key = d.ordering_key
            and e.status = 'pending' and e.seq < d.seq
            and e.created_at > now() - make_interval(mins => ${ORDERING_WAIT_MINUTES}::int)))
      order by d.next_at, d.seq limit greatest(c.capacity, 0) for update skip locked) d
    limit ${limit}::int
  ), used as (
    update webhook_subscriptions s
    set throttled_until = t.used_until + make_interval(secs => n.claimed::float8 / t.max_per_second)
    from throttled t
    join (select subscription_id, count(*) as claimed from chosen
      group by subscription_id) n on n.subscription_id = t.id
    where s.id = t.id
  ), claimed as (
    update webhook_deliveries d set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}::int)
    from chosen c where d.id = c.id and d.status = 'pending'
    returning d.id, d.attempts, d.round_start, d.subscription_id, d.event_id, d.event_created_at, d.project_id
  )
  select d.id, d.attempts, d.round_start, d.subscription_id, s.webhook_url, s.encrypted_webhook_url, s.version,
    s.max_at_once, s.max_per_second,
    s.secret, case when s.former_until > now() then s.former_secret end as former_secret, s.signing_key,
    d.event_id, e.type, e.data, e.encrypted_payload, e.created_at, d.project_id, p.organization_id
  from claimed d join webhook_subscriptions s on s.id = d.subscription_id join projects p on p.id = d.project_id
  cross join lateral ${EVENT_OF_DELIVERY} e`

/** Makes deliveries due again that were claimed and not attempted. */
export const releaseDeliveries = (db: Db, ids: readonly string[]): Promise<number> =>
  retryMovedRows(() =>
    db.run(sql`
      update webhook_deliveries set leased_until = null
      where id = any(${ids as string[]}::text[]) and status = 'pending'`),
  )
