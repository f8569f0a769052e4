import { type Db, sql } from '../../platform/db/sql.ts'
import { INSTANCE, type InstanceRow } from './store.ts'

/** A poll that is due and was taken. Only who has the latest claim may write down what came of it. */
export interface Due extends InstanceRow {
  claim: string
  state: Buffer | null
  interval_seconds: number
  failures: number
  failing_for_s: number | null
  lag_s: number
}

/** Longer than any poll. Whoever has not written by then has lost the instance to another. */
export const LEASE_S = 180
/** Projects that are looked at in one go, chosen at random among those with something to do, so that each has its turn however many there are. */
const PROJECTS_MAX = 128

/**
 * Takes up to `limit` due polls of all projects, at most `room` of one (`busy` overrides it). Projects are found by hopping through the index, so that a
 * large one costs the others nothing.
 */
export const take = (
  db: Db,
  { limit, room, busy }: { limit: number; room: number; busy: ReadonlyMap<string, number> },
): Promise<Due[]> =>
  db.rows(sql`
  with recursive waiting as (
    (select project_id from trigger_polls where next_run is not null order by project_id limit 1)
    union all
    select (select project_id from trigger_polls where next_run is not null and project_id > w.project_id order by project_id limit 1) from waiting w where w.project_id is not null
  ), chosen as (
    select w.project_id from waiting w join projects p on p.id = w.project_id and p.triggers_enabled and p.deleted_at is null
    where exists (select 1 from trigger_polls where project_id = w.project_id and next_run <= now()) order by random() limit ${PROJECTS_MAX}::int
  ), due as (
    select d.instance_id, d.next_run from chosen s
    left join unnest(${[...busy.keys()]}::text[], ${[...busy.values()]}::int[]) as b (id, room) on b.id = s.project_id
    cross join lateral (
      select instance_id, next_run from trigger_polls where project_id = s.project_id and next_run <= now() order by next_run limit greatest(0, least(coalesce(b.room, ${room}::int), ${room}::int)) for update skip locked) d
    limit ${limit}::int
  )
  update trigger_polls t set claim = t.claim + 1, next_run = now() + make_interval(secs => ${LEASE_S}::int)
  from due, trigger_instances i, connected_accounts c, auth_configs a
  where t.instance_id = due.instance_id and i.id = due.instance_id and c.id = i.connected_account_id and a.id = c.auth_config_id
  returning ${INSTANCE}, t.claim::text, t.state, t.interval_seconds, t.failures, extract(epoch from now() - t.failing_since)::float8 as failing_for_s, extract(epoch from now() - due.next_run)::float8 as lag_s`)

/** What came of a poll. `delay_s`: until the next one. `state`: null where it is as it was. */
export interface Outcome {
  id: string
  claim: string
  ok: boolean
  delay_s: number
  interval_seconds: number
  state: Buffer | null
  log: { kind: 'failure' | 'gap'; message: string } | null
}

