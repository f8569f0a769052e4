import type { DeliveryStatus } from '../../contract/events/index.ts'
import { type BoundedCount, countDistinctUpTo, countUpTo } from '../../platform/db/bounded-count.ts'
import { all, type Db, type Sql, sql } from '../../platform/db/sql.ts'
import {
  cutPage,
  isAfter,
  type ListPage,
  newestFirst,
  type PageWindow,
  type Position,
  positionOf,
  windowOf,
} from '../../platform/list-page.ts'
import { decryptOutcome, OUTCOME_COLUMNS, type ReadOutcome } from './attempt-outcome.ts'
import { decryptContent, type StoredContent } from './outbox.ts'

export interface EventRow extends StoredContent {
  type: string
  ordering_key: string | null
  created_at: Date
}

/** An event with the numbers of its deliveries by status. */
export interface ListedEventRow extends Omit<EventRow, 'data' | 'encrypted_payload'> {
  pending: number
  delivered: number
  dead: number
}

export interface EventFilter {
  status?: DeliveryStatus | undefined
  subscriptionId?: string | undefined
}

export interface EventPage extends Omit<ListPage<ListedEventRow>, 'total'> {
  count: BoundedCount
}

/** Deliveries that are few, and have an index or a table of their own: their events are found from them. */
const FEW: ReadonlySet<DeliveryStatus | undefined> = new Set<DeliveryStatus>(['pending', 'dead'])

const LIST_ORDER = newestFirst(sql`e.created_at`, sql`e.id`)

/** Queries of the keys of the events that pass a filter. They differ in what PostgreSQL reads, not in what they find. */
function eventKeys(
  projectId: string,
  { status, subscriptionId }: EventFilter,
  { after }: PageWindow,
): { listed: Sql; count: (db: Db) => Promise<BoundedCount> } {
  const ofProject = sql`select e.created_at, e.id from events e where e.project_id = ${projectId}`
  const listedOfProject = sql`${ofProject} and ${isAfter(LIST_ORDER, after)}`
  if (status === undefined && subscriptionId === undefined)
    return { listed: listedOfProject, count: (db) => countUpTo(db, ofProject) }
  const passes = all(
    sql`d.project_id = ${projectId}`,
    status !== undefined && sql`d.status = ${status}`,
    subscriptionId !== undefined && sql`d.subscription_id = ${subscriptionId}`,
  )
  const rows = sql`webhook_deliveries d where ${passes}`
  const ofDeliveries = sql`select distinct d.event_created_at as created_at, d.event_id as id from ${rows}`
  // Of many deliveries, the latest are found by going through the events, which are in the order of the list.
  const withDelivery = sql`
    ${listedOfProject} and exists (
      select from webhook_deliveries d
      where d.event_id = e.id and d.event_created_at = e.created_at and ${passes})`
  const few = sql`${ofDeliveries} and ${isAfter(newestFirst(sql`d.event_created_at`, sql`d.event_id`), after)}`
  return {
    listed: FEW.has(status) ? few : withDelivery,
    count: (db) => countDistinctUpTo(db, sql`event_created_at, event_id`, rows),
  }
}

/** Lists events, newest first. */
export async function listEvents(
  db: Db,
  projectId: string,
  filter: EventFilter,
  page: PageWindow,
): Promise<EventPage> {
  const { listed, count } = eventKeys(projectId, filter, page)
  const rows = await db.rows<ListedEventRow & { page_position: Position }>(sql`
    select e.id, e.type, e.ordering_key, e.created_at, n.pending, n.delivered, n.dead,
      ${positionOf(LIST_ORDER)} as page_position
    from (${listed} order by created_at desc, id ${windowOf(page)}) p
    join events e on e.id = p.id and e.created_at = p.created_at
    cross join lateral (
      select count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where status = 'delivered')::int as delivered,
        count(*) filter (where status = 'dead')::int as dead
      from webhook_deliveries where event_id = e.id and event_created_at = e.created_at) n
    order by e.created_at desc, e.id`)
  return { ...cutPage(rows, page.limit), count: await count(db) }
}

export const findEvent = (db: Db, projectId: string, id: string): Promise<EventRow | undefined> =>
  db.one(sql`
    select id, type, ordering_key, data, encrypted_payload, created_at from events
    where project_id = ${projectId} and id = ${id}`)

/** The payload of an event, and the result of its last attempt, at whichever receiver. */
export interface EventOutcome {
  payload: Record<string, unknown> | undefined
  response: string | null
  error: string | null
}

export async function outcomesOf(
  db: Db,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, EventOutcome>> {
  if (eventIds.length === 0) return new Map()
  const rows = await db.rows<StoredContent & ReadOutcome>(sql`
    select e.id, e.data, e.encrypted_payload, a.*
    from events e left join lateral (
      select ${OUTCOME_COLUMNS} from webhook_deliveries d
      join webhook_attempts t on t.delivery_id = d.id and t.event_created_at = d.event_created_at
      where d.event_id = e.id and d.event_created_at = e.created_at order by t.ended_at desc limit 1) a on true
    where e.project_id = ${projectId} and e.id = any(${eventIds as string[]}::text[])`)
  return new Map(
    // Without an attempt, all columns of it are null.
    rows.map((row) => [row.id, { payload: decryptContent(db, row).payload, ...decryptOutcome(db, row) }]),
  )
}
