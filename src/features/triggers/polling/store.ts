import { type Db, sql } from '../../../platform/db/sql.ts'
import { INSTANCE_COLUMNS, type InstanceRow, type StoredInstance } from '../instances/store.ts'
import { withConfig } from '../instances/stored-config.ts'
import type { NewLog } from '../logs/new-log.ts'
import { insertLog } from '../logs/store.ts'
import { disableInstance } from '../state-machine.ts'

/** A due poll that this process has claimed. Only the process with the latest claim may write its result. */
export interface ClaimedPoll extends InstanceRow {
  claim: string
  state: Buffer | null
  interval_seconds: number
  failures: number
  failing_for_s: number | null
  lag_s: number
}

/** A process that has neither written its result nor extended its claim by then loses the claim. */
export const POLL_LEASE_SECONDS = 30
/** Projects that one claim looks at, chosen at random among those with due polls, so that each has its turn. */
const PROJECTS_PER_CLAIM_MAX = 128

/** How many polls to claim. */
export interface PollCapacity {
  limit: number
  /** Per project, so that one project cannot starve the others. */
  perProject: number
  /** Lower numbers for projects with polls in progress. */
  perBusyProject: ReadonlyMap<string, number>
}

/**
 * Claims due polls of all projects. Each project is found by one index lookup (a loose index scan), so that a large
 * project does not slow down the others.
 */
export async function claimPolls(
  db: Db,
  { limit, perProject, perBusyProject: busy }: PollCapacity,
): Promise<ClaimedPoll[]> {
  const rows = await db.rows<StoredInstance<ClaimedPoll>>(sql`
  with recursive scheduled as (
    (select project_id from trigger_polls where next_run is not null order by project_id limit 1)
    union all
    select (
      select project_id from trigger_polls
      where next_run is not null and project_id > s.project_id order by project_id limit 1)
    from scheduled s where s.project_id is not null
  ), chosen as (
    select s.project_id from scheduled s
    join projects p on p.id = s.project_id and p.triggers_enabled and p.deleted_at is null
    where exists (select 1 from trigger_polls where project_id = s.project_id and next_run <= now())
    order by random() limit ${PROJECTS_PER_CLAIM_MAX}::int
  ), due as (
    select d.instance_id, d.next_run from chosen c
    left join unnest(${[...busy.keys()]}::text[], ${[...busy.values()]}::int[]) as b (id,
      capacity) on b.id = c.project_id
    cross join lateral (
      select instance_id, next_run from trigger_polls where project_id = c.project_id and next_run <= now()
      order by next_run limit greatest(0, least(coalesce(b.capacity, ${perProject}::int), ${perProject}::int))
      for update skip locked) d
    limit ${limit}::int
  )
  update trigger_polls t set claim = t.claim + 1, next_run = now() + make_interval(secs => ${POLL_LEASE_SECONDS}::int)
  from due, trigger_instances i, connected_accounts c, auth_configs a
  where t.instance_id = due.instance_id and i.id = due.instance_id and c.id = i.connected_account_id
    and a.id = c.auth_config_id
  returning ${INSTANCE_COLUMNS}, t.claim::text, t.state, t.interval_seconds, t.failures,
    extract(epoch from now() - t.failing_since)::float8 as failing_for_s,
    extract(epoch from now() - due.next_run)::float8 as lag_s`)
  return rows.map((row) => withConfig(db, row))
}

/** The result of a poll. */
export interface PollRecord {
  id: string
  claim: string
  ok: boolean
  /** Seconds until the next poll. */
  delay_s: number
  interval_seconds: number
  /** Null if it did not change. */
  state: Buffer | null
  log: NewLog | null
}

/**
 * Stores results in one statement, except those of polls that another process has claimed, or whose instance was
 * disabled. A stored result ends its claim. Returns the ids of the stored ones.
 */
