import { lookupOf } from '../../../auth-schemes/index.ts'
import {
  type CompiledWebhook,
  type IncomingDelivery,
  type DeliveredItem,
  lookupFrom,
  type Trigger,
} from '../../../catalog/index.ts'
import { enabledOf, findAuthConfig, openConfig } from '../../auth-configs/index.ts'
import type { InstanceRow } from '../index.ts'
import {
  type EndpointRow,
  endpointsOf,
  findByAddress as findEndpoint,
  lockEndpoint,
  markVerified,
  openData,
  sealData,
  writeEndpoint,
} from './endpoints/index.ts'
import { accountKey } from './account-key.ts'
import type { HookDeps } from './deps.ts'
import { openState, sealState } from './state.ts'
import * as store from './store.ts'

type Values = Readonly<Record<string, unknown>>
export interface Wanting {
  instance: InstanceRow
  trigger: Trigger
  items: readonly DeliveredItem[]
}

/** Whoever takes a delivery at an address, once it is proven. */
export interface Receiver {
  projectId: string
  webhook: CompiledWebhook
  /** What proofs are made with. */
  names(): Promise<Values>
  /** Keeps what the application brings to be known by. False where that was settled before. */
  keep(saved: Readonly<Record<string, string>>): Promise<boolean>
  /** A delivery was proven. */
  proven(): Promise<void>
  /** The instances that want it; undefined when whatever wanted deliveries here was deleted. */
  wanting(delivery: IncomingDelivery): Promise<Wanting[] | undefined>
}

const ADDRESS = /^wi_[A-Za-z0-9]{32}$/
const ENDPOINT = /^we_[A-Za-z0-9]{12}$/
const PROJECT = /^proj_[A-Za-z0-9]{12}$/
/** Of one address of a project. */
const ENDPOINTS_MAX = 20
/** One delivery is for some accounts, and each has some triggers. */
const LISTENERS_MAX = 5_000

/** Whoever may be meant by an address; none where it is nobody's. */
export async function receiversAt(deps: HookDeps, toolkit: string, address: string): Promise<Receiver[]> {
  if (ADDRESS.test(address)) {
    const row = await store.findByAddress(deps.db, address)
    const receiver = row && row.toolkit_slug === toolkit ? await ofInstance(deps, row) : undefined
    return receiver ? [receiver] : []
  }
  const endpoint = ENDPOINT.test(address) ? await findEndpoint(deps.db, address) : undefined
  return endpoint && endpoint.toolkit_slug === toolkit
    ? ofEndpoints(deps, endpoint.project_id, toolkit, [endpoint])
    : []
}

/** Whoever may be meant by the older address, which names a project only. */
export async function receiversOf(deps: HookDeps, toolkit: string, projectId: string): Promise<Receiver[]> {
  return PROJECT.test(projectId)
    ? ofEndpoints(deps, projectId, toolkit, await endpointsOf(deps.db, projectId, toolkit, ENDPOINTS_MAX))
    : []
}

async function ofInstance(deps: HookDeps, row: store.RegistrationRow): Promise<Receiver | undefined> {
  const { db, encryptor } = deps
  const { project_id: projectId, url_token: address, instance_id: instanceId, toolkit_slug: toolkit } = row
  const trigger = (await deps.catalogOf(projectId)).trigger(row.trigger_slug, row.version)?.trigger
  const webhook = trigger?.webhook
  if (!webhook) return undefined
  return {
    projectId,
    webhook,
    async names() {
      const { secret, id, saved } = openState(encryptor, row)
      const own: Values = { ...webhook.constants, ...saved, webhook_secret: secret, webhook_id: id }
      const missing = webhook.needs.filter((name) => !Object.hasOwn(own, name))
      const setup =
        missing.length > 0
          ? (await deps.accounts.findById(projectId, row.connected_account_id))?.context
          : undefined
      return setup
        ? { ...Object.fromEntries(missing.map((name) => [name, lookupOf(setup)(name)])), ...own }
        : own
    },
    keep: (saved) =>
      db.begin(async (tx) => {
        const now = await store.findForUpdate(tx, projectId, address)
        const state = now && openState(encryptor, now)
        if (
          !now ||
          !state ||
          now.registered_at ||
          Object.keys(saved).some((name) => Object.hasOwn(state.saved, name))
        )
          return false
        return (
          (await store.writeState(
            tx,
            projectId,
            address,
            sealState(encryptor, address, { ...state, saved: { ...state.saved, ...saved } }),
          )) > 0
        )
      }),
    proven: async () => {},
    async wanting(delivery) {
      const [instance] = await store.listeners(
        db,
        projectId,
        { toolkit, deliveryMode: 'instance', ids: [instanceId] },
        1,
      )
      if (instance) return wantedBy(instance, trigger, webhook, webhook.itemsOf(delivery))
      return (await store.isGone(db, projectId, instanceId)) ? undefined : []
    },
  }
}

