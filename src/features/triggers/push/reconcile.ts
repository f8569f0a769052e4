import type { ResolvedTrigger } from '../../../catalog/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { enqueue, type Schedule, type Task } from '../../../platform/jobs/index.ts'
import { disable, find, type InstanceRow, POLL_LEASE_S } from '../index.ts'
import type { HookDeps } from './deps.ts'
import { REGISTER } from './hooks.ts'
import { WAKE } from './ingress.ts'
import { type Hooked, type NewlyHooked, NotRegistered, register, renew, unregister } from './registration.ts'
import * as store from './store.ts'

type Instance = InstanceRow & { deleted_at: Date | null }

/** All of them that end within a minute; those that are left have their turn in the next one. */
const ENDING_MAX = 1_000
/** For so long an application may be away after a registration has ended. */
const HOPELESS_MS = 24 * 3_600_000

/**
 * Brings what an application knows of an instance in line with what the instance is: registered once while it is enabled, renewed before it ends, removed when
 * nobody wants it. Every try looks anew, so that it may be repeated, and overtaken.
 */
export function registrationWork(deps: HookDeps): { tasks: readonly Task[]; schedules: readonly Schedule[] } {
  const { db, clock } = deps

  async function reconcile(projectId: string, instanceId: string, isLast: boolean): Promise<void> {
    const [instance, rows] = await Promise.all([
      find(db, projectId, instanceId),
      store.ofInstance(db, projectId, instanceId),
    ])
    const standing = rows.filter(({ registered_at: at }) => at !== null)
    if (!instance || instance.deleted_at) return removeAll(standing, isLast)
    // An account that comes back finds its registrations as they were.
    if (instance.disabled_at) {
      if (instance.disabled_reason?.startsWith('connection_')) return
      await removeAll(standing, isLast)
      // Enabled meanwhile: whoever looked then saw what is gone now.
      if ((await find(db, projectId, instanceId))?.disabled_at === null)
        await later({ project: projectId, id: instanceId })
      return
    }
    const found = (await deps.catalogOf(projectId)).trigger(instance.trigger_slug, instance.version)
    if (!found?.trigger.webhook?.registration) return
    try {
      await keep(hookedOf(instance, found), standing)
    } catch (error) {
      const overForMs = clock.now() - (standing[0]?.expires_at?.getTime() ?? Infinity)
      await judge(instance, error, isLast || overForMs > HOPELESS_MS)
    }
  }

  /** The newest registration stands, and it alone. */
  async function keep(
    hooked: NewlyHooked,
    [newest, ...older]: readonly store.RegistrationRow[],
  ): Promise<void> {
    const isOver = newest?.expires_at && newest.expires_at.getTime() <= clock.now()
    const isDue =
      newest?.renew_at &&
      newest.expires_at &&
      newest.expires_at.getTime() - clock.now() <
        (newest.expires_at.getTime() - (newest.registered_at ?? newest.created_at).getTime()) / 2
    if (newest && !isDue && !isOver) return removeEach(hooked, older)
    let isLost = false
    if (newest && !isOver && hooked.found.trigger.webhook!.registration!.renew) {
      isLost = await renew(deps, hooked, newest).then(
        () => false,
        (error: unknown) => {
          if (
            error instanceof NotRegistered &&
            (error.answer.meaning === 'not_found' || error.answer.status === 410)
          )
            return true
          throw error
        },
      )
      if (!isLost) return removeEach(hooked, older)
    }
    const address = await register(deps, hooked)
    await store.attach(db, hooked.projectId, hooked.instanceId, {
      deliveryMode: 'instance',
      accountKey: null,
      address,
    })
    if (isOver || isLost)
      await store.note(
        db,
        hooked.projectId,
        hooked.instanceId,
        'gap',
        `${isLost ? 'The application did not know the webhook any more' : 'The webhook at the application had ended'}; it was registered anew, and what happened in between was not told.`,
      )
    await removeEach(hooked, newest ? [newest, ...older] : older)
  }

  /** What the application does not remove is tried again when the trigger is looked at next; nothing that it tells is told twice. */
  async function removeEach(hooked: Hooked, rows: readonly store.RegistrationRow[]): Promise<void> {
    for (const row of rows)
      await unregister(deps, hooked, row).catch((error: unknown) => {
        stays(row, error)
      })
  }

  const stays = ({ instance_id: id }: store.RegistrationRow, error: unknown) => {
    deps.log.info({ err: error, triggerId: id }, 'a webhook stays registered at its application')
  }

  async function removeAll(rows: readonly store.RegistrationRow[], isLast: boolean): Promise<void> {
    for (const row of rows) {
      const found = (await deps.catalogOf(row.project_id)).trigger(row.trigger_slug, row.version)
      if (!found?.trigger.webhook?.registration) continue
      const hooked = {
        projectId: row.project_id,
        instanceId: row.instance_id,
        accountId: row.connected_account_id,
        found,
        signal: NEVER,
      }
      await unregister(deps, hooked, row).catch((error: unknown) => {
        // Without an account there is nothing to ask with. The row stays, so that the application is told 410 when it delivers.
        if (!isLast && !(error instanceof ApiError)) throw error
        stays(row, error)
      })
    }
  }

  /** What cannot get better by waiting disables the trigger; the rest is tried again. */
  async function judge(
    { id, project_id: projectId }: Instance,
    error: unknown,
    isLast: boolean,
  ): Promise<void> {
    const meaning = error instanceof NotRegistered ? error.answer.meaning : undefined
    if (error instanceof ApiError && !isLast) return // The account itself is the trouble; what becomes of it becomes of its triggers.
    const passes = meaning === 'transient' || meaning === 'rate_limit' || !(error instanceof NotRegistered)
    if (passes && !isLast) {
      if (error instanceof NotRegistered) await store.note(db, projectId, id, 'failure', error.message)
      throw error
    }
    const reason = meaning === 'reauth' ? 'subscription_auth_failure' : 'subscription_refresh_failure'
    await db.begin((tx) => disable(tx, projectId, id, reason))
    deps.log.warn(
      { err: error, triggerId: id, projectId, reason },
      'a trigger was disabled: its webhook could not be registered',
    )
  }

  const later = ({ project, id }: { project: string; id: string }) =>
    enqueue(db, REGISTER, { project, id }, { key: `${REGISTER}:${id}` })

  return {
    tasks: [
      {
        task: REGISTER,
        run: ({ project, id }, { isLast }) => reconcile(String(project), String(id), isLast),
      },
      {
        task: WAKE,
        run: async ({ project, id }) => {
          await store.wake(db, String(project), [String(id)], POLL_LEASE_S)
        },
      },
    ],
    schedules: [
      {
        task: 'triggers.renewRegistrations',
        cron: '* * * * *',
        run: async () => {
          for (const one of await store.takeEnding(db, ENDING_MAX)) await later(one)
        },
      },
      {
        task: 'triggers.healRegistrations',
        cron: '*/10 * * * *',
        run: async () => {
          const lost = await store.takeLost(db, ENDING_MAX)
          for (const one of lost) await later(one)
          if (lost.length > 0)
            deps.log.warn(
              { lost: lost.length },
              'triggers that no application knew of any more are registered again',
            )
        },
      },
      {
        task: 'triggers.removeOldRegistrations',
        cron: '23 * * * *',
        run: async () => {
          await store.removeOld(db)
        },
      },
    ],
  }
}

/** The bound of a job is that of the queue. */
const NEVER = new AbortController().signal

const hookedOf = (
  { project_id: projectId, id, connected_account_id: accountId, config }: Instance,
  found: ResolvedTrigger,
): NewlyHooked => ({ projectId, instanceId: id, accountId, found, config, signal: NEVER })
