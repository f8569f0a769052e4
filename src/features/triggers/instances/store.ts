import { all, type Db, type Sql, sql } from '../../../platform/db/sql.ts'
import { type ListPage, newestFirst, type PageWindow, readListPage } from '../../../platform/list-page.ts'
import { DISABLED_BY_USER } from '../state-machine.ts'
import {
  configColumns,
  configHash,
  type InstanceIdentity,
  type StoredConfig,
  withConfig,
} from './stored-config.ts'

/** An instance, with the fields of its account that its events contain. */
export interface InstanceRow {
  id: string
  uuid: string
  project_id: string
  connected_account_id: string
  toolkit_slug: string
  trigger_slug: string
  /** `latest`, or the requested version. */
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

/** An instance in a list. The fields of polling are null for an instance that does not poll. */
export interface ListedInstanceRow extends InstanceRow {
  next_run: Date | null
  last_run: Date | null
  last_ok: Date | null
  failures: number | null
  lag_s: number | null
  stalled: boolean | null
}

/** An instance as a statement returns it; `withConfig` makes it an `InstanceRow`. */
export type StoredInstance<Row extends InstanceRow = InstanceRow> = Omit<Row, 'config'> & StoredConfig

/** The columns of a `StoredInstance`, from `INSTANCE_TABLES`. */
export const INSTANCE_COLUMNS = sql`i.id, i.uuid, i.project_id, i.connected_account_id, i.toolkit_slug,
    i.trigger_slug, i.version, i.config, i.encrypted_config, i.disabled_at, i.disabled_reason, i.created_at,
    i.updated_at,
  c.uuid as connected_account_uuid, c.auth_config_id, c.user_id, a.is_service_managed`
export const INSTANCE_TABLES = sql`trigger_instances i
    join connected_accounts c on c.id = i.connected_account_id join auth_configs a on a.id = c.auth_config_id`

/** An instance is stalled after so many intervals, and at least so many seconds, without a successful poll. */
const STALLED_INTERVALS = 3
const STALLED_S_MIN = 900
const STALLED = sql`(i.disabled_at is null
    and greatest(p.last_ok, i.updated_at) < now() - make_interval(secs => greatest(${STALLED_S_MIN},
    ${STALLED_INTERVALS} * 60 * i.interval_minutes)))`

export interface AccountFacts {
  id: string
  user_id: string
  status: string
  toolkit_slug: string
  is_service_managed: boolean
}

export const findAccountFacts = (db: Db, projectId: string, id: string): Promise<AccountFacts | undefined> =>
  db.one(sql`
  select c.id, c.user_id, c.status, c.toolkit_slug, a.is_service_managed from connected_accounts c
    join auth_configs a on a.id = c.auth_config_id
  where c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null`)

export interface NewInstance extends InstanceIdentity {
  id: string
  toolkit_slug: string
}

/**
 * Creates an instance, or finds the equal one, unless its account is not ACTIVE: undefined then. `version` is that of
 * the new instance, and replaces that of an existing one if the caller named it. `former_reason` is why the existing
 * one is disabled.
 */
export const upsert = (
  tx: Db,
  projectId: string,
  row: NewInstance,
  version: { name: string; isNamed: boolean },
): Promise<{ id: string; uuid: string; created: boolean; former_reason: string | null } | undefined> => {
  const { encrypted_config: config, interval_minutes: interval } = configColumns(
    projectId,
    row.id,
    row.config,
  )
  return tx.one(sql`
  insert into trigger_instances as i (id, project_id, connected_account_id, toolkit_slug, trigger_slug,
    version, encrypted_config, interval_minutes, config_hash)
  select ${row.id}, c.project_id, c.id, ${row.toolkit_slug}, ${row.trigger_slug}, ${version.name},
    ${config}::bytea, ${interval}::double precision, ${configHash(projectId, row)}
  from connected_accounts c where c.project_id = ${projectId} and c.id = ${row.connected_account_id}
    and c.status = 'ACTIVE' and c.deleted_at is null for share
  on conflict (connected_account_id, trigger_slug, config_hash) where deleted_at is null
  do update set version = case when ${version.isNamed}::boolean then excluded.version
    else i.version end, updated_at = now()
  returning i.id, i.uuid, i.xmax = 0 as created, i.disabled_reason as former_reason`)
}

/** The instance of an account with this trigger and configuration. */
export async function findSame(
  db: Db,
  projectId: string,
  row: InstanceIdentity,
): Promise<InstanceRow | undefined> {
  const found = await db.one<StoredInstance>(sql`
  select ${INSTANCE_COLUMNS} from ${INSTANCE_TABLES} where i.project_id = ${projectId}
    and i.connected_account_id = ${row.connected_account_id} and i.trigger_slug = ${row.trigger_slug}
    and i.config_hash = ${configHash(projectId, row)} and i.deleted_at is null`)
  return found && withConfig(db, found)
}

/** Also finds a deleted instance. */
export async function findInstance(
  db: Db,
  projectId: string,
  id: string,
): Promise<(InstanceRow & { deleted_at: Date | null }) | undefined> {
  const found = await db.one<StoredInstance<InstanceRow & { deleted_at: Date | null }>>(sql`
  select ${INSTANCE_COLUMNS}, i.deleted_at from ${INSTANCE_TABLES} where i.project_id = ${projectId} and i.id = ${id}`)
  return found && withConfig(db, found)
}

/** The number of instances, but at most `most`. */
export const countUpTo = async (db: Db, projectId: string, most: number): Promise<number> =>
  (
    await db.one<{ n: number }>(
      sql`select count(*)::int as n from (select 1 from trigger_instances where project_id = ${projectId}
          and deleted_at is null limit ${most}) s`,
    )
  )?.n ?? 0

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

export async function listInstances(
  db: Db,
  projectId: string,
  filter: InstanceFilter,
  page: PageWindow,
): Promise<ListPage<ListedInstanceRow>> {
  const isAnyOf = (column: Sql, values: readonly string[] | undefined) =>
    values?.length ? sql`${column} = any(${values as string[]}::text[])` : undefined
  const where = all(
    sql`i.project_id = ${projectId}`,
    sql`i.deleted_at is null`,
    !filter.showDisabled && sql`i.disabled_at is null`,
    isAnyOf(sql`c.id`, filter.accounts),
    isAnyOf(sql`c.uuid::text`, filter.accountUuids),
    isAnyOf(sql`a.id`, filter.authConfigs),
    isAnyOf(sql`a.uuid::text`, filter.authConfigUuids),
    isAnyOf(sql`i.id`, filter.ids),
    isAnyOf(sql`i.trigger_slug`, filter.triggers),
    isAnyOf(sql`c.user_id`, filter.users),
  )
  const columns = sql`${INSTANCE_COLUMNS}, p.next_run, p.last_run, p.last_ok, p.failures, floor(greatest(0,
      extract(epoch from now() - p.next_run)))::int as lag_s, case
      when p.instance_id is not null then ${STALLED} end as stalled`
  const from = sql`${INSTANCE_TABLES} left join trigger_polls p on p.instance_id = i.id`
  const order = newestFirst(sql`i.created_at`, sql`i.id`)
  const query = { columns, from, where, order, countFrom: INSTANCE_TABLES }
  const { rows, ...rest } = await readListPage<StoredInstance<ListedInstanceRow>>(db, query, page)
  return { rows: rows.map((row) => withConfig(db, row)), ...rest }
}

/** The identity of an account at its application. */
export const findEncryptedIdentity = (
  db: Db,
  projectId: string,
  accountId: string,
): Promise<{ id: string; identity: Buffer | null } | undefined> =>
  db.one(sql`
    select id, identity from connected_accounts
    where project_id = ${projectId} and id = ${accountId} and deleted_at is null`)

/** Counts the instances of a project by state. An enabled instance is stalled when its polls fail or are late. */
export const countInstancesByState = async (
  db: Db,
  projectId: string,
): Promise<{ enabled: number; stalled: number; disabled_by_server: number }> =>
  (await db.one<{ enabled: number; stalled: number; disabled_by_server: number }>(sql`
    select count(*) filter (where i.disabled_at is null)::int as enabled,
      count(*) filter (where ${STALLED} and p.instance_id is not null)::int as stalled,
      count(*) filter (where i.disabled_reason <> ${DISABLED_BY_USER})::int as disabled_by_server
    from trigger_instances i left join trigger_polls p on p.instance_id = i.id
    where i.project_id = ${projectId} and i.deleted_at is null`)) as {
    enabled: number
    stalled: number
    disabled_by_server: number
  }
