import { enqueue, enqueueMany } from '../../platform/jobs/index.ts'
import { type Db, type Sql, sql } from '../../platform/db/sql.ts'
import type { DISABLED_REASONS } from '../../contract/triggers/index.ts'
import type { AccountStatusChange } from '../connected-accounts/index.ts'
import { publishEventsOfProjects } from '../events/index.ts'
import { type StoredConfig, withConfig } from './instances/stored-config.ts'

/**
 * Why an instance is disabled: its user disabled it, its account cannot be used, or the server gave up. A reason that
 * starts with `connection_` ends when the account is ACTIVE again.
 */
export type DisabledReason = (typeof DISABLED_REASONS)[number] | `connection_${string}`

export const DISABLED_BY_USER = 'user' satisfies DisabledReason

/** Disabling for one of these reasons publishes the event `trigger.disabled`; the user knows of the others. */
const PUBLISHED_REASONS: readonly string[] = [
  'connection_expired',
  'subscription_auth_failure',
  'subscription_refresh_failure',
  'polling_failure_in_service_infra',
]

/** The job that brings the registration of an instance at its application in line with its state. */
export const REGISTER_TASK = 'triggers.register'

const registrationJob = (projectId: string, id: string) => ({
  key: `${REGISTER_TASK}:${id}`,
  payload: { project: projectId, id },
})

export function enqueueRegistration(tx: Db, projectId: string, id: string, runAt?: Date): Promise<void> {
  const { key, payload } = registrationJob(projectId, id)
  return enqueue(tx, REGISTER_TASK, payload, { key, runAt })
}

/** Disables an instance. Returns false if it is disabled already, or deleted. */
export const disableInstance = async (
  tx: Db,
  projectId: string,
  id: string,
  reason: DisabledReason,
): Promise<boolean> => (await disableWhere(tx, sql`i.project_id = ${projectId} and i.id = ${id}`, reason)) > 0

/**
 * Enables an instance, unless it is enabled. One that its user had disabled starts anew: what happened meanwhile
 * creates no events. One that the server had disabled continues where it stopped.
 */
export async function enableInstance(tx: Db, projectId: string, id: string): Promise<void> {
  const [changed] = await enableWhere(tx, sql`i.project_id = ${projectId} and i.id = ${id}`)
  if (changed?.former_reason !== DISABLED_BY_USER) return
  await tx.run(
    sql`update trigger_polls set state = null where project_id = ${projectId} and instance_id = ${id}`,
  )
}

/** Deletes an instance. Its row stays, so that logs can show its name. */
export const deleteInstance = (tx: Db, projectId: string, id: string): Promise<void> =>
  deleteWhere(tx, sql`i.project_id = ${projectId} and i.id = ${id}`)

/**
 * Applies changes of accounts to their instances, in the transaction of the change: deletes those of a deleted account,
 * disables those of an account that stops being ACTIVE, and enables those that were disabled for that reason when it is
 * ACTIVE again.
 */
export async function followAccountStatus(tx: Db, accounts: readonly AccountStatusChange[]): Promise<void> {
  const idsOf = (changes: readonly AccountStatusChange[]) => changes.map(({ id }) => id)
  const deleted = accounts.filter((account) => account.deleted)
  const remaining = accounts.filter((account) => !account.deleted && account.from !== account.to)
  const activated = remaining.filter(({ to }) => to === 'ACTIVE')
  const deactivated = remaining.filter(({ from }) => from === 'ACTIVE')
  if (deleted.length > 0) await deleteWhere(tx, ofAccounts(idsOf(deleted)))
  if (activated.length > 0)
    await enableWhere(
      tx,
      sql`${ofAccounts(idsOf(activated))} and starts_with(i.disabled_reason, 'connection_')`,
    )
  for (const [status, changes] of Map.groupBy(deactivated, ({ to }) => to))
    await disableWhere(tx, ofAccounts(idsOf(changes)), `connection_${status.toLowerCase()}`)
}

const ofAccounts = (ids: readonly string[]): Sql =>
  sql`i.connected_account_id = any(${ids as string[]}::text[])`

