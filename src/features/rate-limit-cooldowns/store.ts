import { notification } from '../../platform/change-bus.ts'
import { type Db, sql } from '../../platform/db/sql.ts'

const LOADED_MAX = 10_000

/** Stores a cooldown and reports it to all processes, in one statement. The longer one of two counts. */
export async function storeCooldown(
  db: Db,
  projectId: string,
  key: string,
  milliseconds: number,
  processId: string,
): Promise<void> {
  const change = {
    kind: 'cooldown_started',
    processId,
    key: sql`c.key`,
    milliseconds: sql`extract(epoch from c.until - now()) * 1000`,
  } as const
  await db.run(sql`
    with stored as (
      insert into rate_limit_cooldowns as c (project_id, key, until)
      values (${projectId}, ${key}, now() + ${milliseconds} * interval '1 millisecond')
      on conflict (project_id, key) do update set until = greatest(c.until, excluded.until)
      returning c.key, c.until)
    select ${notification(change)} from stored c`)
}

export interface ActiveCooldown {
  key: string
  milliseconds: number
}

/** The active cooldowns of all projects. A key contains an account or an auth config, which belong to one project. */
export const activeCooldowns = (db: Db): Promise<ActiveCooldown[]> =>
  db.rows(sql`
    select key, (extract(epoch from until - now()) * 1000)::float8 as milliseconds from rate_limit_cooldowns
    where until > now() order by until desc limit ${LOADED_MAX}`)

export async function removeOldCooldowns(db: Db): Promise<void> {
  await db.run(sql`delete from rate_limit_cooldowns where until < now() - interval '1 minute'`)
}
