import { scopeList } from '../../auth-schemes/index.ts'
import {
  type CatalogOf,
  type ResolvedTrigger,
  LATEST_VERSION,
  hasSufficientScopes,
  type TriggerArguments,
} from '../../catalog/index.ts'
import type { EngineAccount, EngineAccounts, OpenTriggerRequests } from '../../engine/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { readConfig } from './config.ts'
import { firstPoll } from './first-poll.ts'
import { begin } from './poll-store.ts'
import { sealState } from './poll/state.ts'
import * as store from './store.ts'
import { tell } from './tell.ts'

export interface TriggerDeps {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  catalogOf: CatalogOf
  accounts: Pick<EngineAccounts, 'byId' | 'pick'>
  requests: OpenTriggerRequests
  hooks: Hooks
  /** From 0 up to 1, for jitter. */
  random(): number
}

/** What has to be written with an instance that the application calls about, and undone when it is not. */
interface Hooked {
  attach(tx: Db, instanceId: string): Promise<void>
  abandon(): Promise<void>
}

/** Triggers that hear of events by webhooks; app.ts supplies it. */
export interface Hooks {
  /** Sees to it that events arrive. @throws ApiError when the application refuses, or lacks something */
  prepare(
    hooked: {
      projectId: string
      instanceId: string
      accountId: string
      found: ResolvedTrigger
      config: TriggerArguments
      signal: AbortSignal
    },
    account: EngineAccount,
  ): Promise<Hooked>
  isRegistered(projectId: string, instanceId: string): Promise<boolean>
}

export interface Wanted {
  slug: string
  accountId: string | undefined
  userId: string | undefined
  config: Readonly<Record<string, unknown>>
  versions: string | Readonly<Record<string, string>> | undefined
}

/** Of one project. */
const INSTANCES_MAX = 20_000

