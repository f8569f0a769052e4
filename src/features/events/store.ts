import type { DeliveryStatus } from '../../contract/events/index.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { all, type Db, sql } from '../../platform/db/sql.ts'
import { decryptResponse, type StoredResponse } from './attempt-response.ts'
import { decryptPayload } from './outbox.ts'

export interface EventRow {
  id: string
  type: string
  ordering_key: string | null
  data: Record<string, unknown>
  encrypted_payload: Buffer | null
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

export async function listEvents(
  db: Db,
  projectId: string,
  { status, subscriptionId }: EventFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: ListedEventRow[]; total: number }> {
  const conditions = all(
    status !== undefined && sql`d.status = ${status}`,
    subscriptionId !== undefined && sql`d.subscription_id = ${subscriptionId}`,
  )
  const where = all(
    sql`e.project_id = ${projectId}`,
    (status !== undefined || subscriptionId !== undefined) &&
      sql`exists (select 1 from webhook_deliveries d where d.event_id = e.id and ${conditions})`,
  )
  const rows = await db.rows<ListedEventRow>(sql`
    select e.id, e.type, e.ordering_key, e.created_at, n.pending, n.delivered, n.dead
    from (
      select * from events e where ${where}
      order by e.created_at desc, e.id limit ${page.limit} offset ${page.offset}) e
    cross join lateral (
      select count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where status = 'delivered')::int as delivered,
        count(*) filter (where status = 'dead')::int as dead
      from webhook_deliveries where event_id = e.id) n
    order by e.created_at desc, e.id`)
  const total = await db.one<{ total: number }>(
    sql`select count(*)::int as total from events e where ${where}`,
  )
  return { rows, total: total?.total ?? 0 }
}

export const findEvent = (db: Db, projectId: string, id: string): Promise<EventRow | undefined> =>
  db.one(sql`
    select id, type, ordering_key, data, encrypted_payload, created_at from events
    where project_id = ${projectId} and id = ${id}`)

/**
 * Locks events that are older than their project keeps them (`event_retention_days`), up to `limit`. Events that are
 * still being delivered, or whose delivery was given up less than a week ago, are left out.
 */
export const lockExpiredEvents = async (tx: Db, defaultDays: number, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
      select id from events where id in (
        select e.id from projects p cross join lateral (
          select e.id from events e
          where e.project_id = p.id
            and e.created_at < now() - make_interval(
              days => coalesce((p.config->>'event_retention_days')::int, ${defaultDays}::int))
            and not exists (
              select 1 from webhook_deliveries d
              where d.event_id = e.id
                and (d.status = 'pending' or d.finished_at > now() - interval '7 days' and d.status = 'dead'))
          limit ${limit}) e
        limit ${limit})
      for update skip locked`)
  ).map(({ id }) => id)

export const deleteEvents = (tx: Db, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from events where id = any(${ids as string[]}::text[])`)

/** The payload of an event, and the result of its last attempt, at whichever receiver. */
export interface EventOutcome {
  payload: Record<string, unknown> | undefined
  response: string | null
  error: string | null
}

export async function outcomesOf(
  db: Db,
  encryptor: Encryptor,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, EventOutcome>> {
  if (eventIds.length === 0) return new Map()
  const rows = await db.rows<
    Pick<EventRow, 'id' | 'encrypted_payload'> & StoredResponse & { error: string | null }
  >(sql`
    select e.id, e.encrypted_payload, a.response, a.response_id, a.encrypted_response, a.error
    from events e left join lateral (
      select t.response, t.id as response_id, t.encrypted_response, t.error from webhook_deliveries d join webhook_attempts t on t.delivery_id = d.id
      where d.event_id = e.id order by t.ended_at desc limit 1) a on true
    where e.project_id = ${projectId} and e.id = any(${eventIds as string[]}::text[])`)
  return new Map(
    rows.map(({ id, encrypted_payload: payload, error, ...stored }) => [
      id,
      {
        payload: payload ? decryptPayload(encryptor, id, payload) : undefined,
        // Without an attempt, all columns of it are null.
        response: decryptResponse(encryptor, stored),
        error,
      },
    ]),
  )
}
