import { type CatalogOf, type ResolvedTrigger, type TriggerArguments } from '../../../catalog/index.ts'
import type { EngineAccount, EngineAccounts, OpenTriggerRequests } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db, Pool } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { newId } from '../../../platform/ids.ts'
import { encryptState } from '../polling/state.ts'
import { startPolling } from '../polling/store.ts'
import type { PolledItems } from '../polling/poll.ts'
import { publishTriggerEvents } from '../publish-trigger-events.ts'
import { deleteInstance, DISABLED_BY_USER, disableInstance, enableInstance } from '../state-machine.ts'
import { findUsableAccount } from './find-account.ts'
import { findTriggerType, type TriggerVersion } from './find-type.ts'
import { pollFirstTime } from './first-poll.ts'
import * as store from './store.ts'
import { encryptClearInstance } from './encrypt-clear-instance.ts'
import { readConfig } from './trigger-config.ts'

export interface TriggerDeps {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  catalogOf: CatalogOf
  accounts: Pick<EngineAccounts, 'findById' | 'findForUser'>
  requests: OpenTriggerRequests
  webhooks: WebhookPreparer
  /** From 0 up to 1, for jitter. */
  random(): number
}

/** Written with the instance that receives events by webhook, or cancelled if the instance is not written. */
export interface PreparedWebhook {
  attach(tx: Db, instanceId: string): Promise<void>
  cancel(): Promise<void>
}

export interface WebhookCall {
  projectId: string
  instanceId: string
  accountId: string
  found: ResolvedTrigger
  config: TriggerArguments
  signal: AbortSignal
}

/** Prepares instances that receive events by webhook; push/ implements it. */
export interface WebhookPreparer {
  /** Makes sure that events arrive. @throws ApiError if the application rejects it, or a value is missing */
  prepare(call: WebhookCall, account: EngineAccount): Promise<PreparedWebhook>
  isRegistered(projectId: string, instanceId: string): Promise<boolean>
}

export interface TriggerDraft {
  slug: string
  accountId: string | undefined
  userId: string | undefined
  config: Readonly<Record<string, unknown>>
  versions: string | Readonly<Record<string, string>> | undefined
}

const INSTANCES_PER_PROJECT_MAX = 20_000

/**
 * Creates an instance, or enables the equal one. The application is called first, so that a configuration that cannot
 * work is rejected at once. @throws ApiError
 */
export async function upsertInstance(
  deps: TriggerDeps,
  projectId: string,
  draft: TriggerDraft,
  signal: AbortSignal,
): Promise<{ id: string; uuid: string; created: boolean }> {
  const { db } = deps
  const { found, version } = await findTriggerType(deps.catalogOf, projectId, draft.slug, draft.versions)
  const { trigger, toolkit } = found
  const account = await findUsableAccount(deps.accounts, projectId, found, draft)
  const facts = await store.findAccountFacts(db, projectId, account.id)
  const config = readConfig(found, draft.config, facts?.is_service_managed ?? false)
  const row = {
    id: newId('ti'),
    connected_account_id: account.id,
    toolkit_slug: toolkit.slug,
    trigger_slug: trigger.slug,
    config,
  }
  const same =
    (await store.findSame(db, projectId, row)) ??
    ((await encryptClearInstance(db, projectId, row)) ? await store.findSame(db, projectId, row) : undefined)
  if (same && !same.disabled_at && (!version.isNamed || version.name === same.version))
    return { id: same.id, uuid: same.uuid, created: false }
  if (!same) await checkInstanceLimit(db, projectId)
  const call = { projectId, accountId: account.id, found, config, signal }
  const first = trigger.poll && (await pollFirstTime(deps, call))
  const webhook =
    trigger.webhook && (await deps.webhooks.prepare({ ...call, instanceId: same?.id ?? row.id }, account))
  return orCancel(webhook, () => writeInstance(deps, projectId, { row, version, first, webhook }))
}

async function checkInstanceLimit(db: Db, projectId: string): Promise<void> {
  if ((await store.countUpTo(db, projectId, INSTANCES_PER_PROJECT_MAX)) >= INSTANCES_PER_PROJECT_MAX)
    throw new ApiError(
      'TriggerInstance_LimitReached',
      `The project has ${INSTANCES_PER_PROJECT_MAX} triggers, which is the limit. Delete some first.`,
    )
}