export function triggerService(deps: TriggerDeps) {
  const { db, encryptor, catalogOf } = deps

  async function typeOf(
    projectId: string,
    slug: string,
    versions: Wanted['versions'],
  ): Promise<{ found: ResolvedTrigger; version: { name: string; isNamed: boolean } }> {
    const catalog = await catalogOf(projectId)
    const toolkit = (
      catalog.trigger(slug, LATEST_VERSION) ??
      (typeof versions === 'string' ? catalog.trigger(slug, versions) : undefined)
    )?.toolkit.slug
    const named =
      typeof versions === 'string'
        ? versions
        : toolkit !== undefined && versions
          ? Object.entries(versions).find(([name]) => name.toLowerCase() === toolkit)?.[1]
          : undefined
    const found = catalog.trigger(slug, named ?? LATEST_VERSION)
    if (!found)
      throw new ApiError(
        'TriggerType_NotFound',
        `Trigger type ${slug.toUpperCase()} not found${named !== undefined && toolkit !== undefined ? ` in version ${named}` : ''}`,
      )
    return { found, version: { name: named ?? LATEST_VERSION, isNamed: named !== undefined } }
  }

  /** The account that the trigger listens with, usable for it. @throws ApiError */
  async function accountFor(
    projectId: string,
    { trigger, toolkit }: ResolvedTrigger,
    { accountId, userId }: Wanted,
  ): Promise<EngineAccount> {
    if (accountId === undefined && userId === undefined)
      throw badRequest(
        'Error in payload.connected_account_id: is required, or a user_id whose account is meant',
      )
    const account =
      accountId !== undefined
        ? await deps.accounts.findById(projectId, accountId)
        : await deps.accounts.findForUser(projectId, userId!, toolkit.slug)
    if (!account) {
      if (accountId !== undefined)
        throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${accountId}" not found`)
      throw new ApiError(
        'TriggerInstance_ConnectionNotUsable',
        `The user ${userId} has no active connected account of ${toolkit.name}.`,
      )
    }
    if (userId !== undefined && userId !== account.userId)
      throw new ApiError(
        'ActionExecute_ConnectedAccountEntityIdMismatch',
        `The user_id does not own the connected account ${account.id}.`,
      )
    if (account.toolkit !== toolkit.slug)
      throw badRequest(
        `Error in payload.connected_account_id: belongs to ${account.toolkit}, the trigger to ${toolkit.slug}`,
      )
    const granted = scopeList(account.context?.val['scope'], undefined)
    if (granted.length > 0 && !hasSufficientScopes(trigger, new Set(granted))) {
      const wanted = (trigger.scopeRequirements?.all_of ?? [])
        .map((scope) => (typeof scope === 'string' ? scope : `one of ${scope.any_of.join(', ')}`))
        .join('; ')
      throw new ApiError(
        'TriggerInstance_ConnectionNotUsable',
        `${trigger.slug} needs scopes that the connected account ${account.id} was not granted: ${wanted}. It has ${granted.join(', ')}.`,
      )
    }
    return account
  }

  return {
    /** Creates an instance, or enables the one that is like it. The application is asked first, so that what cannot work is said at once. @throws ApiError */
    async upsert(
      projectId: string,
      wanted: Wanted,
      signal: AbortSignal,
    ): Promise<{ id: string; uuid: string; created: boolean }> {
      const { found, version } = await typeOf(projectId, wanted.slug, wanted.versions)
      const { trigger, toolkit } = found
      const account = await accountFor(projectId, found, wanted)
      const facts = await store.accountFacts(db, projectId, account.id)
      const { config, hash } = readConfig(found, wanted.config, facts?.is_service_managed ?? false)
      const row = {
        id: newId('ti'),
        connected_account_id: account.id,
        toolkit_slug: toolkit.slug,
        trigger_slug: trigger.slug,
        config,
        config_hash: hash,
      }
      const same = await store.findSame(db, projectId, row)
      if (same && !same.disabled_at && (!version.isNamed || version.name === same.version))
        return { id: same.id, uuid: same.uuid, created: false }
      if (!same && (await store.countUpTo(db, projectId, INSTANCES_MAX)) >= INSTANCES_MAX)
        throw new ApiError(
          'TriggerInstance_LimitReached',
          `The project has ${INSTANCES_MAX} triggers, and no more are taken.`,
        )
      const call = { projectId, accountId: account.id, found, config, signal }
      const first = trigger.poll && (await firstPoll(deps, call))
      const hooked =
        trigger.webhook && (await deps.hooks.prepare({ ...call, instanceId: same?.id ?? row.id }, account))
      return undone(hooked, () =>
        db.begin(async (tx) => {
          const put = await store.upsert(tx, projectId, row, version)
          if (!put)
            throw new ApiError(
              'TriggerInstance_ConnectionNotUsable',
              `The connected account ${account.id} is no longer ACTIVE.`,
            )
          await hooked?.attach(tx, put.id)
          // One that the server disabled goes on where it ended, as after its account expired.
          if (first && (put.created || put.former_reason === store.BY_USER)) {
            const pauseS = Math.round(Number(config['interval']) * 60)
            await begin(tx, projectId, put.id, {
              state: sealState(encryptor, put.id, first.state),
              pauseS,
              delayS: pauseS * (0.5 + deps.random() / 2),
            })
            const instance = await store.find(tx, projectId, put.id)
            if (instance) await tell(tx, encryptor, instance, first.events)
          }
          return { id: put.id, uuid: put.uuid, created: put.created }
        }),
      )
    },

    list: (projectId: string, filter: store.InstanceFilter, page: { limit: number; offset: number }) =>
      store.list(db, projectId, filter, page),

    /** @throws ApiError 404, 410, and 422 when its account cannot be used, or the application refuses it */
    async setEnabled(projectId: string, id: string, enabled: boolean, signal: AbortSignal): Promise<void> {
      if (!enabled)
        return db.begin(async (tx) => {
          await existing(tx, projectId, id)
          await store.disable(tx, projectId, id, store.BY_USER)
        })
      const row = await existing(db, projectId, id)
      const account = await deps.accounts.findById(projectId, row.connected_account_id)
      if (account?.status !== 'ACTIVE')
        throw new ApiError(
          'TriggerInstance_ConnectionNotUsable',
          `The connected account ${row.connected_account_id} is ${account?.status ?? 'gone'}, not ACTIVE.`,
        )
      const hooked = row.disabled_at ? await hookedAgain(row, account, signal) : undefined
      await undone(hooked, () =>
        db.begin(async (tx) => {
          await existing(tx, projectId, id)
          await hooked?.attach(tx, id)
          await store.enable(tx, projectId, id)
        }),
      )
    },

    remove: (projectId: string, id: string): Promise<void> =>
      db.begin(async (tx) => {
        await existing(tx, projectId, id)
        await store.remove(tx, projectId, id)
      }),
  }

  /** One that was disabled has no webhook any more. */
  async function hookedAgain(
    { id, project_id: projectId, trigger_slug, version, config }: store.InstanceRow,
    account: EngineAccount,
    signal: AbortSignal,
  ): Promise<Hooked | undefined> {
    const found = (await catalogOf(projectId)).trigger(trigger_slug, version)
    if (!found?.trigger.webhook || (await deps.hooks.isRegistered(projectId, id))) return undefined
    return deps.hooks.prepare(
      { projectId, instanceId: id, accountId: account.id, found, config, signal },
      account,
    )
  }

  async function existing(
    tx: Parameters<typeof store.find>[0],
    projectId: string,
    id: string,
  ): Promise<store.InstanceRow> {
    const row = await store.find(tx, projectId, id)
    if (!row) throw new ApiError('TriggerInstance_NotFound', `Trigger instance ${id} not found`)
    if (row.deleted_at) throw new ApiError('TriggerInstance_Gone', `Trigger instance ${id} was deleted.`)
    return row
  }
}

/** What the application was told is taken back when the instance is not written. */
async function undone<T>(hooked: Hooked | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    await hooked?.abandon().catch(() => {})
    throw error
  }
}
