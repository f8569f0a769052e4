import { instantOf } from '../../../platform/db/instants.ts'
import { retryMovedRows } from '../../../platform/db/moved-rows.ts'
import { type Db, type Sql, sql } from '../../../platform/db/sql.ts'

/** Dead deliveries can be looked at and replayed for so long after they were given up. */
const DEAD_DAYS = 7
/** A replayed delivery is tried for so long, also if its event is older than the retention. */
const REPLAYED_DAYS = 7
const ROWS_PER_STATEMENT = 5_000

/** An event, with its time in microseconds since the epoch. */
export interface EventKey {
  id: string
  created_at_us: number
}

/**
 * Deletes the deliveries of events that the caller has locked and is about to delete, with their attempts. None of them
 * is pending.
 */
export async function deleteDeliveriesOf(tx: Db, events: readonly EventKey[]): Promise<void> {
  await tx.run(sql`
    with removed as (
      delete from webhook_deliveries d
      using unnest(${events.map(({ id }) => id)}::text[],
        ${events.map(({ created_at_us: time }) => time)}::bigint[]) e (id, time)
      where d.event_id = e.id and d.event_created_at = ${instantOf(sql`e.time`)}
      returning d.id, d.event_created_at)
    delete from webhook_attempts a using removed r
    where a.delivery_id = r.id and a.event_created_at = r.event_created_at`)
}

/**
 * Deletes the deliveries of a subscription that the caller has locked, with their attempts. Those that are pending are
 * locked before: the statement after it sees every attempt, and no process adds another one.
 */
export async function deleteDeliveriesOfSubscription(
  tx: Db,
  projectId: string,
  subscriptionId: string,
): Promise<void> {
  const ofSubscription = sql`project_id = ${projectId} and subscription_id = ${subscriptionId}`
  await tx.run(sql`
    with locked as (
      select id from webhook_deliveries where ${ofSubscription} and status = 'pending' order by id for update)
    select count(*) from locked`)
  await tx.run(sql`
    with removed as (
      delete from webhook_deliveries where ${ofSubscription} returning id, event_created_at)
    delete from webhook_attempts a using removed r
    where a.delivery_id = r.id and a.event_created_at = r.event_created_at`)
}

/**
 * Gives up a portion of the deliveries that are pending although the retention of their event is over, such as those of
 * a disabled subscription. `before`: the time before which events of a project are over; `beforeOthers`: that of all
 * other projects. Returns whether there may be more.
 */
export const giveUpOldDeliveries = (
  db: Db,
  before: ReadonlyMap<string, Date>,
  beforeOthers: Date,
): Promise<boolean> =>
  retryMovedRows(
    async () =>
      (await db.run(sql`
        update webhook_deliveries d set status = 'dead', finished_at = now(), leased_until = null
        where d.status = 'pending' and d.id in (
          select d.id from webhook_deliveries d
          left join unnest(${[...before.keys()]}::text[], ${[...before.values()]}::timestamptz[]) p (id, before)
            on p.id = d.project_id
          where d.status = 'pending' and d.event_created_at < coalesce(p.before, ${beforeOthers})
            and d.created_at < now() - make_interval(days => ${REPLAYED_DAYS}::int)
          limit ${ROWS_PER_STATEMENT} for update of d skip locked)`)) === ROWS_PER_STATEMENT,
  )

/**
 * Whether an event before a time has a delivery that is pending, or was given up in the last week. Two conditions: of
 * finished ones the index of dead deliveries is read, and not whole partitions, for which everybody would wait.
 */
export const hasOpenDeliveries = async (db: Db, before: Date): Promise<boolean> =>
  (await db.one<{ exists: boolean }>(openDeliveriesStatement(before)))!.exists

export const openDeliveriesStatement = (before: Date): Sql => sql`
  select exists (
    select from webhook_deliveries where status = 'pending' and event_created_at < ${before}
  ) or exists (
    select from webhook_deliveries where status = 'dead' and event_created_at < ${before}
      and finished_at > now() - make_interval(days => ${DEAD_DAYS}::int)
  ) as exists`
