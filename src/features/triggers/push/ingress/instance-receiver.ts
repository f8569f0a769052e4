import { credentialLookup } from '../../../../auth-schemes/index.ts'
import type { CompiledWebhook, IncomingDelivery, Trigger } from '../../../../catalog/index.ts'
import type { PushDeps } from '../deps.ts'
import { decryptState, encryptState } from '../registrations/state.ts'
import * as store from '../registrations/store.ts'
import type { DeliveryTarget, Receiver, Values } from './receivers.ts'
import { toTargets } from './targets.ts'

/** The receiver of deliveries to the URL of one instance. */
export async function instanceReceiver(
  deps: PushDeps,
  row: store.RegistrationRow,
): Promise<Receiver | undefined> {
  const { project_id: projectId } = row
  const trigger = (await deps.catalogOf(projectId)).trigger(row.trigger_slug, row.version)?.trigger
  const webhook = trigger?.webhook
  if (!webhook) return undefined
  return {
    projectId,
    webhook,
    verificationValues: () => verificationValues(deps, row, webhook),
    saveValues: (values) => saveValues(deps, row, values),
    markVerified: async () => {},
    findTargets: (delivery) => findTargets(deps, row, trigger, webhook, delivery),
  }
}

async function verificationValues(
  { encryptor, accounts }: PushDeps,
  row: store.RegistrationRow,
  webhook: CompiledWebhook,
): Promise<Values> {
  const { secret, id, saved } = decryptState(encryptor, row)
  const own: Values = { ...webhook.constants, ...saved, webhook_secret: secret, webhook_id: id }
  const missing = webhook.needs.filter((name) => !Object.hasOwn(own, name))
  if (missing.length === 0) return own
  const context = (await accounts.findById(row.project_id, row.connected_account_id))?.context
  if (!context) return own
  return { ...Object.fromEntries(missing.map((name) => [name, credentialLookup(context)(name)])), ...own }
}

/** Only while the application is being asked to register the URL. */
const saveValues = (
  { db, encryptor }: PushDeps,
  { project_id: projectId, url_token: urlToken }: store.RegistrationRow,
  values: Readonly<Record<string, string>>,
): Promise<boolean> =>
  db.begin(async (tx) => {
    const row = await store.lockRegistration(tx, projectId, urlToken)
    if (!row || row.registered_at) return false
    const state = decryptState(encryptor, row)
    if (Object.keys(values).some((name) => Object.hasOwn(state.saved, name))) return false
    const own = await encryptor.ofProject(projectId)
    const changed = encryptState(own, urlToken, { ...state, saved: { ...state.saved, ...values } })
    return (await store.updateState(tx, projectId, urlToken, changed)) > 0
  })

async function findTargets(
  { db }: PushDeps,
  { project_id: projectId, instance_id: instanceId, toolkit_slug: toolkit }: store.RegistrationRow,
  trigger: Trigger,
  webhook: CompiledWebhook,
  delivery: IncomingDelivery,
): Promise<DeliveryTarget[] | undefined> {
  const filter = { toolkit, mode: 'instance', ids: [instanceId] } as const
  const [instance] = await store.findTargets(db, projectId, filter, 1)
  if (instance) return toTargets(instance, trigger, webhook, webhook.itemsOf(delivery))
  return (await store.isDeleted(db, projectId, instanceId)) ? undefined : []
}
