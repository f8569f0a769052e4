import { type Db, sql } from '../../platform/db/sql.ts'

const LOADED_MAX = 10_000

/** Keeps a pause and tells it to every server, in one statement. The longer of two stays. */
export async function keepPause(
  db: Db,
  projectId: string,
  key: string,
  ms: number,
  from: string,
): Promise<void> {
  await db.run(sql`
    with kept as (
      insert into rate_limit_cooldowns as p (project_id, key, until) values (${projectId}, ${key}, now() + ${ms} * interval '1 millisecond')
      on conflict (project_id, key) do update set until = greatest(p.until, excluded.until) returning key, until)
    select pg_notify('changed', 'pause ' || json_build_object('from', ${from}::text, 'key', key, 'ms', extract(epoch from until - now()) * 1000)::text) from kept`)
}

/** Pauses of all projects that are not over, for the memory of a server: keys name accounts and auth configs, which belong to one project each. */
export function presentPauses(db: Db): Promise<{ key: string; ms: number }[]> {
  return db.rows(
    sql`select key, (extract(epoch from until - now()) * 1000)::float8 as ms from rate_limit_cooldowns where until > now() order by until desc limit ${LOADED_MAX}`,
  )
}

export async function removeOldPauses(db: Db): Promise<void> {
  await db.run(sql`delete from rate_limit_cooldowns where until < now() - interval '1 minute'`)
}