interface InstanceDraft {
  row: store.NewInstance
  version: TriggerVersion
  first: PolledItems | undefined
  webhook: PreparedWebhook | undefined
}

function writeInstance(
  deps: TriggerDeps,
  projectId: string,
  { row, version, first, webhook }: InstanceDraft,
): Promise<{ id: string; uuid: string; created: boolean }> {
  return deps.db.begin(async (tx) => {
    const written = await store.upsert(tx, projectId, row, version)
    if (!written)
      throw new ApiError(
        'TriggerInstance_ConnectionNotUsable',
        `The connected account ${row.connected_account_id} is no longer ACTIVE.`,
      )
    const { id, uuid, created, former_reason: formerReason } = written
    if (formerReason !== null) await enableInstance(tx, projectId, id)
    await webhook?.attach(tx, id)
    // One that the server disabled continues where it stopped, such as after its account expired.
    if (first && (created || formerReason === DISABLED_BY_USER)) {
      const intervalSeconds = Math.round(Number(row.config['interval']) * 60)
      await startPolling(tx, projectId, id, {
        state: encryptState(await deps.encryptor.ofProject(projectId), id, first.state),
        intervalSeconds,
        delaySeconds: intervalSeconds * (0.5 + deps.random() / 2),
      })
      const instance = await store.findInstance(tx, projectId, id)
      if (instance) await publishTriggerEvents(tx, instance, first.items)
    }
    return { id, uuid, created }
  })
}

/** @throws ApiError 404, 410, and 422 if its account cannot be used, or the application rejects it */
export async function setInstanceEnabled(
  deps: TriggerDeps,
  projectId: string,
  id: string,
  enabled: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps
  if (!enabled)
    return db.begin(async (tx) => {
      await readInstance(tx, projectId, id)
      await disableInstance(tx, projectId, id, DISABLED_BY_USER)
    })
  const row = await readInstance(db, projectId, id)
  const account = await deps.accounts.findById(projectId, row.connected_account_id)
  if (account?.status !== 'ACTIVE')
    throw new ApiError(
      'TriggerInstance_ConnectionNotUsable',
      `The connected account ${row.connected_account_id} is ${account?.status ?? 'deleted'}, not ACTIVE. ` +
        'Connect it again.',
    )
  const webhook = row.disabled_at ? await prepareAgain(deps, row, account, signal) : undefined
  await orCancel(webhook, () =>
    db.begin(async (tx) => {
      await readInstance(tx, projectId, id)
      await webhook?.attach(tx, id)
      await enableInstance(tx, projectId, id)
    }),
  )
}

export const removeInstance = (
  { db }: Pick<TriggerDeps, 'db'>,
  projectId: string,
  id: string,
): Promise<void> =>
  db.begin(async (tx) => {
    await readInstance(tx, projectId, id)
    await deleteInstance(tx, projectId, id)
  })

/** A disabled instance may have no webhook any more. */
async function prepareAgain(
  deps: TriggerDeps,
  { id, project_id: projectId, trigger_slug, version, config }: store.InstanceRow,
  account: EngineAccount,
  signal: AbortSignal,
): Promise<PreparedWebhook | undefined> {
  const found = (await deps.catalogOf(projectId)).trigger(trigger_slug, version)
  if (!found?.trigger.webhook || (await deps.webhooks.isRegistered(projectId, id))) return undefined
  const call = { projectId, instanceId: id, accountId: account.id, found, config, signal }
  return deps.webhooks.prepare(call, account)
}

/** @throws ApiError 404, 410 */
export async function readInstance(db: Db, projectId: string, id: string): Promise<store.InstanceRow> {
  const row = await store.findInstance(db, projectId, id)
  if (!row) throw new ApiError('TriggerInstance_NotFound', `Trigger instance ${id} not found`)
  if (row.deleted_at) throw new ApiError('TriggerInstance_Gone', `Trigger instance ${id} was deleted.`)
  return row
}

/** Cancels the webhook at the application if the instance is not written. */
async function orCancel<T>(webhook: PreparedWebhook | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    await webhook?.cancel().catch(() => {})
    throw error
  }
}
