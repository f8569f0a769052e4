import type { EventType } from '../../../contract/events/index.ts'
import { type Encryptor, timingSafeEqualText } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { signature } from '../../../platform/webhook-signature.ts'
import { decryptApprovalSecret, decryptFormerSecret, decryptSecret } from './secrets.ts'
import { subscriptionsThatMayDecide, subscriptionsWithEvent } from './store.ts'

/** Standard Webhooks: the largest difference between the clocks of sender and receiver. */
const TOLERANCE_SECONDS = 300
const HEADER_CHARACTERS_MAX = 4_096

/** A signed request of a receiver to this server. */
export interface SignedRequest {
  id: string | undefined
  timestamp: string | undefined
  signature: string | undefined
  body: string
}

/** The approval that a receiver decides: its project, and the event that announced it. */
export interface AnnouncedApproval {
  projectId: string
  eventId: string
}

/**
 * Finds the subscription that signed a decision with its approval secret, in the format of Standard Webhooks. Only
 * subscriptions to which the approval was sent are considered. Returns undefined if none signed it, or not within five
 * minutes of `nowMs`.
 */
export async function verifyDecision(
  db: Db,
  encryptor: Encryptor,
  { projectId, eventId }: AnnouncedApproval,
  { id = '', timestamp = '', signature: header = '', body }: SignedRequest,
  nowMs: number,
): Promise<string | undefined> {
  if (
    !/^\d{1,12}$/.test(timestamp) ||
    Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS ||
    id === '' ||
    id.length > HEADER_CHARACTERS_MAX ||
    header.length > HEADER_CHARACTERS_MAX
  )
    return undefined
  const received = header.split(' ').filter((one) => one.startsWith('v1,'))
  for (const subscription of await subscriptionsThatMayDecide(db, projectId, eventId)) {
    const secret = decryptApprovalSecret(encryptor, subscription.id, subscription.approval_secret)
    const valid = signature([secret], id, Number(timestamp), body).split(' ')
    if (received.some((one) => valid.some((other) => timingSafeEqualText(one, other)))) return subscription.id
  }
  return undefined
}

export interface EventReceiver {
  id: string
  url: string
  /** The secrets that sign messages to the receiver. */
  secrets: readonly string[]
}

/** The receivers of an event, oldest first. */
export const eventReceivers = async (
  db: Db,
  encryptor: Encryptor,
  projectId: string,
  event: EventType,
  nowMs: number,
): Promise<EventReceiver[]> =>
  (await subscriptionsWithEvent(db, projectId, event)).map((row) => ({
    id: row.id,
    url: row.webhook_url,
    secrets: [
      decryptSecret(encryptor, row),
      ...(row.former_secret && row.former_until && row.former_until.getTime() > nowMs
        ? [decryptFormerSecret(encryptor, row.id, row.former_secret)]
        : []),
    ],
  }))
