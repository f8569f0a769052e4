import type { Db, Pool, Sql } from '../../../platform/db/sql.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import { DIMENSIONS } from './counted.ts'
import { DAY_MS, dayOf, instant, LOCK_PROGRESS } from './hours.ts'

/** A statement over so many rows of usage_hours takes about a second. */
const ROWS_PER_STATEMENT = 300_000
const PORTIONS_MAX = 24

const DIMENSION_LIST = raw(`array[${DIMENSIONS.map((name) => `'${name}'`).join(', ')}]`)

/**
 * Adds up the hours of the next day whose hours are all rolled up, of all projects, in one transaction. Returns whether
 * there may be another one.
 */
export const rollUpNextDay = (db: Pool): Promise<boolean> =>
  db.begin(async (tx) => {
    await tx.run(LOCK_PROGRESS)
    const next = await tx.one<{ day: number }>(sql`
      with next as (
        select through, case when isfinite(days_through) then days_through else (
          select ${dayOf(sql`coalesce(min(h.hour), through)`)} from projects p cross join lateral (
            select hour from usage_hours where project_id = p.id and dimension = 'total'
            order by hour limit 1) h) end as day
        from usage_progress where isfinite(through))
      select (extract(epoch from day) * 1000)::bigint as day from next where day + interval '1 day' <= through`)
    if (!next) return false
    const { day } = next
    await insertDay(
      tx,
      day,
      (hours) => sql`projects p cross join unnest(${DIMENSION_LIST}) d (name) cross join lateral (
        select * from usage_hours where project_id = p.id and dimension = d.name and ${hours} offset 0) h`,
    )
    await tx.run(sql`
      update usage_progress
      set days_from = case when isfinite(days_through) then days_from else greatest(days_from, ${instant(day)}) end,
        days_through = ${instant(day + DAY_MS)}`)
    return true
  })

/** Adds up the day of an hour again, after the hour has changed. The transaction has the lock of the progress. */
export async function refreshDay(tx: Db, projectId: string, hour: number): Promise<void> {
  const day = Math.floor(hour / DAY_MS) * DAY_MS
  const isRolledUp = await tx.one(sql`
    select 1 from usage_progress where days_from <= ${instant(day)} and ${instant(day)} < days_through`)
  if (!isRolledUp) return
  await tx.run(sql`
    delete from usage_days
    where project_id = ${projectId} and dimension = any(${DIMENSION_LIST}) and day = ${instant(day)}`)
  await insertDay(
    tx,
    day,
    (hours) => sql`usage_hours h
      where h.project_id = ${projectId} and h.dimension = any(${DIMENSION_LIST}) and ${hours}`,
  )
}

/** `source` returns the rows of usage_hours that match a condition, for the clause `from`. */
async function insertDay(tx: Db, day: number, source: (hours: Sql) => Sql): Promise<void> {
  const between = (from: number, to: number) => sql`hour >= ${instant(from)} and hour < ${instant(to)}`
  const count = await tx.one<{ rows: number }>(
    sql`select count(*) as rows from ${source(between(day, day + DAY_MS))}`,
  )
  const portions = Math.min(Math.ceil((count?.rows ?? 0) / ROWS_PER_STATEMENT), PORTIONS_MAX)
  const length = DAY_MS / portions
  for (let n = 0; n < portions; n++)
    await insertPortion(tx, day, source(between(day + n * length, day + (n + 1) * length)))
}

const insertPortion = (tx: Db, day: number, source: Sql): Promise<number> =>
  tx.run(sql`
    with hours as materialized (select h.* from ${source}),
    durations as (
      select project_id, array_agg(duration_ms order by duration_ms) as durations,
        array_agg(calls order by duration_ms) as duration_calls
      from (
        select h.project_id, d.duration_ms, sum(d.calls)::int as calls
        from hours h cross join lateral unnest(h.durations, h.duration_calls) d (duration_ms, calls)
        group by 1, 2) d
      group by 1
    ), summed as (
      select project_id, dimension, key, user_id, sum(calls)::int as calls, sum(failed)::int as failed
      from hours group by 1, 2, 3, 4)
    insert into usage_days (project_id, day, dimension, key, user_id, calls, failed, durations, duration_calls)
    select s.project_id, ${instant(day)}, s.dimension, s.key, s.user_id, s.calls, s.failed, d.durations,
      d.duration_calls
    from summed s left join durations d on d.project_id = s.project_id and s.dimension = 'total'`)

/**
 * Notes that the hours and days before a time, which is the start of a day, are dropped in this transaction. It has the
 * locks of the progress and of the tables: a writer of late executions locks stale hours after these.
 */
export async function forgetUsage(tx: Db, before: Date): Promise<void> {
  await tx.run(sql`update usage_progress set days_from = greatest(days_from, ${before})`)
  await tx.run(sql`delete from usage_stale_hours where hour < ${before}`)
}