export const storePolls = async (tx: Db, records: readonly PollRecord[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
  with result as (
    select * from unnest(
      ${records.map(({ id }) => id)}::text[], ${records.map(({ claim }) => claim)}::bigint[],
      ${records.map(({ ok }) => ok)}::boolean[], ${records.map(({ delay_s }) => delay_s)}::float8[],
      ${records.map(({ interval_seconds: seconds }) => Math.round(seconds))}::int[],
      ${records.map(({ state }) => state)}::bytea[], ${records.map(({ log }) => log?.kind ?? null)}::text[],
      ${records.map(({ log }) => log?.id ?? null)}::text[],
      ${records.map(({ log }) => log?.encrypted_message ?? null)}::bytea[]
    ) as r (id, claim, ok, delay_s, interval_seconds, state, kind, log_id, encrypted_message)
  ), stored as (
    update trigger_polls t
    set claim = t.claim + 1, next_run = now() + make_interval(secs => r.delay_s), interval_seconds = r.interval_seconds,
      state = coalesce(r.state, t.state), last_run = now(), last_ok = case when r.ok then now() else t.last_ok end,
      failures = case when r.ok then 0 else t.failures + 1 end,
      failing_since = case when r.ok then null else coalesce(t.failing_since, now()) end
    from result r where t.instance_id = r.id and t.claim = r.claim and t.next_run is not null
    returning t.instance_id, t.project_id, r.kind, r.log_id, r.encrypted_message
  ), logs as (
    insert into trigger_logs (id, project_id, instance_id, kind, encrypted_message)
    select log_id, project_id, instance_id, kind, encrypted_message
    from stored where kind is not null
  )
  select instance_id as id from stored`)
  ).map(({ id }) => id)

/** Makes polls due again that were claimed and not run. */
export const releasePolls = (db: Db, polls: readonly Pick<ClaimedPoll, 'id' | 'claim'>[]): Promise<number> =>
  db.run(sql`
  update trigger_polls t set next_run = now()
  from unnest(${polls.map(({ id }) => id)}::text[], ${polls.map(({ claim }) => claim)}::bigint[]) as p (id, claim)
  where t.instance_id = p.id and t.claim = p.claim and t.next_run is not null`)

/**
 * Extends the claims of polls in progress, so that another process polls only after this one has stopped. A claim whose
 * result is stored, or that another process has, is not extended. Returns how many were.
 */
export const extendPolls = (db: Db, polls: readonly Pick<ClaimedPoll, 'id' | 'claim'>[]): Promise<number> =>
  db.run(sql`
  update trigger_polls t set next_run = now() + make_interval(secs => ${POLL_LEASE_SECONDS}::int)
  from unnest(${polls.map(({ id }) => id)}::text[], ${polls.map(({ claim }) => claim)}::bigint[]) as p (id, claim)
  where t.instance_id = p.id and t.claim = p.claim and t.next_run is not null`)

/** Starts polling an instance that was just created, or enabled by its user. `state` has the existing items. */
export const startPolling = (
  tx: Db,
  projectId: string,
  id: string,
  { state, intervalSeconds, delaySeconds }: { state: Buffer; intervalSeconds: number; delaySeconds: number },
): Promise<number> =>
  tx.run(sql`
  insert into trigger_polls as t (instance_id, project_id, state, interval_seconds, next_run, last_run, last_ok)
  values (
    ${id}, ${projectId}, ${state}, ${intervalSeconds}, now() + make_interval(secs => ${delaySeconds}), now(), now())
  on conflict (instance_id) do update
  set state = excluded.state, interval_seconds = excluded.interval_seconds, next_run = excluded.next_run,
    last_run = now(), last_ok = now(), failures = 0, failing_since = null, claim = t.claim + 1`)

/** Polls instances soon, except those whose poll may be in progress. Returns the ids of the others. */
export const pollNow = async (
  tx: Db,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await tx.rows<{ id: string }>(sql`
  update trigger_polls set next_run = now()
  where project_id = ${projectId} and instance_id = any(${ids as string[]}::text[])
    and next_run > now() + make_interval(secs => ${POLL_LEASE_SECONDS}::int)
  returning instance_id as id`)
    ).map(({ id }) => id),
  )

/** Longer than the longest interval with its jitter. */
const NEXT_RUN_HOURS_MAX = 200

/**
 * Schedules instances that would never be polled: enabled ones without a next run, and those whose next run is too far
 * away because a clock jumped. Returns how many.
 */
export const recoverPolls = (db: Db): Promise<number> =>
  db.run(sql`
  update trigger_polls t set next_run = now(), claim = t.claim + 1 from trigger_instances i
  where i.id = t.instance_id and i.deleted_at is null and i.disabled_at is null
    and (t.next_run is null or t.next_run > now() + make_interval(hours => ${NEXT_RUN_HOURS_MAX}))`)

/** How late polls are, over all projects. */
export interface PollingStats {
  stalled: number
  lag_s: number
}

export const pollingStats = async (db: Db): Promise<PollingStats> =>
  (await db.one<PollingStats>(sql`
  select (
      select count(*)::int from trigger_polls p join trigger_instances i on i.id = p.instance_id
      where p.next_run < now() - interval '15 minutes') as stalled,
    coalesce((
      select extract(epoch from now() - min(next_run))::float8 from trigger_polls
        where next_run < now()), 0) as lag_s`)) ?? {
    stalled: 0,
    lag_s: 0,
  }

/**
 * Disables an instance that cannot be polled, with the last failure in its log. Returns false if another process has
 * claimed its poll, or it is disabled.
 */
export async function disableFailing(
  tx: Db,
  { id, claim, project_id: projectId }: Pick<ClaimedPoll, 'id' | 'claim' | 'project_id'>,
  log: NewLog | null,
): Promise<boolean> {
  const owned = await tx.one(sql`
    select 1 from trigger_polls p
    join trigger_instances i on i.id = p.instance_id and i.deleted_at is null and i.disabled_at is null
    where p.project_id = ${projectId} and p.instance_id = ${id} and p.claim = ${claim}::bigint
    for no key update of i`)
  if (!owned) return false
  if (log) await insertLog(tx, projectId, id, log)
  return disableInstance(tx, projectId, id, 'polling_failure_in_service_infra')
}
