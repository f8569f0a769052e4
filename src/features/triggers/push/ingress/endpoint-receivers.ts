import {
  type Catalog,
  type CompiledWebhook,
  type DeliveredItem,
  type IncomingDelivery,
  lookupFrom,
  type Trigger,
} from '../../../../catalog/index.ts'
import { decryptConfig, enabledAuthConfigIds, findAuthConfig } from '../../../auth-configs/index.ts'
import { accountKey } from '../account-key.ts'
import type { PushDeps } from '../deps.ts'
import { decryptData, encryptData } from '../endpoints/data.ts'
import { type EndpointRow, lockEndpoint, markVerified, updateEndpoint } from '../endpoints/store.ts'
import { findTargets } from '../registrations/store.ts'
import type { DeliveryTarget, Receiver, Values } from './receivers.ts'
import { toTargets } from './targets.ts'

/** One delivery is for some accounts, and each has some triggers. */
const TARGETS_MAX = 5_000

/** The receivers of deliveries to the endpoints of OAuth apps, for all accounts of an app. */
export async function endpointReceivers(
  deps: PushDeps,
  projectId: string,
  toolkit: string,
  endpoints: readonly EndpointRow[],
): Promise<Receiver[]> {
  if (endpoints.length === 0) return []
  const catalog = await deps.catalogOf(projectId)
  const triggers = catalog
    .triggers(toolkit, 'latest')
    .filter(({ trigger }) => trigger.webhook?.scope === 'app')
    .map(({ trigger }) => trigger)
  const webhook = triggers[0]?.webhook
  if (!webhook) return []
  return endpoints.map((endpoint) => ({
    projectId,
    webhook,
    verificationValues: () => verificationValues(deps, endpoint, webhook),
    saveValues: (values) => saveValues(deps, endpoint, values),
    markVerified: async () => {
      if (!endpoint.verified_at) await markVerified(deps.db, projectId, endpoint.id)
    },
    findTargets: (delivery) => findEndpointTargets(deps, endpoint, catalog, triggers, delivery),
  }))
}

async function verificationValues(
  deps: PushDeps,
  endpoint: EndpointRow,
  webhook: CompiledWebhook,
): Promise<Values> {
  const own: Values = { ...webhook.constants, ...decryptData(deps.encryptor, endpoint) }
  const isIncomplete = webhook.needs.some((name) => !Object.hasOwn(own, name))
  if (!isIncomplete || endpoint.client_id === null) return own
  return { ...(await credentialsOfClient(deps, endpoint, endpoint.client_id)), ...own }
}

/** The credentials of the project's own OAuth app with this client id. */
async function credentialsOfClient(
  { db, encryptor }: PushDeps,
  { project_id: projectId, toolkit_slug: toolkit }: EndpointRow,
  clientId: string,
): Promise<Values> {
  for (const id of await enabledAuthConfigIds(db, projectId, toolkit)) {
    const config = await findAuthConfig(db, projectId, id)
    const credentials =
      config && !config.is_service_managed ? decryptConfig(encryptor, config).credentials : {}
    if (lookupFrom(credentials)('client_id') === clientId) return credentials
  }
  return {}
}

/** Only until the first delivery is verified. */
const saveValues = (
  { db, encryptor }: PushDeps,
  { project_id: projectId, id }: EndpointRow,
  values: Readonly<Record<string, string>>,
): Promise<boolean> =>
  db.begin(async (tx) => {
    const row = await lockEndpoint(tx, projectId, id)
    if (!row || row.verified_at) return false
    const own = await encryptor.ofProject(projectId)
    const data = encryptData(own, id, { ...decryptData(encryptor, row), ...values })
    return (await updateEndpoint(tx, projectId, id, data)) !== undefined
  })

async function findEndpointTargets(
  { db }: PushDeps,
  { project_id: projectId, toolkit_slug: toolkit, client_id: clientId }: EndpointRow,
  catalog: Catalog,
  triggers: readonly Trigger[],
  delivery: IncomingDelivery,
): Promise<DeliveryTarget[]> {
  const accountKeys = new Set(
    triggers
      .flatMap(({ webhook }) => webhook!.itemsOf(delivery).flatMap((item) => webhook!.account!.of(item)))
      .map((value) => accountKey(clientId, value)),
  )
  if (accountKeys.size === 0) return []
  const filter = { toolkit, mode: 'app', accountKeys: [...accountKeys] } as const
  const instances = await findTargets(db, projectId, filter, TARGETS_MAX)
  return instances.flatMap((instance) => {
    const trigger = catalog.trigger(instance.trigger_slug, instance.version)?.trigger
    const webhook = trigger?.webhook
    if (!trigger || !webhook?.account) return []
    const isForAccount = (item: DeliveredItem) =>
      webhook.account!.of(item).some((value) => accountKey(clientId, value) === instance.account_key)
    return toTargets(instance, trigger, webhook, webhook.itemsOf(delivery).filter(isForAccount))
  })
}