interface ChangedInstance extends StoredConfig {
  project_id: string
  connected_account_id: string
  user_id: string
  trigger_slug: string
  delivery_mode: 'instance' | 'app' | null
  disabled_at: Date | null
  disabled_reason: string | null
  former_reason: string | null
}

/** The columns of `changed`, except for the former reason. */
const CHANGED = sql`i.id, i.project_id, i.connected_account_id, i.trigger_slug, i.config, i.encrypted_config,
      i.delivery_mode, i.disabled_at, i.disabled_reason`

/** What follows for the rows of `changed`: they are polled from now on or not at all, and their logs have a row. */
const CONSEQUENCES = sql`
    polls as (
      update trigger_polls p
      set next_run = case when c.disabled_at is null then now() end, claim = p.claim + 1, failures = 0,
        failing_since = null
      from changed c where p.instance_id = c.id
    ), logs as (
      insert into trigger_logs (id, project_id, instance_id, kind, message)
      select 'log_' || left(replace(gen_random_uuid()::text, '-', ''), 24), c.project_id, c.id,
        case when c.disabled_at is null then 'enabled' else 'disabled' end, coalesce(c.disabled_reason, c.former_reason)
      from changed c
    )`

async function disableWhere(tx: Db, where: Sql, reason: DisabledReason): Promise<number> {
  const changed = await tx.rows<ChangedInstance>(sql`
    with changed as (
      update trigger_instances i set disabled_at = now(), disabled_reason = ${reason}, updated_at = now()
      where ${where} and i.deleted_at is null and i.disabled_at is null
      returning ${CHANGED}, null::text as former_reason
    ), ${CONSEQUENCES}
    select c.*, a.user_id from changed c join connected_accounts a on a.id = c.connected_account_id`)
  await enqueueRegistrations(tx, changed)
  if (PUBLISHED_REASONS.includes(reason)) await publishDisabled(tx, changed)
  return changed.length
}

async function enableWhere(tx: Db, where: Sql): Promise<readonly ChangedInstance[]> {
  const changed = await tx.rows<ChangedInstance>(sql`
    with before as (
      select i.id, i.disabled_reason as former_reason from trigger_instances i
      where ${where} and i.deleted_at is null and i.disabled_at is not null
      for update
    ), changed as (
      update trigger_instances i set disabled_at = null, disabled_reason = null, updated_at = now()
      from before b where i.id = b.id
      returning ${CHANGED}, b.former_reason
    ), ${CONSEQUENCES}
    select * from changed`)
  await enqueueRegistrations(tx, changed)
  return changed
}

async function deleteWhere(tx: Db, where: Sql): Promise<void> {
  const deleted = await tx.rows<Pick<ChangedInstance, 'id' | 'project_id' | 'delivery_mode'>>(sql`
    with deleted as (
      update trigger_instances i set deleted_at = now(), updated_at = now(), config_hash = 'deleted:' || i.id
      where ${where} and i.deleted_at is null
      returning i.id, i.project_id, i.delivery_mode
    ), polls as (delete from trigger_polls p using deleted d where p.instance_id = d.id)
    select * from deleted`)
  await enqueueRegistrations(tx, deleted)
}

/** An instance with a URL of its own is registered at its application, or removed there, by a job. */
const enqueueRegistrations = (
  tx: Db,
  changed: readonly Pick<ChangedInstance, 'id' | 'project_id' | 'delivery_mode'>[],
): Promise<void> =>
  enqueueMany(
    tx,
    REGISTER_TASK,
    changed
      .filter(({ delivery_mode }) => delivery_mode === 'instance')
      .map(({ id, project_id }) => registrationJob(project_id, id)),
  )

const publishDisabled = (tx: Db, changed: readonly ChangedInstance[]): Promise<void> =>
  publishEventsOfProjects(
    tx,
    changed.map((instance) => ({
      projectId: instance.project_id,
      type: 'trigger.disabled',
      data: {
        id: instance.id,
        connected_account_id: instance.connected_account_id,
        trigger_name: instance.trigger_slug,
        user_id: instance.user_id,
        trigger_config: withConfig(tx, instance).config,
        disabled_at: instance.disabled_at?.toISOString(),
        disabled_reason: instance.disabled_reason,
      },
    })),
  )
