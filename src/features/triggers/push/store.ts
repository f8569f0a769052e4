import { all, type Db, sql, values } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { INSTANCE, INSTANCES, type InstanceRow } from '../index.ts'

/** An address of one instance. `registered_at` is null while the application is being asked. */
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
const COLUMNS = sql`url_token, project_id, instance_id, connected_account_id, toolkit_slug, trigger_slug, version, state, registered_at, expires_at, renew_at, created_at`

export type NewRegistration = Omit<
  RegistrationRow,
  'registered_at' | 'expires_at' | 'renew_at' | 'created_at'
>

export const insert = (db: Db, row: NewRegistration): Promise<number> =>
  db.run(sql`insert into trigger_registrations ${values(row)}`)

export const find = (db: Db, projectId: string, address: string): Promise<RegistrationRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from trigger_registrations where project_id = ${projectId} and url_token = ${address}`)

export const findForUpdate = (
  tx: Db,
  projectId: string,
  address: string,
): Promise<RegistrationRow | undefined> =>
  tx.one(sql`
  select ${COLUMNS} from trigger_registrations where project_id = ${projectId} and url_token = ${address} for update`)

/** Newest first. */
export const ofInstance = (db: Db, projectId: string, instanceId: string): Promise<RegistrationRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from trigger_registrations where project_id = ${projectId} and instance_id = ${instanceId} order by created_at desc, url_token`)

