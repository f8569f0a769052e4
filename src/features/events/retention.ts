import {
  changePartitions,
  dropPartitions,
  listPeriods,
  lockPeriod,
} from '../../platform/db/partitions/index.ts'
import { EVENT_RETENTION_DAYS_MAX } from '../../contract/projects/index.ts'
import { instantOf, microsecondsOf } from '../../platform/db/instants.ts'
import { type Db, type Pool, sql } from '../../platform/db/sql.ts'

const DAY_MS = 86_400_000
const RETENTION_DAYS_DEFAULT = 30
/** A partition is stored for up to a week longer. For shorter retentions that is too long, so rows are deleted. */
const ROWS_DELETED_BELOW_DAYS = 14
const EVENTS_PER_STATEMENT = 2_000
const PROJECTS_PER_STATEMENT = 1_000

/** An event, with its time in microseconds since the epoch. */
export interface ExpiredEvent {
  id: string
  created_at_us: number
}

/** The times before which events are over: by project, and of all others. */
export interface Cutoffs {
  before: ReadonlyMap<string, Date>
  beforeOthers: Date
}

/** What belongs to events, and is removed with them. */
export interface EventDependents {
  /** Gives up deliveries of events that are over. Returns whether there may be more. */
  giveUpDeliveries(db: Db, cutoffs: Cutoffs): Promise<boolean>
  /** Whether an event before a time has a delivery that may still be needed. */
  hasOpenDeliveries(db: Db, before: Date): Promise<boolean>
  /** Removes the deliveries of events with their attempts, in the transaction that removes the events. */
  removeDeliveries(tx: Db, events: readonly ExpiredEvent[]): Promise<void>
  /** Removes a portion of the trigger logs of projects. Returns whether there may be more. */
  removeTriggerLogs(db: Db, before: ReadonlyMap<string, Date>): Promise<boolean>
}

export interface EventRetentionDeps {
  db: Pool
  dependents: EventDependents
}

/**
 * Removes events that are older than their project keeps them, with everything that belongs to them. The partitions of
 * a week are dropped when the events of all projects are over. Projects with a shorter retention lose rows before.
 */
export async function removeOldEvents(deps: EventRetentionDeps): Promise<void> {
  const { db, dependents } = deps
  const days = await retentionDays(db)
  const before = new Map(days.shorter.map(({ id, days: own }) => [id, daysAgo(own)]))
  const cutoffs = { before, beforeOthers: daysAgo(days.longest) }
  while (await dependents.giveUpDeliveries(db, cutoffs));
  await dropOldPeriods(deps, cutoffs.beforeOthers)
  for (const portion of portionsOf([...before])) {
    const own = new Map(portion)
    while (await removeOldRows(deps, own));
    while (await dependents.removeTriggerLogs(db, own));
  }
}

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS)

function* portionsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += PROJECTS_PER_STATEMENT)
    yield all.slice(at, at + PROJECTS_PER_STATEMENT)
}

/**
 * Returns the longest retention of a project, and the projects that do not wait until partitions are dropped after it.
 */
async function retentionDays(db: Db): Promise<{ longest: number; shorter: { id: string; days: number }[] }> {
  const projects = await db.rows<{ id: string; days: number }>(sql`
    select id, least(coalesce((config->>'event_retention_days')::int, ${RETENTION_DAYS_DEFAULT}::int),
      ${EVENT_RETENTION_DAYS_MAX}::int) as days
    from projects where deleted_at is null`)
  const longest = projects.reduce((most, { days }) => Math.max(most, days), 1)
  return {
    longest,
    shorter: projects.filter(({ days }) => days < longest || days < ROWS_DELETED_BELOW_DAYS),
  }
}

/** Drops the partitions that end before a time, unless an event in them is still needed. */
async function dropOldPeriods({ db, dependents }: EventRetentionDeps, before: Date): Promise<void> {
  for (const period of await listPeriods(db, 'events')) {
    if (period.to > before.getTime()) return
    // Without a lock first: for a week, a delivery that was given up would make everybody wait for nothing.
    if (await dependents.hasOpenDeliveries(db, new Date(period.to))) return
    const isDropped = await changePartitions(db, async (tx) => {
      // Nobody can replay one of the events between the check and the removal.
      await lockPeriod(tx, 'events', period)
      if (await dependents.hasOpenDeliveries(tx, new Date(period.to))) return false
      await dropPartitions(tx, period)
      return true
    })
    if (!isDropped) return
  }
}

/** Removes a portion of the events of projects. Returns whether there may be more. */
const removeOldRows = (
  { db, dependents }: EventRetentionDeps,
  before: ReadonlyMap<string, Date>,
): Promise<boolean> =>
  db.begin(async (tx) => {
    const events = await lockExpiredEvents(tx, before)
    if (events.length === 0) return false
    await dependents.removeDeliveries(tx, events)
    await deleteEvents(tx, events)
    return events.length === EVENTS_PER_STATEMENT
  })

/**
 * Locks events that are over. Those that are still being delivered, or were given up in the last week, are left out.
 */
const lockExpiredEvents = (tx: Db, before: ReadonlyMap<string, Date>): Promise<ExpiredEvent[]> =>
  tx.rows(sql`
    with chosen as materialized (
      select e.id, e.created_at
      from unnest(${[...before.keys()]}::text[], ${[...before.values()]}::timestamptz[]) p (id, before)
      cross join lateral (
        select e.id, e.created_at from events e
        where e.project_id = p.id and e.created_at < p.before
          and not exists (
            select 1 from webhook_deliveries d
            where d.event_id = e.id and d.event_created_at = e.created_at
              and (d.status = 'pending' or d.finished_at > now() - interval '7 days' and d.status = 'dead'))
        limit ${EVENTS_PER_STATEMENT}) e
      limit ${EVENTS_PER_STATEMENT})
    select e.id, ${microsecondsOf(sql`e.created_at`)} as created_at_us
    from events e join chosen c on c.id = e.id and c.created_at = e.created_at
    for update of e skip locked`)

const deleteEvents = (tx: Db, events: readonly ExpiredEvent[]): Promise<number> =>
  tx.run(sql`
    delete from events e
    using unnest(${events.map(({ id }) => id)}::text[],
      ${events.map(({ created_at_us: time }) => time)}::bigint[]) c (id, time)
    where e.id = c.id and e.created_at = ${instantOf(sql`c.time`)}`)
