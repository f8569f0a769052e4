import type { ResolvedTrigger } from '../../../../catalog/index.ts'
import { ApiError } from '../../../../platform/http/api-error.ts'
import { findInstance, type InstanceRow } from '../../instances/store.ts'
import { newLog } from '../../logs/new-log.ts'
import { insertLog } from '../../logs/store.ts'
import { disableInstance, enqueueRegistration } from '../../state-machine.ts'
import type { PushDeps } from '../deps.ts'
import {
  type NewRegistrationCall,
  register,
  type RegistrationCall,
  RegistrationFailed,
  renew,
  unregister,
} from './register.ts'
import * as store from './store.ts'

/** After a registration has expired, its application may be unavailable for so long before the trigger is disabled. */
const UNAVAILABLE_MS_MAX = 24 * 3_600_000

/** The queue limits the duration of a job. */
const NEVER_ABORTED = new AbortController().signal

/**
 * Brings the registrations of an instance at its application in line with its state: one while it is enabled, renewed
 * before it expires, and none after it was disabled or deleted. Each run reads the current state, so that it may be
 * repeated.
 */
export async function reconcileRegistration(
  deps: PushDeps,
  projectId: string,
  instanceId: string,
  isLastAttempt: boolean,
): Promise<void> {
  const { db } = deps
  const [instance, rows] = await Promise.all([
    findInstance(db, projectId, instanceId),
    store.registrationsOf(db, projectId, instanceId),
  ])
  const registered = rows.filter(({ registered_at: at }) => at !== null)
  if (!instance || instance.deleted_at) return unregisterAll(deps, registered, isLastAttempt)
  if (instance.disabled_at) {
    // An account that is ACTIVE again uses its existing registrations.
    if (instance.disabled_reason?.startsWith('connection_')) return
    await unregisterAll(deps, registered, isLastAttempt)
    // If it was enabled meanwhile, its registration was still there then, and is not now.
    if ((await findInstance(db, projectId, instanceId))?.disabled_at === null)
      await enqueueRegistration(db, projectId, instanceId)
    return
  }
  const found = (await deps.catalogOf(projectId)).trigger(instance.trigger_slug, instance.version)
  if (!found?.trigger.webhook?.registration) return
  try {
    await keepOneRegistration(deps, callFor(instance, found), registered)
  } catch (error) {
    const expiredForMs = deps.clock.now() - (registered[0]?.expires_at?.getTime() ?? Infinity)
    await handleFailure(deps, instance, error, isLastAttempt || expiredForMs > UNAVAILABLE_MS_MAX)
  }
}

const callFor = (instance: InstanceRow, found: ResolvedTrigger): NewRegistrationCall => ({
  projectId: instance.project_id,
  instanceId: instance.id,
  accountId: instance.connected_account_id,
  config: instance.config,
  found,
  signal: NEVER_ABORTED,
})

/** Renews or replaces the newest registration if necessary, and removes the others. */
async function keepOneRegistration(
  deps: PushDeps,
  call: NewRegistrationCall,
  [newest, ...older]: readonly store.RegistrationRow[],
): Promise<void> {
  const { db } = deps
  const state = newest && registrationState(newest, deps.clock.now())
  if (state === 'valid') return unregisterEach(deps, call, older)
  let isLost = false
  if (newest && state === 'expiring' && call.found.trigger.webhook!.registration!.renew) {
    isLost = await renewOrLost(deps, call, newest)
    if (!isLost) return unregisterEach(deps, call, older)
  }
  const urlToken = await register(deps, call)
  await store.setDeliveryMode(db, call.projectId, call.instanceId, { mode: 'instance', urlToken })
  if (isLost || state === 'expired') {
    const cause = isLost
      ? 'The application did not have the webhook any more'
      : 'The webhook at the application had expired'
    const message = `${cause}. It was registered again; events in between are missing.`
    const own = await deps.encryptor.ofProject(call.projectId)
    await insertLog(db, call.projectId, call.instanceId, newLog(own, 'gap', message))
  }
  await unregisterEach(deps, call, newest ? [newest, ...older] : older)
}

function registrationState(
  { expires_at, registered_at, created_at }: store.RegistrationRow,
  now: number,
): 'valid' | 'expiring' | 'expired' {
  if (!expires_at) return 'valid'
  const leftMs = expires_at.getTime() - now
  if (leftMs <= 0) return 'expired'
  return leftMs < (expires_at.getTime() - (registered_at ?? created_at).getTime()) / 2 ? 'expiring' : 'valid'
}

/** Returns whether the application does not have the registration any more. */
async function renewOrLost(
  deps: PushDeps,
  call: RegistrationCall,
  row: store.RegistrationRow,
): Promise<boolean> {
  try {
    await renew(deps, call, row)
    return false
  } catch (error) {
    const isLost =
      error instanceof RegistrationFailed &&
      (error.response.meaning === 'not_found' || error.response.status === 410)
    if (!isLost) throw error
    return true
  }
}

/** A registration that the application does not remove is tried again later. Its deliveries create no second events. */
async function unregisterEach(
  deps: PushDeps,
  call: RegistrationCall,
  rows: readonly store.RegistrationRow[],
): Promise<void> {
  for (const row of rows)
    await unregister(deps, call, row).catch((error: unknown) => {
      logRemaining(deps, row, error)
    })
}

const logRemaining = ({ log }: PushDeps, { instance_id: id }: store.RegistrationRow, error: unknown) =>
  log.info({ err: error, trigger_id: id }, 'a webhook could not be removed at its application')

async function unregisterAll(
  deps: PushDeps,
  rows: readonly store.RegistrationRow[],
  isLastAttempt: boolean,
): Promise<void> {
  for (const row of rows) {
    const found = (await deps.catalogOf(row.project_id)).trigger(row.trigger_slug, row.version)
    if (!found?.trigger.webhook?.registration) continue
    const call = {
      projectId: row.project_id,
      instanceId: row.instance_id,
      accountId: row.connected_account_id,
      found,
      signal: NEVER_ABORTED,
    }
    await unregister(deps, call, row).catch((error: unknown) => {
      // Without a usable account no request is possible. The row stays, so that deliveries are rejected with 410.
      if (!isLastAttempt && !(error instanceof ApiError)) throw error
      logRemaining(deps, row, error)
    })
  }
}

/** Disables the trigger after a failure that time does not fix; after others the job is tried again. */
async function handleFailure(
  { db, encryptor, log }: PushDeps,
  { id, project_id: projectId }: InstanceRow,
  error: unknown,
  isLastAttempt: boolean,
): Promise<void> {
  const meaning = error instanceof RegistrationFailed ? error.response.meaning : undefined
  // The account cannot be used. A change of its status also changes its triggers.
  if (error instanceof ApiError && !isLastAttempt) return
  const isTemporary =
    meaning === 'transient' || meaning === 'rate_limit' || !(error instanceof RegistrationFailed)
  if (isTemporary && !isLastAttempt) {
    if (error instanceof RegistrationFailed) {
      const own = await encryptor.ofProject(projectId)
      await insertLog(db, projectId, id, newLog(own, 'failure', error.message))
    }
    throw error
  }
  const reason = meaning === 'reauth' ? 'subscription_auth_failure' : 'subscription_refresh_failure'
  await db.begin((tx) => disableInstance(tx, projectId, id, reason))
  log.warn(
    { err: error, trigger_id: id, project_id: projectId, reason },
    'a trigger was disabled: its webhook could not be registered',
  )
}
