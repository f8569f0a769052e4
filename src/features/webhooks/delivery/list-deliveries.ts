import type { DeliveryStatus } from '../../../contract/events/index.ts'
import { instantOf, microsecondsOf } from '../../../platform/db/instants.ts'
import { all, type Db, sql } from '../../../platform/db/sql.ts'
import { badRequest } from '../../../platform/http/api-error.ts'
import { decryptOutcome, OUTCOME_COLUMNS, type ReadOutcome } from '../../events/index.ts'

export interface ListedDelivery {
  id: string
  event_id: string
  type: string
  status: DeliveryStatus
  attempts: number
  created_at: Date
  next_at: Date
  finished_at: Date | null
  /** Microseconds since 1970 of `created_at`: a Date would lose three digits. */
  position: string
  last_attempt: {
    number: number
    ended_at: Date
    status: number | null
    latency_ms: number
    error: string | null
  } | null
}

interface DeliveryWithAttempt extends Omit<ListedDelivery, 'last_attempt'>, ReadOutcome {
  number: number | null
  ended_at: Date
  response_status: number | null
  latency_ms: number
}

interface Position {
  micros: string
  id: string
}

const CURSOR = /^delivery-(\d{1,16})-(\w{1,64})$/

/** Lists deliveries of a subscription, newest first, after the delivery that the cursor names. */
export async function listDeliveries(
  db: Db,
  projectId: string,
  filter: { subscriptionId: string; status: DeliveryStatus | undefined; after: Position | undefined },
  limit: number,
): Promise<ListedDelivery[]> {
  const { subscriptionId, status, after } = filter
  const time = after && instantOf(Number(after.micros))
  const rows = await db.rows<DeliveryWithAttempt>(sql`
    select d.id, d.event_id, e.type, d.status, d.attempts, d.created_at, d.next_at, d.finished_at,
      ${microsecondsOf(sql`d.created_at`)}::text as position, a.*
    from (
      select * from webhook_deliveries d
      where ${all(
        sql`d.project_id = ${projectId}`,
        sql`d.subscription_id = ${subscriptionId}`,
        status !== undefined && sql`d.status = ${status}`,
        after && sql`d.created_at <= ${time} and (d.created_at < ${time} or d.id > ${after.id})`,
      )}
      order by d.created_at desc, d.id limit ${limit}) d
    join events e on e.id = d.event_id and e.created_at = d.event_created_at and e.project_id = ${projectId}
    left join lateral (
      select t.number, t.ended_at, t.status as response_status, t.latency_ms, ${OUTCOME_COLUMNS}
      from webhook_attempts t where t.delivery_id = d.id and t.event_created_at = d.event_created_at
      order by t.number desc limit 1) a on true
    order by d.created_at desc, d.id`)
  return rows.map((row) => ({ ...row, last_attempt: lastAttemptOf(db, row) }))
}

const lastAttemptOf = (db: Db, row: DeliveryWithAttempt): ListedDelivery['last_attempt'] =>
  row.number === null
    ? null
    : {
        number: row.number,
        ended_at: row.ended_at,
        status: row.response_status,
        latency_ms: row.latency_ms,
        error: decryptOutcome(db, row).error,
      }

/** Writes a cursor: the last delivery of a page. */
export const formatDeliveryCursor = ({ position, id }: ListedDelivery): string =>
  Buffer.from(`delivery-${position}-${id}`).toString('base64')

/** @throws ApiError 400 for a text that `formatDeliveryCursor` did not write */
export function parseDeliveryCursor(cursor: string): Position {
  const [, micros, id] = CURSOR.exec(Buffer.from(cursor, 'base64').toString('latin1')) ?? []
  if (micros === undefined || id === undefined)
    throw badRequest('Error in query.cursor: is not a cursor of this API')
  return { micros, id }
}
