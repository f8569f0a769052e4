import { all, type Db, sql, values } from '../../../../platform/db/sql.ts'
import {
  INSTANCE_COLUMNS,
  INSTANCE_TABLES,
  type InstanceRow,
  type StoredInstance,
} from '../../instances/store.ts'
import { withConfig } from '../../instances/stored-config.ts'

/** The URL of one instance. `registered_at` is null until the application has accepted it. */
export interface RegistrationRow {
  url_token: string
  project_id: string
  instance_id: string
  connected_account_id: string
  toolkit_slug: string
  trigger_slug: string
  version: string
  state: Buffer
  registered_at: Date | null
  expires_at: Date | null
  renew_at: Date | null
  created_at: Date
}
export type NewRegistration = Omit<
  RegistrationRow,
  'registered_at' | 'expires_at' | 'renew_at' | 'created_at'
>

const COLUMNS = sql`
    url_token, project_id, instance_id, connected_account_id, toolkit_slug, trigger_slug, version, state,
    registered_at, expires_at, renew_at, created_at`

export const insertRegistration = (db: Db, row: NewRegistration): Promise<number> =>
  db.run(sql`insert into trigger_registrations ${values(row)}`)

export const lockRegistration = (
  tx: Db,
  projectId: string,
  urlToken: string,
): Promise<RegistrationRow | undefined> =>
  tx.one(sql`
    select ${COLUMNS} from trigger_registrations
    where project_id = ${projectId} and url_token = ${urlToken} for update`)

/** Takes no project: the token is a random number that cannot be guessed. Deleted projects receive nothing. */
export const findByUrlToken = (db: Db, urlToken: string): Promise<RegistrationRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from trigger_registrations r
    where url_token = ${urlToken}
      and exists (select 1 from projects p where p.id = r.project_id and p.deleted_at is null)`)

/** Newest first. */
export const registrationsOf = (db: Db, projectId: string, instanceId: string): Promise<RegistrationRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from trigger_registrations
    where project_id = ${projectId} and instance_id = ${instanceId} order by created_at desc, url_token`)

/** Whose registrations: those of one account, or of all accounts of an auth config. */
export type RegistrationOwner = { accountId: string } | { authConfigId: string }

