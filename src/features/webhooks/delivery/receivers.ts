import { createCache } from '../../../platform/cache.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { signer } from '../../../platform/webhook-signature.ts'
import { decryptFormerSecret, decryptSecret, decryptSigningKey } from '../subscriptions/secrets.ts'
import { readUrl, type StoredUrl } from '../subscriptions/webhook-url.ts'
import type { Receiver } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'

export type ReceiverOf = (delivery: ClaimedDelivery) => Receiver

const CACHED_MAX = 1_000

interface CachedReceiver {
  stored: StoredUrl
  secret: Buffer
  formerSecret: Buffer | null
  signingKey: Buffer | null
  url: URL
  sign: Receiver['sign']
}

/**
 * Caches receivers with their keys: decrypting and preparing a secret costs more than signing with it. The row of the
 * delivery has the current URL and encrypted secrets; a cached receiver with other ones is not used.
 */
export function createReceivers({ db, encryptor }: { db: Db; encryptor: Encryptor }): ReceiverOf {
  const cache = createCache<string, CachedReceiver>({ max: CACHED_MAX })
  return (delivery) => {
    const { subscription_id: id, version, secret, former_secret: formerSecret } = delivery
    const { signing_key: signingKey, webhook_url, encrypted_webhook_url } = delivery
    let receiver = cache.get(id)
    const isCurrent =
      receiver !== undefined &&
      receiver.stored.webhook_url === webhook_url &&
      isSame(receiver.stored.encrypted_webhook_url, encrypted_webhook_url) &&
      isSame(receiver.secret, secret) &&
      isSame(receiver.formerSecret, formerSecret) &&
      isSame(receiver.signingKey, signingKey)
    if (!receiver || !isCurrent) {
      const secrets = [
        decryptSecret(encryptor, { id, secret }),
        ...(formerSecret ? [decryptFormerSecret(encryptor, id, formerSecret)] : []),
      ]
      const sign = signer(secrets, decryptSigningKey(encryptor, { id, signing_key: signingKey }))
      const stored = { webhook_url, encrypted_webhook_url }
      const url = new URL(readUrl(db, id, stored))
      receiver = { stored, secret, formerSecret, signingKey, url, sign }
      cache.set(id, receiver)
    }
    return { webhook_url: receiver.url, version, sign: receiver.sign }
  }
}

const isSame = (one: Buffer | null, other: Buffer | null) =>
  one === other || (one !== null && other !== null && one.equals(other))
