import { all, type Db, type Sql, sql } from '../../platform/db/sql.ts'

/** An instance with what of its account stands in events. */
export interface InstanceRow {
  id: string
  uuid: string
  project_id: string
  connected_account_id: string
  toolkit_slug: string
  trigger_slug: string
  /** `latest`, or a release. */
  version: string
  config: Record<string, unknown>
  disabled_at: Date | null
  disabled_reason: string | null
  created_at: Date
  updated_at: Date
  connected_account_uuid: string
  auth_config_id: string
  user_id: string
  is_service_managed: boolean
}

/** An instance as lists show it; how polling stands is null where it does not poll. */
export interface ListedRow extends InstanceRow {
  next_run: Date | null
  last_run: Date | null
  last_ok: Date | null
  failures: number | null
  lag_s: number | null
  stalled: boolean | null
}

/** The columns of an `InstanceRow` from `INSTANCES`. */
export const INSTANCE = sql`i.id, i.uuid, i.project_id, i.connected_account_id, i.toolkit_slug, i.trigger_slug, i.version, i.config, i.disabled_at, i.disabled_reason, i.created_at, i.updated_at,
  c.uuid as connected_account_uuid, c.auth_config_id, c.user_id, a.is_service_managed`
export const INSTANCES = sql`trigger_instances i join connected_accounts c on c.id = i.connected_account_id join auth_configs a on a.id = c.auth_config_id`

/** After so many intervals, and at least so many seconds, without one poll that came to something, an instance is stalled. */
const STALLED_INTERVALS = 3
const STALLED_S_MIN = 900
export const STALLED = sql`(i.disabled_at is null and greatest(p.last_ok, i.updated_at) < now() - make_interval(secs => greatest(${STALLED_S_MIN}, ${STALLED_INTERVALS} * 60 * (i.config->>'interval')::double precision)))`

export interface AccountFacts {
  id: string
  user_id: string
  status: string
  toolkit_slug: string
  is_service_managed: boolean
}

export const accountFacts = (db: Db, projectId: string, id: string): Promise<AccountFacts | undefined> =>
  db.one(sql`
  select c.id, c.user_id, c.status, c.toolkit_slug, a.is_service_managed from connected_accounts c join auth_configs a on a.id = c.auth_config_id
  where c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null`)

export interface NewInstance {
  id: string
  connected_account_id: string
  toolkit_slug: string
  trigger_slug: string
  config: Record<string, unknown>
  config_hash: string
}

/**
 * Creates an instance, or enables the one that is like it, unless its account is not ACTIVE any more: undefined then. `version`: of the new one, and of the one that is there if
 * the caller named it.
 */
export const upsert = (
  tx: Db,
  projectId: string,
  row: NewInstance,
  version: { name: string; isNamed: boolean },
): Promise<{ id: string; uuid: string; created: boolean; former_reason: string | null } | undefined> =>
  tx.one(sql`
  insert into trigger_instances as i (id, project_id, connected_account_id, toolkit_slug, trigger_slug, version, config, config_hash)
  select ${row.id}, c.project_id, c.id, ${row.toolkit_slug}, ${row.trigger_slug}, ${version.name}, ${JSON.stringify(row.config)}::jsonb, ${row.config_hash}
  from connected_accounts c where c.project_id = ${projectId} and c.id = ${row.connected_account_id} and c.status = 'ACTIVE' and c.deleted_at is null for share
  on conflict (connected_account_id, trigger_slug, config_hash) where deleted_at is null
  do update set version = case when ${version.isNamed}::boolean then excluded.version else i.version end, disabled_at = null, disabled_reason = null, updated_at = now()
  returning i.id, i.uuid, i.xmax = 0 as created, (select disabled_reason from trigger_instances b where b.id = i.id) as former_reason`)

/** The instance of an account with this trigger and configuration. */
export const findSame = (
  db: Db,
  projectId: string,
  row: Pick<NewInstance, 'connected_account_id' | 'trigger_slug' | 'config_hash'>,
): Promise<InstanceRow | undefined> =>
  db.one(sql`
  select ${INSTANCE} from ${INSTANCES} where i.project_id = ${projectId} and i.connected_account_id = ${row.connected_account_id} and i.trigger_slug = ${row.trigger_slug} and i.config_hash = ${row.config_hash} and i.deleted_at is null`)

