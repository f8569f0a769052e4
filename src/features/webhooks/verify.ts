import { signature } from '../../platform/webhook-signature.ts'
import type { EventType } from '../../contract/webhooks.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { openFormer, openSecret } from './secrets.ts'
import { takersOf } from './store.ts'

/** Standard Webhooks: how far the clocks of sender and receiver may be apart. */
const TOLERANCE_SECONDS = 300
const HEADER_CHARACTERS_MAX = 4_096

export interface Signed {
  id: string | undefined
  timestamp: string | undefined
  signature: string | undefined
  body: string
}

/**
 * Which subscription of the project signed a message to us: those that take the event may answer it, with the secret with which it was delivered to them (Standard Webhooks, as
 * deliveries are signed). Undefined: none did, or not within five minutes of `nowMs`.
 */
export async function signedBy(
  db: Db,
  encryptor: Encryptor,
  projectId: string,
  event: EventType,
  { id = '', timestamp = '', signature: sent = '', body }: Signed,
  nowMs: number,
): Promise<string | undefined> {
  if (
    !/^\d{1,12}$/.test(timestamp) ||
    Math.abs(nowMs / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS ||
    id === '' ||
    id.length > HEADER_CHARACTERS_MAX ||
    sent.length > HEADER_CHARACTERS_MAX
  )
    return undefined
  const given = sent.split(' ').filter((one) => one.startsWith('v1,'))
  for (const { id: subscription, secrets } of await receiversOf(db, encryptor, projectId, event, nowMs)) {
    const good = signature(secrets, id, Number(timestamp), body).split(' ')
    if (given.some((one) => good.some((other) => timingSafeEqualText(one, other)))) return subscription
  }
  return undefined
}

export interface EventReceiver {
  id: string
  url: string
  /** What messages to and from it are signed with. */ secrets: readonly string[]
}

/** Subscriptions that take an event, oldest first. */
export const receiversOf = async (
  db: Db,
  encryptor: Encryptor,
  projectId: string,
  event: EventType,
  nowMs: number,
): Promise<EventReceiver[]> =>
  (await takersOf(db, projectId, event)).map((row) => ({
    id: row.id,
    url: row.webhook_url,
    secrets: [
      openSecret(encryptor, row),
      ...(row.former_secret && row.former_until && row.former_until.getTime() > nowMs
        ? [openFormer(encryptor, row.id, row.former_secret)]
        : []),
    ],
  }))
