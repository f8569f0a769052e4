import { type Db, sql } from '../../../platform/db/sql.ts'
import type { PublishedEvent } from '../message.ts'
import type { StoredContent } from '../outbox.ts'

/** The position of a reader, and the events that it receives: types without the brand, ordering keys; null for all. */
export interface StreamPosition {
  projectId: string
  /** Sequence number of the last event that was read. */
  after: number
  types: readonly string[] | null
  triggerIds: readonly string[] | null
}

export interface StreamedEventRow extends Omit<PublishedEvent, 'data' | 'payload'>, StoredContent {
  seq: number
  ordering_key: string | null
}

/** The next events of a reader. */
export interface NextEvents {
  events: StreamedEventRow[]
  /** The position after them. */
  after: number
  /** A transaction with lower sequence numbers is still open: its events have to come first. */
  isBlocked: boolean
}

const EVENTS_MAX = 100
/** Bytes of encrypted payloads. A single event may be larger. */
const BYTES_MAX = 1_000_000

/** The last sequence number that was taken: events that are published from now on come after it. */
export const lastSequenceNumber = async (db: Db): Promise<number> =>
  (await db.one<{ last_seq: number }>(sql`select last_seq from settled_events()`))?.last_seq ?? 0

/**
 * Reads the next events of several readers. `settled_events()` relies on the lock that the database trigger
 * `events_lock_sequence` takes (migrations/0008-events-and-webhooks.sql): no transaction with a sequence number up to
 * settled_seq is open. The events are read in a second statement, because its snapshot has to contain all of them.
 */
export async function readNextEvents(db: Db, positions: readonly StreamPosition[]): Promise<NextEvents[]> {
  const settled = await db.one<{ last_seq: number; settled_seq: number }>(
    sql`select last_seq, settled_seq from settled_events()`,
  )
  const { last_seq: lastSeq, settled_seq: settledSeq } = settled ?? { last_seq: 0, settled_seq: 0 }
  const readers = positions.map(({ projectId, after, types, triggerIds }, n) => ({
    n,
    project_id: projectId,
    after,
    types,
    trigger_ids: triggerIds,
  }))
  const rows = await db.rows<StreamedEventRow & { n: number }>(sql`
    select r.n, e.seq, e.id, e.type, e.data, e.encrypted_payload, e.ordering_key, e.created_at, e.project_id,
      p.organization_id
    from jsonb_to_recordset(${JSON.stringify(readers)}::jsonb)
      as r (n int, project_id text, after bigint, types text[], trigger_ids text[])
    join projects p on p.id = r.project_id
    cross join lateral (
      select * from (
        select f.*, sum(coalesce(octet_length(f.encrypted_payload), 0))
          over (order by f.seq rows between unbounded preceding and 1 preceding) as bytes_before
        from (
          select * from events e
          where e.project_id = r.project_id and e.seq > r.after and e.seq <= ${settledSeq}
            and (r.types is null or e.type = any(r.types))
            and (r.trigger_ids is null or e.ordering_key = any(r.trigger_ids))
          order by e.seq limit ${EVENTS_MAX}) f) g
      where coalesce(g.bytes_before, 0) < ${BYTES_MAX}) e
    order by r.n, e.seq`)
  const byReader = Map.groupBy(rows, ({ n }) => n)
  return positions.map(({ after }, n) => {
    const events = byReader.get(n) ?? []
    return {
      events,
      after: events.at(-1)?.seq ?? Math.max(after, settledSeq),
      isBlocked: settledSeq < lastSeq,
    }
  })
}