/** Deleted ones are told apart from those that never were. */
export const find = (
  db: Db,
  projectId: string,
  id: string,
): Promise<(InstanceRow & { deleted_at: Date | null }) | undefined> =>
  db.one(sql`
  select ${INSTANCE}, i.deleted_at from ${INSTANCES} where i.project_id = ${projectId} and i.id = ${id}`)

/** How many there are, counted no further than `most`. */
export const countUpTo = async (db: Db, projectId: string, most: number): Promise<number> =>
  (
    await db.one<{ n: number }>(
      sql`select count(*)::int as n from (select 1 from trigger_instances where project_id = ${projectId} and deleted_at is null limit ${most}) s`,
    )
  )?.n ?? 0

/** Why an instance is disabled that its user disabled. */
export const BY_USER = 'user'

/** Disables an instance unless it is disabled, as part of what it follows from; the rest follows by itself. */
export const disable = (tx: Db, projectId: string, id: string, reason: string): Promise<number> =>
  tx.run(sql`
  update trigger_instances set disabled_at = now(), disabled_reason = ${reason}, updated_at = now()
  where project_id = ${projectId} and id = ${id} and deleted_at is null and disabled_at is null`)

/** Enables an instance unless it is enabled. One that its user disabled begins anew, as what happened while nobody wanted it is not told; one that the server disabled goes on where it ended. */
export const enable = (tx: Db, projectId: string, id: string): Promise<number> =>
  tx.run(sql`
  with enabled as (
    update trigger_instances i set disabled_at = null, disabled_reason = null, updated_at = now()
    from (select id, disabled_reason from trigger_instances where project_id = ${projectId} and id = ${id} and deleted_at is null and disabled_at is not null for update) b
    where i.id = b.id returning i.id, b.disabled_reason)
  update trigger_polls p set state = null from enabled e where p.instance_id = e.id and e.disabled_reason = ${BY_USER}`)

export const remove = (tx: Db, projectId: string, id: string): Promise<number> =>
  tx.run(sql`
  update trigger_instances set deleted_at = now(), updated_at = now() where project_id = ${projectId} and id = ${id} and deleted_at is null`)

export interface InstanceFilter {
  accounts?: readonly string[] | undefined
  accountUuids?: readonly string[] | undefined
  authConfigs?: readonly string[] | undefined
  authConfigUuids?: readonly string[] | undefined
  ids?: readonly string[] | undefined
  triggers?: readonly string[] | undefined
  users?: readonly string[] | undefined
  showDisabled: boolean
}

export async function list(
  db: Db,
  projectId: string,
  filter: InstanceFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: ListedRow[]; total: number }> {
  const among = (column: Sql, values: readonly string[] | undefined) =>
    values?.length ? sql`${column} = any(${values as string[]}::text[])` : undefined
  const where = all(
    sql`i.project_id = ${projectId}`,
    sql`i.deleted_at is null`,
    !filter.showDisabled && sql`i.disabled_at is null`,
    among(sql`c.id`, filter.accounts),
    among(sql`c.uuid::text`, filter.accountUuids),
    among(sql`a.id`, filter.authConfigs),
    among(sql`a.uuid::text`, filter.authConfigUuids),
    among(sql`i.id`, filter.ids),
    among(sql`i.trigger_slug`, filter.triggers),
    among(sql`c.user_id`, filter.users),
  )
  const rows = await db.rows<ListedRow>(sql`
    select ${INSTANCE}, p.next_run, p.last_run, p.last_ok, p.failures, floor(greatest(0, extract(epoch from now() - p.next_run)))::int as lag_s, case when p.instance_id is not null then ${STALLED} end as stalled
    from ${INSTANCES} left join trigger_polls p on p.instance_id = i.id where ${where} order by i.created_at desc, i.id limit ${page.limit} offset ${page.offset}`)
  const total = await db.one<{ total: number }>(
    sql`select count(*)::int as total from ${INSTANCES} where ${where}`,
  )
  return { rows, total: total?.total ?? 0 }
}