/** Writes down what came of polls, as one statement; those that somebody else has taken meanwhile are left out. Answers the ids of those that were written. */
export const record = async (tx: Db, outcomes: readonly Outcome[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
  with outcome as (
    select * from unnest(
      ${outcomes.map(({ id }) => id)}::text[], ${outcomes.map(({ claim }) => claim)}::bigint[], ${outcomes.map(({ ok }) => ok)}::boolean[], ${outcomes.map(({ delay_s }) => delay_s)}::float8[], ${outcomes.map(({ interval_seconds }) => Math.round(interval_seconds))}::int[],
      ${outcomes.map(({ state }) => state)}::bytea[], ${outcomes.map(({ log }) => log?.kind ?? null)}::text[], ${outcomes.map(({ log }) => log?.message ?? null)}::text[]
    ) as o (id, claim, ok, delay_s, interval_seconds, state, kind, message)
  ), written as (
    update trigger_polls t set next_run = now() + make_interval(secs => o.delay_s), interval_seconds = o.interval_seconds, state = coalesce(o.state, t.state), last_run = now(),
      last_ok = case when o.ok then now() else t.last_ok end, failures = case when o.ok then 0 else t.failures + 1 end, failing_since = case when o.ok then null else coalesce(t.failing_since, now()) end
    from outcome o where t.instance_id = o.id and t.claim = o.claim and t.next_run is not null
    returning t.instance_id, t.project_id, o.kind, o.message
  ), logged as (
    insert into trigger_logs (id, project_id, instance_id, kind, message)
    select 'log_' || left(replace(gen_random_uuid()::text, '-', ''), 24), project_id, instance_id, kind, message from written where kind is not null
  )
  select instance_id as id from written`)
  ).map(({ id }) => id)

/** Polls that were taken and not made are due again. */
export const giveBack = (db: Db, polls: readonly Pick<Due, 'id' | 'claim'>[]): Promise<number> =>
  db.run(sql`
  update trigger_polls t set next_run = now() from unnest(${polls.map(({ id }) => id)}::text[], ${polls.map(({ claim }) => claim)}::bigint[]) as o (id, claim)
  where t.instance_id = o.id and t.claim = o.claim and t.next_run is not null`)

/** How an instance that was just created, or enabled, is polled from now on: `state` is what is there already. */
export const begin = (
  tx: Db,
  projectId: string,
  id: string,
  { state, pauseS, delayS }: { state: Buffer; pauseS: number; delayS: number },
): Promise<number> =>
  tx.run(sql`
  insert into trigger_polls as t (instance_id, project_id, state, interval_seconds, next_run, last_run, last_ok)
  values (${id}, ${projectId}, ${state}, ${pauseS}, now() + make_interval(secs => ${delayS}), now(), now())
  on conflict (instance_id) do update set state = excluded.state, interval_seconds = excluded.interval_seconds, next_run = excluded.next_run, last_run = now(), last_ok = now(), failures = 0, failing_since = null, claim = t.claim + 1`)

/** No poll is further away than the longest interval there is, and the jitter beside it. */
const AWAY_MAX_HOURS = 200

/** Brings back instances that nobody would poll any more: enabled ones without a next run, and those whose next run a clock that jumped has put far away. Answers how many. */
export const heal = (db: Db): Promise<number> =>
  db.run(sql`
  update trigger_polls t set next_run = now(), claim = t.claim + 1 from trigger_instances i
  where i.id = t.instance_id and i.deleted_at is null and i.disabled_at is null and (t.next_run is null or t.next_run > now() + make_interval(hours => ${AWAY_MAX_HOURS}))`)

/** How polling stands over all projects. */
export const standing = async (db: Db): Promise<{ stalled: number; lag_s: number }> =>
  (await db.one<{ stalled: number; lag_s: number }>(sql`
  select (select count(*)::int from trigger_polls p join trigger_instances i on i.id = p.instance_id where p.next_run < now() - interval '15 minutes') as stalled,
    coalesce((select extract(epoch from now() - min(next_run))::float8 from trigger_polls where next_run < now()), 0) as lag_s`)) ?? {
    stalled: 0,
    lag_s: 0,
  }

/** Disables an instance that cannot be polled, unless somebody else has taken it meanwhile. */
export const giveUp = (db: Db, { id, claim, project_id: projectId }: Due, message: string): Promise<number> =>
  db.run(sql`
  with given_up as (
    update trigger_instances i set disabled_at = now(), disabled_reason = 'polling_failure_in_service_infra', updated_at = now()
    where i.project_id = ${projectId} and i.id = ${id} and i.deleted_at is null and i.disabled_at is null and exists (select 1 from trigger_polls where instance_id = i.id and claim = ${claim}::bigint)
    returning i.id, i.project_id)
  insert into trigger_logs (id, project_id, instance_id, kind, message)
  select 'log_' || left(replace(gen_random_uuid()::text, '-', ''), 24), project_id, id, 'failure', ${message} from given_up`)

const LOGS_A_STATEMENT = 5_000

/** Removes lines that are older than events are kept. Answers whether there may be more. */
export const removeOldLogs = async (db: Db, days: number): Promise<boolean> =>
  (await db.run(sql`
  delete from trigger_logs where id in (select id from trigger_logs where event_id is null and created_at < now() - make_interval(days => ${days}::int) limit ${LOGS_A_STATEMENT})`)) ===
  LOGS_A_STATEMENT
