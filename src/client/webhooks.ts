/** What proves that a delivery was sent by the server. */
export interface WebhookToVerify {
  /** Headers of the request. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The raw body, before it is parsed. */
  body: string | Uint8Array
  /** Secret of the subscription, `whsec_…`. */
  secret?: string | undefined
  /** Public key of the subscription, `whpk_…`, in place of the secret. */
  publicKey?: string | undefined
  /** Largest age of a delivery, in seconds. Default 300. */
  toleranceSeconds?: number | undefined
}

/** A delivery in payload version V3. */
export interface WebhookEvent {
  id: string
  type: string
  timestamp: string
  metadata?: Record<string, unknown>
  data: Record<string, unknown>
}

/** A delivery whose signature, time or headers are wrong. Respond with 401. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
  }
}

const TOLERANCE_SECONDS = 300
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Verifies the signature of a delivery with the secret (HMAC-SHA256) or the public key (Ed25519) of its subscription.
 * @returns the parsed body
 * @throws WebhookVerificationError with the reason
 */
export async function verifyWebhook<Event = WebhookEvent>(webhook: WebhookToVerify): Promise<Event> {
  const { secret, publicKey, toleranceSeconds = TOLERANCE_SECONDS } = webhook
  if (!secret && !publicKey)
    throw new TypeError('Pass the secret or the publicKey of the webhook subscription.')
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(webhook.headers, name),
  )
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError('webhook-id, webhook-timestamp or webhook-signature is missing.')
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!(age <= toleranceSeconds))
    throw new WebhookVerificationError(`webhook-timestamp is more than ${toleranceSeconds} seconds off.`)
  const text = typeof webhook.body === 'string' ? webhook.body : new TextDecoder().decode(webhook.body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const isValid =
    (secret ? await matchesSecret(secret, signed, entriesOf(signatures, 'v1,')) : false) ||
    (publicKey ? await matchesPublicKey(publicKey, signed, entriesOf(signatures, 'v1a,')) : false)
  if (!isValid)
    throw new WebhookVerificationError(
      'No signature matches. Verify the raw body with the secret of this subscription.',
    )
  return JSON.parse(text) as Event
}

function headerOf(headers: WebhookToVerify['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value[0] : value
}

const entriesOf = (signatures: string, prefix: string): Bytes[] =>
  signatures
    .split(' ')
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => decodeBase64(entry.slice(prefix.length)))
    .filter((bytes) => bytes !== undefined)

type Bytes = Uint8Array<ArrayBuffer>

/** The key is the decoded part after `whsec_` or the text of the secret: the server signs with both. */
async function matchesSecret(secret: string, signed: Bytes, signatures: readonly Bytes[]): Promise<boolean> {
  const keys = [decodeBase64(secret.replace(/^whsec_/, '')), new TextEncoder().encode(secret)]
  for (const bytes of keys) {
    if (!bytes || bytes.length === 0) continue
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

async function matchesPublicKey(text: string, signed: Bytes, signatures: readonly Bytes[]): Promise<boolean> {
  const bytes = decodeBase64(text.replace(/^whpk_/, ''))
  if (bytes?.length !== 32) throw new TypeError('publicKey must be `whpk_` and the base64 of 32 bytes.')
  const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
  for (const signature of signatures)
    if (await crypto.subtle.verify('Ed25519', key, signature, signed)) return true
  return false
}

function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
