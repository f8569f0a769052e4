import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  randomBytes,
  sign as signBytes,
} from 'node:crypto'

const SECRET_BYTES = 24

/**
 * Creates a webhook secret: `whsec_` and 32 letters of base64 (24 random bytes, the minimum of Standard
 * Webhooks). It is a key as text, and another one when decoded.
 */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Creates an Ed25519 key: the private key as PKCS #8 (DER) in base64. */
export const newSigningKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')

const privateKeyOf = (signingKey: string) =>
  createPrivateKey({ key: Buffer.from(signingKey, 'base64'), format: 'der', type: 'pkcs8' })

/** Returns the public key of a signing key: `whpk_` and the 32 bytes in base64, as Standard Webhooks writes it. */
export function publicKeyOf(signingKey: string): string {
  const { x = '' } = createPublicKey(privateKeyOf(signingKey)).export({ format: 'jwk' })
  return `whpk_${Buffer.from(x, 'base64url').toString('base64')}`
}

export type Sign = (id: string, timestamp: number, body: string) => string

/**
 * Creates a function that signs webhooks. It returns two entries of `webhook-signature` for each secret, HMAC-SHA256
 * over `id.timestamp.body`. The key of the first entry is the text of the secret, as the stock SDK verifies it. The key
 * of the second is the decoded base64 after `whsec_`, as in Standard Webhooks. A receiver accepts either. With a
 * signing key, an Ed25519 signature of the same text follows as `v1a` (Standard Webhooks, asymmetric signatures). Keys
 * are created once: signing with bytes takes 21 µs, with key objects 5 µs.
 */
export function signer(secrets: readonly string[], signingKey?: string): Sign {
  const privateKey = signingKey === undefined ? undefined : privateKeyOf(signingKey)
  const keys = secrets
    .flatMap((secret) => [Buffer.from(secret), Buffer.from(secret.replace(/^whsec_/, ''), 'base64')])
    .map((key) => createSecretKey(key))
  return (id, timestamp, body) => {
    const signed = Buffer.from(`${id}.${timestamp}.${body}`)
    const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    if (privateKey) signatures.push(`v1a,${signBytes(null, signed, privateKey).toString('base64')}`)
    return signatures.join(' ')
  }
}

/** Signs once. Use `signer` for several signatures with the same secrets. */
export const signature = (secrets: readonly string[], ...signed: Parameters<Sign>): string =>
  signer(secrets)(...signed)

/** Returns the headers of Standard Webhooks. */
export const signedHeaders = (sign: Sign, id: string, timestamp: number, body: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': sign(id, timestamp, body),
})
