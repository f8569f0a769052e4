import { LRUCache } from 'lru-cache'
import { signer } from '../../platform/webhook-signature.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Receiver } from './attempt.ts'
import type { Due } from './queue.ts'
import { openFormer, openSecret } from './secrets.ts'

export type ReceiverOf = (due: Due) => Receiver

const KNOWN_MAX = 1_000

interface Known {
  webhook_url: string
  secret: Buffer
  former: Buffer | null
  url: URL
  sign: Receiver['sign']
}
const same = (one: Buffer | null, other: Buffer | null) =>
  one === other || (one !== null && other !== null && one.equals(other))

/**
 * Receivers with their keys made ready: opening a secret and preparing it costs more than signing with it. The row of the delivery has the address and the sealed secrets of this moment, and
 * others are never used.
 */
export function receivers(encryptor: Encryptor): ReceiverOf {
  const known = new LRUCache<string, Known>({ max: KNOWN_MAX })
  return ({ subscription_id: id, webhook_url, version, secret, former_secret: former }) => {
    let found = known.get(id)
    if (
      !found ||
      found.webhook_url !== webhook_url ||
      !same(found.secret, secret) ||
      !same(found.former, former)
    ) {
      found = {
        webhook_url,
        secret,
        former,
        url: new URL(webhook_url),
        sign: signer([
          openSecret(encryptor, { id, secret }),
          ...(former ? [openFormer(encryptor, id, former)] : []),
        ]),
      }
      known.set(id, found)
    }
    return { webhook_url: found.url, version, sign: found.sign }
  }
}
