import { isProven, ProviderTrouble, shakeHands } from '../../../auth-schemes/index.ts'
import { type IncomingDelivery, parseDelivery, type IncomingDeliveryRequest, lookupFrom } from '../../../catalog/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { enqueue } from '../../../platform/jobs/index.ts'
import { POLL_LEASE_S, tell } from '../index.ts'
import type { HookDeps } from './deps.ts'
import type { Receiver, Wanting } from './receivers.ts'
import * as store from './store.ts'

export interface IngressReply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

export const WAKE = 'triggers.wake'
/** After this, a poll that was under way when an application said that there is something new has ended. */
const WAKE_AGAIN_MS = 60_000
/** Of one delivery. A list that is longer is no delivery of an application. */
const ITEMS_MAX = 10_000
const TAKEN: IngressReply = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '{"success":true}',
}

/**
 * One request of an application: a handshake is answered, a delivery is proven and its events are stored, in one transaction; no application is asked anything
 * meanwhile. Whatever is not proven has the same answer. @throws ApiError 401; 400, 410 and 413 for deliveries that are proven; 503
 */
export async function receive(
  deps: HookDeps,
  receivers: readonly Receiver[],
  request: IncomingDeliveryRequest,
): Promise<IngressReply> {
  const delivery = parseDelivery(request)
  for (const receiver of receivers) {
    const names = await receiver.names()
    const handshake = receiver.webhook.handshakes.find((one) => one.holds(delivery))?.manifest
    if (!handshake) {
      if (await isRight(deps, receiver, names, delivery)) return take(deps, receiver, delivery)
      continue
    }
    if (handshake.verified && !(await isRight(deps, receiver, names, delivery))) continue
    const shaken = shakeHands(handshake, delivery, lookupFrom(names))
    if (!shaken || (Object.keys(shaken.save).length > 0 && !(await receiver.keep(shaken.save)))) continue
    if (handshake.verified) await receiver.proven()
    return shaken
  }
  throw new ApiError('WebhookIngress_Refused', 'The delivery was refused.')
}

async function isRight(
  deps: HookDeps,
  { webhook }: Receiver,
  names: Readonly<Record<string, unknown>>,
  delivery: IncomingDelivery,
): Promise<boolean> {
  try {
    return await isProven(webhook.verify, delivery, {
      lookup: lookupFrom(names),
      now: deps.clock.now(),
      keysAt: deps.keysAt,
      items: () => webhook.itemsOf(delivery),
    })
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    throw new ApiError('HTTP_ServiceUnavailable', 'The delivery cannot be checked at the moment.', {
      cause: error,
    })
  }
}

async function take(deps: HookDeps, receiver: Receiver, delivery: IncomingDelivery): Promise<IngressReply> {
  if (delivery.raw.length > 0 && delivery.body === undefined && !receiver.webhook.isPing)
    throw new ApiError('WebhookIngress_Unreadable', 'The body is neither JSON nor a form.')
  if (receiver.webhook.itemsOf(delivery).length > ITEMS_MAX)
    throw new ApiError('HTTP_PayloadTooLarge', `A delivery has at most ${ITEMS_MAX} events.`)
  const wanting = await receiver.wanting(delivery)
  if (!wanting) throw new ApiError('WebhookIngress_Gone', 'The trigger was deleted.')
  if (wanting.length > 0) await storeEvents(deps, receiver.projectId, wanting)
  await receiver.proven()
  return TAKEN
}

/** Events of an instance are told one delivery after the other, so their order is that in which they came. */
function storeEvents(
  { db, encryptor }: HookDeps,
  projectId: string,
  wanting: readonly Wanting[],
): Promise<void> {
  return db.begin(async (tx) => {
    const enabled = await store.lock(
      tx,
      projectId,
      wanting.map(({ instance }) => instance.id),
    )
    const pings: string[] = []
    for (const { instance, trigger, items } of wanting) {
      if (!enabled.has(instance.id)) continue
      if (trigger.webhook!.isPing) {
        pings.push(instance.id)
        continue
      }
      await tell(
        tx,
        encryptor,
        instance,
        items.map((item) => ({
          key: trigger.webhook!.keyOf(item),
          payload: trigger.payloadOf({ ...item, config: instance.config }),
        })),
      )
    }
    const woken = pings.length > 0 ? await store.wake(tx, projectId, pings, POLL_LEASE_S) : new Set()
    for (const id of pings)
      if (!woken.has(id))
        await enqueue(
          tx,
          WAKE,
          { project: projectId, id },
          { key: `${WAKE}:${id}`, runAt: new Date(Date.now() + WAKE_AGAIN_MS), maxAttempts: 3 },
        )
  })
}
