import { createHash } from 'node:crypto'
import type { EventType } from '../../contract/events/index.ts'
import { notification } from '../../platform/change-bus.ts'
import { EncryptedArray, EncryptedValue } from '../../platform/db/encrypted-value.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { FAN_OUT } from './fan-out.ts'

/** The type of an event without the brand, such as `trigger.message`. */
export type PublishedType = EventType extends `service.${infer Type}` ? Type : never

export interface NewEvent {
  /**
   * The same id again is the same event, which is inserted once, if its publishers hold a lock that they share: they
   * look for the event before they insert it. Default: a new id.
   */
  readonly id?: string
  readonly type: PublishedType
  readonly data: Readonly<Record<string, unknown>>
  /** What an application sent, or the arguments of a call. It is joined to `data` when the event is delivered. */
  readonly payload?: Readonly<Record<string, unknown>> | undefined
  /** A subscription that does not receive the event, such as the one that it reports as disabled. */
  readonly excludedSubscriptionId?: string
  /** Events with the same key are delivered in the order in which they are published. */
  readonly orderingKey?: string
}

/** The content of an event as its row has it. */
export interface StoredContent {
  id: string
  /** Of events from before their data was encrypted. Null: `encrypted_payload` has the data too. */
  data: Record<string, unknown> | null
  encrypted_payload: Buffer | null
}

export interface EventContent {
  data: Record<string, unknown>
  payload: Record<string, unknown> | undefined
}

const encryptionContext = (eventId: string) => `events:${eventId}:encrypted_payload`

/** Decrypts the content of an event. @throws EncryptionError */
export function decryptContent(
  db: Pick<Db, 'decrypt'>,
  { id, data, encrypted_payload: encrypted }: StoredContent,
): EventContent {
  if (data === null) return db.decrypt<EventContent>(encrypted as Buffer, encryptionContext(id))
  return { data, payload: encrypted ? db.decrypt(encrypted, encryptionContext(id)) : undefined }
}

/** 96 bits of a digest: the same project, source and key always have the same event id. */
export const stableEventId = (projectId: string, source: string, key: string): string =>
  `evt_${createHash('sha256')
    .update(JSON.stringify([projectId, source, key]))
    .digest('hex')
    .slice(0, 24)}`

/**
 * Inserts events with encrypted content, creates their deliveries and notifies the other processes, in one statement.
 * `tx` is the transaction of the caller: the events exist if and only if it commits. Events are delivered in the order
 * given. Returns the ids of the events that are new. No unique key says that an id is new, because those of a
 * partitioned table contain its time; the key of id and time rejects an event twice in one statement.
 *
 * A deleted project has no new events: the statement locks the row of the project, so that a transaction that deletes
 * it at the same moment commits before, and nothing is stored, or afterwards, and its erasure finds the events.
 *
 * This is the only insert into `events`. The database trigger `events_lock_sequence` takes the lock that keeps readers
 * of the event stream from passing a transaction that has a sequence number and has not committed (see
 * stream/store.ts).
 */
export async function publishEvents(
  tx: Db,
  projectId: string,
  newEvents: readonly NewEvent[],
): Promise<readonly string[]> {
  if (newEvents.length === 0) return []
  const events = newEvents.map((event) => ({ ...event, id: event.id ?? newId('evt') }))
  const contents = events.map(
    ({ id, data, payload }) => new EncryptedValue(projectId, encryptionContext(id), { data, payload }),
  )
  const rows = await tx.rows<{ id: string }>(sql`
    with project as materialized (
      select from projects where id = ${projectId} and deleted_at is null for key share
    ), new_events as (
      select * from unnest(
        ${events.map(({ id }) => id)}::text[],
        ${newEvents.map(({ id }) => id !== undefined)}::boolean[],
        ${events.map(({ type }) => type as string)}::text[],
        ${events.map(({ orderingKey }) => orderingKey ?? null)}::text[],
        ${new EncryptedArray(contents)}::bytea[],
        ${events.map(({ excludedSubscriptionId }) => excludedSubscriptionId ?? null)}::text[]
      ) with ordinality
        as e (id, may_exist, type, ordering_key, encrypted_payload, excluded_subscription, position)
    ), published_events as (
      insert into events (id, project_id, type, ordering_key, encrypted_payload)
      select id, ${projectId}, type, ordering_key, encrypted_payload from new_events n cross join project
      where not may_exist or (select true from events e where e.id = n.id limit 1) is null
      order by position
      on conflict (id, created_at) do nothing
      returning id, created_at, project_id, type, seq, ordering_key
    ), created_deliveries as (${FAN_OUT}), event_notifications as (
      select ${notification({ kind: 'events_published', projectId: sql`p.project_id` })}
      from (select distinct project_id from published_events) p
      union all
      select ${notification({ kind: 'deliveries_due' })} from (select from created_deliveries limit 1) d
    )
    select id, ${EVENTS_NOTIFIED} from published_events order by seq`)
  return rows.map(({ id }) => id)
}

/**
 * Publishes events of several projects. The order of the projects is that in which a deletion locks them: two
 * transactions with different orders would wait for each other.
 */
export async function publishEventsOfProjects(
  tx: Db,
  events: readonly (NewEvent & { readonly projectId: string })[],
): Promise<void> {
  const byProject = [...Map.groupBy(events, ({ projectId }) => projectId)]
  for (const [projectId, ofProject] of byProject.sort(([a], [b]) => (a < b ? -1 : 1)))
    await publishEvents(tx, projectId, ofProject)
}

/** Evaluates the notifications: PostgreSQL skips expressions that nothing selects. */
const EVENTS_NOTIFIED = sql`(select count(*) from event_notifications) as notifications`
