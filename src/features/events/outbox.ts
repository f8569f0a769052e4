import { createHash } from 'node:crypto'
import type { EventType } from '../../contract/events/index.ts'
import { notification } from '../../platform/change-bus.ts'
import type { Encryptor, ProjectEncryptor } from '../../platform/crypto/index.ts'
import { type Db, type Sql, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { FAN_OUT } from './fan-out.ts'

/** The type of an event without the brand, such as `trigger.message`. */
export type PublishedType = EventType extends `service.${infer Type}` ? Type : never

export interface NewEvent {
  /** The same id again is the same event, which is inserted once. Default: a new id. */
  readonly id?: string
  readonly type: PublishedType
  readonly data: Readonly<Record<string, unknown>>
  /** Made by `withPayload`. It is joined to `data` when the event is delivered. */
  readonly encryptedPayload?: Buffer
  /** Events with the same key are delivered in the order in which they are published. */
  readonly orderingKey?: string
}

/** Adds data that must not be stored in clear, such as what an application sent. */
export function withPayload(
  encryptor: ProjectEncryptor,
  event: NewEvent,
  payload: Readonly<Record<string, unknown>>,
): NewEvent {
  const { id = newId('evt') } = event
  return { ...event, id, encryptedPayload: encryptor.encrypt(payload, encryptionContext(id)) }
}

export const decryptPayload = (
  encryptor: Encryptor,
  eventId: string,
  encryptedPayload: Buffer,
): Record<string, unknown> => encryptor.decrypt(encryptedPayload, encryptionContext(eventId))

const encryptionContext = (eventId: string) => `events:${eventId}:encrypted_payload`

/** 96 bits of a digest: the same project, source and key always have the same event id. */
export const stableEventId = (projectId: string, source: string, key: string): string =>
  `evt_${createHash('sha256')
    .update(JSON.stringify([projectId, source, key]))
    .digest('hex')
    .slice(0, 24)}`

/**
 * Inserts events, creates their deliveries and notifies the other processes, in one statement. `tx` is the transaction
 * of the caller: the events exist if and only if it commits. Events are delivered in the order given. Returns the ids
 * of the events that are new.
 *
 * This and `PUBLISH_NEW_EVENTS`, for statements that find out themselves what happened, are the only inserts into
 * `events`. The database trigger `events_lock_sequence` takes the lock that keeps readers of the event stream from
 * passing a transaction that has a sequence number and has not committed (see stream/store.ts).
 */
export async function publishEvents(
  tx: Db,
  projectId: string,
  events: readonly NewEvent[],
): Promise<readonly string[]> {
  if (events.length === 0) return []
  const rows = await tx.rows<{ id: string }>(sql`
    with new_events as (
      select e.id, ${projectId}::text as project_id, e.type, e.data::jsonb, e.ordering_key,
        e.encrypted_payload, e.position
      from unnest(
        ${events.map(({ id }) => id ?? newId('evt'))}::text[],
        ${events.map(({ type }) => type as string)}::text[],
        ${events.map(({ data }) => JSON.stringify(data))}::text[],
        ${events.map(({ orderingKey }) => orderingKey ?? null)}::text[],
        ${events.map(({ encryptedPayload }) => encryptedPayload ?? null)}::bytea[]
      ) with ordinality as e (id, type, data, ordering_key, encrypted_payload, position)
    ), ${PUBLISH_NEW_EVENTS}
    select id, ${EVENTS_NOTIFIED} from published_events order by seq`)
  return rows.map(({ id }) => id)
}

/**
 * Publishes the rows of `new_events`: common table expressions for a statement that defines `new_events` before them
 * and selects `EVENTS_NOTIFIED` in the end. The columns are id, project_id, type, data, ordering_key,
 * encrypted_payload and position.
 */
export const PUBLISH_NEW_EVENTS: Sql = sql`
    published_events as (
      insert into events (id, project_id, type, data, ordering_key, encrypted_payload)
      select id, project_id, type, data, ordering_key, encrypted_payload from new_events order by position
      on conflict (id) do nothing
      returning id, project_id, type, data, seq, ordering_key
    ), created_deliveries as (${FAN_OUT}), event_notifications as (
      select ${notification({ kind: 'events_published', projectId: sql`p.project_id` })}
      from (select distinct project_id from published_events) p
      union all
      select ${notification({ kind: 'deliveries_due' })} from (select from created_deliveries limit 1) d
    )`

/** Evaluates the notifications of `PUBLISH_NEW_EVENTS`: PostgreSQL skips expressions that nothing selects. */
export const EVENTS_NOTIFIED: Sql = sql`(select count(*) from event_notifications) as notifications`
