import { lookupOf } from '../../../auth-schemes/index.ts'
import type { ResolvedTrigger } from '../../../catalog/index.ts'
import type { EngineAccount } from '../../../engine/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { enqueue } from '../../../platform/jobs/index.ts'
import { accountKeyOf } from './account-key.ts'
import type { HookDeps } from './deps.ts'
import { type NewlyHooked, NotRegistered, register, unregister } from './registration.ts'
import * as store from './store.ts'

export const REGISTER = 'triggers.register'

/** What has to be written with the instance, and undone when it is not. */
export interface Prepared {
  attach(tx: Db, instanceId: string): Promise<void>
  abandon(): Promise<void>
}

/** How long whoever deletes an account waits for the application to be told. */
const LEAVE_MS = 8_000
const LEAVE_MAX = 20
const LEAVE_AGAIN_MS = 60_000

/** What creating, enabling and losing a trigger means where the application calls us. */
export function triggerHooks(deps: HookDeps) {
  const { db } = deps
  return {
    /** Registers an instance at its application, or finds out how its app names the account. @throws ApiError 422 with the words of the application, 1215, 1216, 503 */
    async prepare(hooked: NewlyHooked, account: EngineAccount): Promise<Prepared> {
      const { projectId, found } = hooked
      checkNames(found, account)
      if (found.trigger.webhook!.scope === 'app') {
        const key = await accountKeyOf(deps, projectId, found, account)
        return {
          attach: (tx, id) =>
            store.attach(tx, projectId, id, { deliveryMode: 'app', accountKey: key, address: null }),
          abandon: async () => {},
        }
      }
      const address = await register(deps, hooked).catch((error: unknown) => {
        throw refusal(error)
      })
      return {
        async attach(tx, id) {
          await store.attach(tx, projectId, id, { deliveryMode: 'instance', accountKey: null, address })
          // Another version may have been registered before: the job keeps the newest.
          if ((await store.ofInstance(tx, projectId, id)).length > 1)
            await enqueue(tx, REGISTER, { project: projectId, id }, { key: `${REGISTER}:${id}` })
        },
        // The instance that the address was for is not there; the job finds that out.
        abandon: async () => {
          await enqueue(
            db,
            REGISTER,
            { project: projectId, id: hooked.instanceId },
            { key: `${REGISTER}:${hooked.instanceId}` },
          )
        },
      }
    },

    /** Whether an instance that is about to be enabled has an address that the application knows. */
    isRegistered: async (projectId: string, instanceId: string): Promise<boolean> =>
      (await store.ofInstance(db, projectId, instanceId)).some(({ registered_at: at }) => at !== null),

    /** An account is about to go, and with it what could end its registrations. What the application does not do in time is refused by address from then on. */
    async leave(projectId: string, accountId: string): Promise<void> {
      const rows = await store.ofAccount(db, projectId, accountId, LEAVE_MAX)
      if (rows.length === 0) return
      // Should the account stay after all, its triggers are registered again.
      const later = new Date(Date.now() + LEAVE_AGAIN_MS)
      for (const id of new Set(rows.map((row) => row.instance_id)))
        await enqueue(db, REGISTER, { project: projectId, id }, { key: `${REGISTER}:${id}`, runAt: later })
      const catalog = await deps.catalogOf(projectId)
      const signal = AbortSignal.timeout(LEAVE_MS)
      await Promise.all(
        rows
          .map(async (row) => {
            const found = catalog.trigger(row.trigger_slug, row.version)
            if (found)
              await unregister(
                deps,
                { projectId, instanceId: row.instance_id, accountId, found, signal },
                row,
              )
          })
          .map((one) =>
            one.catch((error: unknown) => {
              deps.log.info({ err: error, projectId }, 'a webhook stays registered at its application')
            }),
          ),
      )
    },
  }
}

/** What proves deliveries has to be there before they come. @throws ApiError 1216 */
function checkNames({ trigger: { slug, webhook }, toolkit }: ResolvedTrigger, { id, context: setup }: EngineAccount): void {
  const { constants, needs, registration, handshakes, setup: fields } = webhook!
  const given = new Set([
    'webhook_secret',
    'webhook_id',
    ...Object.keys(constants),
    ...Object.keys(registration?.manifest.save ?? {}),
    ...handshakes.flatMap(({ manifest }) => Object.keys(manifest.save ?? {})),
    ...fields.map(({ name }) => name),
  ])
  const missing = needs.filter(
    (name) => !given.has(name) && (setup ? lookupOf(setup)(name) : undefined) === undefined,
  )
  if (missing.length > 0)
    throw new ApiError(
      'TriggerInstance_ConnectionNotUsable',
      `${toolkit.name} proves what it tells of ${slug} with ${missing.join(', ')}, which the connected account ${id} and its auth config do not hold: connect with an OAuth app of your own.`,
    )
}

export type TriggerHooks = ReturnType<typeof triggerHooks>

const UNUSABLE: readonly string[] = [
  'ActionExecute_ConnectedAccountExpired',
  'ActionExecute_ConnectedAccountNotActive',
]

function refusal(error: unknown): unknown {
  if (error instanceof ApiError && UNUSABLE.includes(error.slug))
    return new ApiError('TriggerInstance_ConnectionNotUsable', error.message, { cause: error })
  if (!(error instanceof NotRegistered)) return error
  const { meaning } = error.answer
  const slug =
    meaning === 'reauth'
      ? 'TriggerInstance_ConnectionNotUsable'
      : meaning === 'transient' || meaning === 'rate_limit'
        ? 'ActionExecute_UpstreamUnavailable'
        : 'TriggerInstance_ApplicationRefused'
  return new ApiError(slug, error.message, { cause: error })
}