/** Returns accepted registrations in the order of their tokens, those after `after`. */
export const registrationsOfOwner = (
  db: Db,
  projectId: string,
  owner: RegistrationOwner,
  { after, limit }: { after: string; limit: number },
): Promise<RegistrationRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from trigger_registrations
    where project_id = ${projectId} and registered_at is not null and url_token > ${after} and ${
      'accountId' in owner
        ? sql`connected_account_id = ${owner.accountId}`
        : sql`connected_account_id in (
            select id from connected_accounts
            where project_id = ${projectId} and auth_config_id = ${owner.authConfigId})`
    }
    order by url_token limit ${limit}`)

export const updateState = (tx: Db, projectId: string, urlToken: string, state: Buffer): Promise<number> =>
  tx.run(sql`
    update trigger_registrations set state = ${state} where project_id = ${projectId} and url_token = ${urlToken}`)

export const markRegistered = (
  tx: Db,
  projectId: string,
  urlToken: string,
  { state, expires_at, renew_at }: Pick<RegistrationRow, 'state' | 'expires_at' | 'renew_at'>,
): Promise<number> =>
  tx.run(sql`
    update trigger_registrations
    set state = ${state}, registered_at = coalesce(registered_at, now()), expires_at = ${expires_at},
      renew_at = ${renew_at}
    where project_id = ${projectId} and url_token = ${urlToken}`)

/** How an instance receives events: at a URL of its own, or at that of an OAuth app. */
export type DeliveryMode = { mode: 'instance'; urlToken: string } | { mode: 'app'; accountKey: string }

/** Sets how an instance receives events. A URL belongs to this instance from now on. */
export async function setDeliveryMode(
  tx: Db,
  projectId: string,
  instanceId: string,
  delivery: DeliveryMode,
): Promise<void> {
  const accountKey = delivery.mode === 'app' ? delivery.accountKey : null
  await tx.run(sql`
    update trigger_instances set delivery_mode = ${delivery.mode}, account_key = ${accountKey}
    where project_id = ${projectId} and id = ${instanceId}`)
  if (delivery.mode === 'instance')
    await tx.run(sql`
      update trigger_registrations set instance_id = ${instanceId}
      where project_id = ${projectId} and url_token = ${delivery.urlToken}`)
}

export const deleteRegistration = (db: Db, projectId: string, urlToken: string): Promise<number> =>
  db.run(sql`delete from trigger_registrations where project_id = ${projectId} and url_token = ${urlToken}`)

export interface InstanceId {
  id: string
  projectId: string
}

/**
 * The instances whose registrations expire soon. They are returned again after ten minutes, unless they are renewed by
 * then.
 */
export const claimExpiring = (db: Db, limit: number): Promise<InstanceId[]> =>
  db.rows(sql`
    update trigger_registrations r set renew_at = now() + interval '10 minutes'
    where url_token in (
      select e.url_token from trigger_registrations e
      join trigger_instances i on i.id = e.instance_id and i.disabled_at is null and i.deleted_at is null
      join projects p on p.id = e.project_id and p.deleted_at is null
      where e.renew_at <= now() order by e.renew_at limit ${limit} for update of e skip locked)
    returning r.instance_id as id, r.project_id as "projectId"`)

/** Enabled instances without a registration: the jobs that should have registered them failed. */
export const findUnregistered = (db: Db, limit: number): Promise<InstanceId[]> =>
  db.rows(sql`
    select i.id, i.project_id as "projectId" from trigger_instances i
    join projects p on p.id = i.project_id and p.deleted_at is null
    where i.delivery_mode = 'instance' and i.disabled_at is null and i.deleted_at is null
      and i.updated_at < now() - interval '10 minutes'
      and not exists (
        select 1 from trigger_registrations r where r.instance_id = i.id and r.registered_at is not null)
    limit ${limit}`)

/**
 * Removes registrations that no request waits for, and those of instances that were deleted so long ago that no
 * application delivers to them.
 */
export const removeOldRegistrations = (db: Db): Promise<number> =>
  db.run(sql`
    delete from trigger_registrations r
    where (r.registered_at is null and r.created_at < now() - interval '1 hour')
      or (r.created_at < now() - interval '30 days' and not exists (
        select 1 from trigger_instances i where i.id = r.instance_id and i.deleted_at is null))`)

export interface TargetFilter {
  toolkit: string
  mode: DeliveryMode['mode']
  ids?: readonly string[]
  accountKeys?: readonly string[]
}

/** Enabled instances that may receive a delivery. */
export async function findTargets(
  db: Db,
  projectId: string,
  { toolkit, mode, ids, accountKeys }: TargetFilter,
  limit: number,
): Promise<(InstanceRow & { account_key: string | null })[]> {
  const rows = await db.rows<StoredInstance<InstanceRow & { account_key: string | null }>>(sql`
    select ${INSTANCE_COLUMNS}, i.account_key
    from ${INSTANCE_TABLES} join projects p on p.id = i.project_id and p.triggers_enabled and p.deleted_at is null
    where ${all(
      sql`i.project_id = ${projectId}`,
      sql`i.toolkit_slug = ${toolkit}`,
      sql`i.delivery_mode = ${mode}`,
      sql`i.disabled_at is null`,
      sql`i.deleted_at is null`,
      ids && sql`i.id = any(${ids as string[]}::text[])`,
      accountKeys && sql`i.account_key = any(${accountKeys as string[]}::text[])`,
    )}
    order by i.id limit ${limit}`)
  return rows.map((row) => withConfig(db, row))
}

/**
 * Locks the instances that are still enabled until the transaction ends: others cannot disable them or
 * publish events.
 */
export const lockEnabled = async (
  tx: Db,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await tx.rows<{ id: string }>(sql`
    select id from trigger_instances
    where project_id = ${projectId} and id = any(${ids as string[]}::text[]) and disabled_at is null
      and deleted_at is null
    order by id for no key update`)
    ).map(({ id }) => id),
  )

export const isDeleted = async (db: Db, projectId: string, instanceId: string): Promise<boolean> =>
  (await db.one(sql`
    select 1 from trigger_instances
    where project_id = ${projectId} and id = ${instanceId} and deleted_at is null`)) === undefined
