import { type Sql, sql } from '../../../platform/db/sql.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Executions that are written later than this after the end of their hour mark the hour as stale. */
export const LATE_AFTER_MINUTES = 5
/**
 * Hours are rolled up this long after their end. The time between both must be longer than the clock of the database
 * may step back. A statement that is still writing then is waited for.
 */
export const ROLL_UP_AFTER_MINUTES = 10

/** Returns the start of the hour of a time. */
export const hourOf = (time: Sql): Sql => sql`date_bin('1 hour', ${time}, timestamptz 'epoch')`

/** Returns the start of the day of UTC of a time. */
export const dayOf = (time: Sql): Sql => sql`date_bin('1 day', ${time}, timestamptz 'epoch')`

/** Returns a time that is given in milliseconds since the epoch. */
export const instant = (ms: number): Sql => sql`to_timestamp(${ms}::double precision / 1000)`

/** Returns a statement that marks hours as stale. `hours`: a query of project_id and hour. */
export const markStale = (hours: Sql): Sql => sql`
  insert into usage_stale_hours (project_id, hour) select distinct project_id, hour from (${hours}) h order by 1, 2
  on conflict (project_id, hour) do update set hour = excluded.hour`

/** Roll-ups, refreshes and retention lock the progress first, so that a day is always the sum of its hours. */
export const LOCK_PROGRESS = sql`select * from usage_progress for update`
