import { type Db, sql } from '../../../platform/db/sql.ts'
import type { Told } from '../../webhooks/payload.ts'

/** Where a reader stands, and what it wants: types without the brand, ordering keys; null for all. */
export interface Place {
  projectId: string
  after: number
  types: readonly string[] | null
  triggers: readonly string[] | null
}

export interface Passed extends Omit<Told, 'payload'> {
  seq: number
  ordering_key: string | null
  encrypted_payload: Buffer | null
}

/** What comes next. `at`: the place after it. `isHeld`: events may be under way that have to come first. */
export interface Next {
  events: Passed[]
  at: number
  isHeld: boolean
}

const EVENTS_MAX = 100
/** Of what applications sent; one event may be larger alone. */
const BYTES_MAX = 1_000_000

/** The last number that an event got: what is told from now on comes after it. */
export const now = async (db: Db): Promise<number> =>
  (await db.one<{ last_seq: number }>(sql`select last_seq from settled_events()`))?.last_seq ?? 0

/** Reads on from many places at once. Two statements: the second must see everything that the first calls settled. */
export async function readOn(db: Db, places: readonly Place[]): Promise<Next[]> {
  const { last_seq: lastSeq, settled_seq: settledSeq } = (await db.one<{ last_seq: number; settled_seq: number }>(
    sql`select last_seq, settled_seq from settled_events()`,
  )) ?? { last_seq: 0, settled_seq: 0 }
  const wanted = places.map(({ projectId, after, types, triggers }, n) => ({
    n,
    project_id: projectId,
    after,
    types,
    triggers,
  }))
  const rows = await db.rows<Passed & { n: number }>(sql`
    select w.n, e.seq, e.id, e.type, e.data, e.encrypted_payload, e.ordering_key, e.created_at, e.project_id, p.organization_id
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w (n int, project_id text, after bigint, types text[], triggers text[])
    join projects p on p.id = w.project_id
    cross join lateral (
      select * from (
        select f.*, sum(coalesce(octet_length(f.encrypted_payload), 0)) over (order by f.seq rows between unbounded preceding and 1 preceding) as before
        from (
          select * from events e
          where e.project_id = w.project_id and e.seq > w.after and e.seq <= ${settledSeq} and (w.types is null or e.type = any(w.types)) and (w.triggers is null or e.ordering_key = any(w.triggers))
          order by e.seq limit ${EVENTS_MAX}) f) g
      where coalesce(g.before, 0) < ${BYTES_MAX}) e
    order by w.n, e.seq`)
  const byPlace = Map.groupBy(rows, ({ n }) => n)
  return places.map(({ after }, n) => {
    const events = byPlace.get(n) ?? []
    return { events, at: events.at(-1)?.seq ?? Math.max(after, settledSeq), isHeld: settledSeq < lastSeq }
  })
}
