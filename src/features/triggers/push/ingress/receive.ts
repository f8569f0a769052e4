import { answerChallenge, ProviderUnavailable, verifyDelivery } from '../../../../auth-schemes/index.ts'
import {
  type IncomingDelivery,
  type IncomingDeliveryRequest,
  lookupFrom,
  parseDelivery,
} from '../../../../catalog/index.ts'
import { ApiError } from '../../../../platform/http/api-error.ts'
import type { PushDeps } from '../deps.ts'
import type { Receiver } from './receivers.ts'
import { storeEvents } from './store-events.ts'

export interface IngressResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** A longer list is not a delivery of an application. */
const ITEMS_MAX = 10_000
const ACCEPTED: IngressResponse = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '{"success":true}',
}

/**
 * Handles a request of an application: responds to a handshake, or verifies a delivery and stores its events in one
 * transaction. It sends no request to any application. All requests that cannot be verified have the same response.
 * @throws ApiError 401; 400, 410 and 413 for verified deliveries; 503
 */
export async function receiveDelivery(
  deps: PushDeps,
  receivers: readonly Receiver[],
  request: IncomingDeliveryRequest,
): Promise<IngressResponse> {
  const delivery = parseDelivery(request)
  for (const receiver of receivers) {
    const values = await receiver.verificationValues()
    const handshake = receiver.webhook.handshakes.find((one) => one.holds(delivery))?.manifest
    if (!handshake) {
      if (await isVerified(deps, receiver, values, delivery)) return accept(deps, receiver, delivery)
      continue
    }
    if (handshake.verified && !(await isVerified(deps, receiver, values, delivery))) continue
    const response = answerChallenge(handshake, delivery, lookupFrom(values))
    const mayRespond =
      response && (Object.keys(response.save).length === 0 || (await receiver.saveValues(response.save)))
    if (!mayRespond) continue
    if (handshake.verified) await receiver.markVerified()
    return response
  }
  throw unverifiedDelivery()
}

/** The same for every URL, so that the response does not reveal which URLs exist. */
export const unverifiedDelivery = (): ApiError =>
  new ApiError('WebhookIngress_Refused', 'The delivery could not be verified.')

async function isVerified(
  deps: PushDeps,
  { webhook }: Receiver,
  values: Readonly<Record<string, unknown>>,
  delivery: IncomingDelivery,
): Promise<boolean> {
  try {
    return await verifyDelivery(webhook.verify, delivery, {
      lookup: lookupFrom(values),
      now: deps.clock.now(),
      fetchJwks: deps.fetchJwks,
      readEvents: () => webhook.itemsOf(delivery),
    })
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    throw new ApiError(
      'HTTP_ServiceUnavailable',
      'The delivery cannot be verified at the moment. Send it again later.',
      {
        cause: error,
      },
    )
  }
}

async function accept(
  deps: PushDeps,
  receiver: Receiver,
  delivery: IncomingDelivery,
): Promise<IngressResponse> {
  if (delivery.raw.length > 0 && delivery.body === undefined && !receiver.webhook.isPing)
    throw new ApiError('WebhookIngress_Unreadable', 'The body is neither JSON nor a form.')
  if (receiver.webhook.itemsOf(delivery).length > ITEMS_MAX)
    throw new ApiError('HTTP_PayloadTooLarge', `A delivery has at most ${ITEMS_MAX} events.`)
  const targets = await receiver.findTargets(delivery)
  if (!targets) throw new ApiError('WebhookIngress_Gone', 'The trigger was deleted.')
  if (targets.length > 0) await storeEvents(deps, receiver.projectId, targets)
  await receiver.markVerified()
  return ACCEPTED
}
