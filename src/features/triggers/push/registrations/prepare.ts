import { credentialLookup } from '../../../../auth-schemes/index.ts'
import type { ResolvedTrigger } from '../../../../catalog/index.ts'
import type { EngineAccount } from '../../../../engine/index.ts'
import type { Db } from '../../../../platform/db/sql.ts'
import { ApiError } from '../../../../platform/http/api-error.ts'
import { applicationError } from '../../instances/application-error.ts'
import type { PreparedWebhook, WebhookPreparer } from '../../instances/service.ts'
import { enqueueRegistration } from '../../state-machine.ts'
import { accountKeyFor } from '../account-key.ts'
import type { PushDeps } from '../deps.ts'
import { type NewRegistrationCall, register, RegistrationFailed } from './register.ts'
import * as store from './store.ts'

/** Makes sure that a webhook trigger receives events, before its instance is created or enabled. */
export const createWebhookPreparer = (deps: PushDeps): WebhookPreparer => ({
  prepare: (call, account) => prepareWebhook(deps, call, account),
  isRegistered: async (projectId, instanceId) =>
    (await store.registrationsOf(deps.db, projectId, instanceId)).some(
      ({ registered_at: at }) => at !== null,
    ),
})

/**
 * Registers an instance at its application, or finds out the id of the account in the deliveries of its OAuth app.
 * @throws ApiError 422 with the message of the application, 1215, 1216, 503
 */
async function prepareWebhook(
  deps: PushDeps,
  call: NewRegistrationCall,
  account: EngineAccount,
): Promise<PreparedWebhook> {
  const { db } = deps
  const { projectId, found, instanceId } = call
  checkVerificationValues(found, account)
  if (found.trigger.webhook!.scope === 'app') {
    const accountKey = await accountKeyFor(deps, projectId, found, account)
    return {
      attach: (tx, id) => store.setDeliveryMode(tx, projectId, id, { mode: 'app', accountKey }),
      cancel: async () => {},
    }
  }
  const urlToken = await register(deps, call).catch((error: unknown) => {
    throw error instanceof RegistrationFailed
      ? applicationError(error, error.response.meaning, error.message)
      : applicationError(error, undefined, '')
  })
  return {
    attach: (tx, id) => attachRegistration(tx, projectId, id, urlToken),
    // The job finds no instance for the URL and removes it.
    cancel: () => enqueueRegistration(db, projectId, instanceId),
  }
}

async function attachRegistration(tx: Db, projectId: string, id: string, urlToken: string): Promise<void> {
  await store.setDeliveryMode(tx, projectId, id, { mode: 'instance', urlToken })
  // Another version may be registered already: the job keeps the newest one.
  if ((await store.registrationsOf(tx, projectId, id)).length > 1)
    await enqueueRegistration(tx, projectId, id)
}

/** The values that verify deliveries have to exist before the first one arrives. @throws ApiError 1216 */
function checkVerificationValues(
  { trigger, toolkit }: ResolvedTrigger,
  { id, context }: EngineAccount,
): void {
  const { constants, needs, registration, handshakes, setup: fields } = trigger.webhook!
  const available = new Set([
    'webhook_secret',
    'webhook_id',
    ...Object.keys(constants),
    ...Object.keys(registration?.manifest.save ?? {}),
    ...handshakes.flatMap(({ manifest }) => Object.keys(manifest.save ?? {})),
    ...fields.map(({ name }) => name),
  ])
  const missing = needs.filter(
    (name) => !available.has(name) && (context ? credentialLookup(context)(name) : undefined) === undefined,
  )
  if (missing.length > 0)
    throw new ApiError(
      'TriggerInstance_ConnectionNotUsable',
      `${toolkit.name} signs events of ${trigger.slug} with ${missing.join(', ')}, which the connected ` +
        `account ${id} and its auth config do not have. Connect with an OAuth app of your own.`,
    )
}