async function ofEndpoints(
  deps: HookDeps,
  projectId: string,
  toolkit: string,
  rows: readonly EndpointRow[],
): Promise<Receiver[]> {
  if (rows.length === 0) return []
  const catalog = await deps.catalogOf(projectId)
  const triggers = catalog
    .triggers(toolkit, 'latest')
    .filter(({ trigger }) => trigger.webhook?.scope === 'app')
    .map(({ trigger }) => trigger)
  const webhook = triggers[0]?.webhook
  if (!webhook) return []
  return rows.map((row) => ({
    projectId,
    webhook,
    async names() {
      const own: Values = { ...webhook.constants, ...openData(deps.encryptor, row) }
      const lacks = webhook.needs.some((name) => !Object.hasOwn(own, name))
      return lacks && row.client_id !== null
        ? { ...(await credentialsOf(deps, projectId, toolkit, row.client_id)), ...own }
        : own
    },
    keep: (saved) =>
      deps.db.begin(async (tx) => {
        const now = await lockEndpoint(tx, projectId, row.id)
        if (!now || now.verified_at) return false
        return (
          (await writeEndpoint(
            tx,
            projectId,
            row.id,
            sealData(deps.encryptor, row.id, { ...openData(deps.encryptor, now), ...saved }),
          )) !== undefined
        )
      }),
    proven: async () => {
      if (!row.verified_at) await markVerified(deps.db, projectId, row.id)
    },
    async wanting(delivery) {
      const keys = new Set(
        triggers
          .flatMap(({ webhook: one }) => one!.itemsOf(delivery).flatMap((item) => one!.account!.of(item)))
          .map((value) => accountKey(row.client_id, value)),
      )
      if (keys.size === 0) return []
      const instances = await store.listeners(
        deps.db,
        projectId,
        { toolkit, deliveryMode: 'app', accountKeys: [...keys] },
        LISTENERS_MAX,
      )
      return instances.flatMap((instance) => {
        const trigger = catalog.trigger(instance.trigger_slug, instance.version)?.trigger
        const own = trigger?.webhook
        if (!trigger || !own?.account) return []
        return wantedBy(
          instance,
          trigger,
          own,
          own
            .itemsOf(delivery)
            .filter((item) =>
              own
                .account!.of(item)
                .some((value) => accountKey(row.client_id, value) === instance.account_key),
            ),
        )
      })
    },
  }))
}

function wantedBy(
  instance: InstanceRow,
  trigger: Trigger,
  webhook: CompiledWebhook,
  items: readonly DeliveredItem[],
): Wanting[] {
  const wanted = items.filter((item) => webhook.makesEvent(item, instance.config))
  return wanted.length > 0 ? [{ instance, trigger, items: wanted }] : []
}

/** Of the project's own app with this client id. */
async function credentialsOf(
  { db, encryptor }: HookDeps,
  projectId: string,
  toolkit: string,
  clientId: string,
): Promise<Values> {
  for (const id of await enabledOf(db, projectId, toolkit)) {
    const config = await findAuthConfig(db, projectId, id)
    const credentials = config && !config.is_service_managed ? openConfig(encryptor, config).credentials : {}
    if (lookupFrom(credentials)('client_id') === clientId) return credentials
  }
  return {}
}