/** Those of the instances of an account that is about to go. */
export const ofAccount = (
  db: Db,
  projectId: string,
  accountId: string,
  most: number,
): Promise<RegistrationRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from trigger_registrations where project_id = ${projectId} and connected_account_id = ${accountId} and registered_at is not null limit ${most}`)

export const writeState = (tx: Db, projectId: string, address: string, state: Buffer): Promise<number> =>
  tx.run(sql`
  update trigger_registrations set state = ${state} where project_id = ${projectId} and url_token = ${address}`)

export interface Registered {
  state: Buffer
  expires_at: Date | null
  renew_at: Date | null
}
export const markRegistered = (
  tx: Db,
  projectId: string,
  address: string,
  { state, expires_at, renew_at }: Registered,
): Promise<number> =>
  tx.run(sql`
  update trigger_registrations set state = ${state}, registered_at = coalesce(registered_at, now()), expires_at = ${expires_at}, renew_at = ${renew_at} where project_id = ${projectId} and url_token = ${address}`)

/** The address is that of this instance from now on, and the instance one that hears of events. */
export const attach = async (
  tx: Db,
  projectId: string,
  instanceId: string,
  {
    deliveryMode,
    accountKey,
    address,
  }: { deliveryMode: 'instance' | 'app'; accountKey: string | null; address: string | null },
): Promise<void> => {
  await tx.run(
    sql`update trigger_instances set delivery_mode = ${deliveryMode}, account_key = ${accountKey} where project_id = ${projectId} and id = ${instanceId}`,
  )
  if (address !== null)
    await tx.run(
      sql`update trigger_registrations set instance_id = ${instanceId} where project_id = ${projectId} and url_token = ${address}`,
    )
}

export const remove = (db: Db, projectId: string, address: string): Promise<number> =>
  db.run(sql`delete from trigger_registrations where project_id = ${projectId} and url_token = ${address}`)

/** Registrations that end soon, with their instances; whoever asks has some minutes to renew them before they are told again. */
export const takeEnding = (db: Db, most: number): Promise<{ id: string; project: string }[]> =>
  db.rows(sql`
  update trigger_registrations r set renew_at = now() + interval '10 minutes'
  where url_token in (
    select e.url_token from trigger_registrations e join trigger_instances i on i.id = e.instance_id and i.disabled_at is null and i.deleted_at is null
    where e.renew_at <= now() order by e.renew_at limit ${most} for update of e skip locked)
  returning r.instance_id as id, r.project_id as project`)

/** Enabled instances that no application knows of: whatever was to register them came to nothing. */
export const takeLost = (db: Db, most: number): Promise<{ id: string; project: string }[]> =>
  db.rows(sql`
  select i.id, i.project_id as project from trigger_instances i
  where i.delivery_mode = 'instance' and i.disabled_at is null and i.deleted_at is null and i.updated_at < now() - interval '10 minutes'
    and not exists (select 1 from trigger_registrations r where r.instance_id = i.id and r.registered_at is not null) limit ${most}`)

/** Of requests that no process waits for any more, and of instances that are gone for so long that no application delivers to them. */
export const removeOld = (db: Db): Promise<number> =>
  db.run(sql`
  delete from trigger_registrations r where (r.registered_at is null and r.created_at < now() - interval '1 hour')
    or (r.created_at < now() - interval '30 days' and not exists (select 1 from trigger_instances i where i.id = r.instance_id and i.deleted_at is null))`)

/** A line in the log of an instance. */
export const note = (
  db: Db,
  projectId: string,
  instanceId: string,
  kind: 'failure' | 'gap',
  message: string,
): Promise<number> =>
  db.run(sql`
  insert into trigger_logs (id, project_id, instance_id, kind, message) values (${newId('log')}, ${projectId}, ${instanceId}, ${kind}, ${message})`)

export interface Wanted {
  toolkit: string
  deliveryMode: 'instance' | 'app'
  ids?: readonly string[]
  accountKeys?: readonly string[]
}

/** Enabled instances that may want a delivery. */
export const listeners = (
  db: Db,
  projectId: string,
  { toolkit, deliveryMode, ids, accountKeys }: Wanted,
  most: number,
): Promise<(InstanceRow & { account_key: string | null })[]> =>
  db.rows(sql`
  select ${INSTANCE}, i.account_key from ${INSTANCES} join projects p on p.id = i.project_id and p.triggers_enabled
  where ${all(
    sql`i.project_id = ${projectId}`,
    sql`i.toolkit_slug = ${toolkit}`,
    sql`i.delivery_mode = ${deliveryMode}`,
    sql`i.disabled_at is null`,
    sql`i.deleted_at is null`,
    ids && sql`i.id = any(${ids as string[]}::text[])`,
    accountKeys && sql`i.account_key = any(${accountKeys as string[]}::text[])`,
  )}
  order by i.id limit ${most}`)

/** Of these, which are still enabled; until the transaction ends nobody switches them or tells events of them. */
export const lock = async (tx: Db, projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await tx.rows<{ id: string }>(sql`
  select id from trigger_instances where project_id = ${projectId} and id = any(${ids as string[]}::text[]) and disabled_at is null and deleted_at is null order by id for no key update`)
    ).map(({ id }) => id),
  )

/** A poll that may be under way is left alone: it would be made twice. Answers which are polled at once. */
export const wake = async (
  tx: Db,
  projectId: string,
  ids: readonly string[],
  leaseSeconds: number,
): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await tx.rows<{ id: string }>(sql`
  update trigger_polls set next_run = now() where project_id = ${projectId} and instance_id = any(${ids as string[]}::text[]) and next_run > now() + make_interval(secs => ${leaseSeconds}::int) returning instance_id as id`)
    ).map(({ id }) => id),
  )

/** Begins with an address that nobody can guess instead of a project. */
export const findByAddress = (db: Db, address: string): Promise<RegistrationRow | undefined> =>
  db.one(sql`select ${COLUMNS} from trigger_registrations where url_token = ${address}`)

export const sealedIdentity = (
  db: Db,
  projectId: string,
  accountId: string,
): Promise<{ id: string; identity: Buffer | null } | undefined> =>
  db.one(sql`
  select id, identity from connected_accounts where project_id = ${projectId} and id = ${accountId} and deleted_at is null`)

export const isGone = async (db: Db, projectId: string, instanceId: string): Promise<boolean> =>
  (await db.one(
    sql`select 1 from trigger_instances where project_id = ${projectId} and id = ${instanceId} and deleted_at is null`,
  )) === undefined
