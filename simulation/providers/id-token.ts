import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { signedJwt } from './jwt.ts'
import { CLIENT, type Provider } from './provider.ts'

const SECONDS = 300
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** An id_token of OpenID Connect Core 2, for the client of the simulator. */
export const idToken = (provider: Provider, nonce: string | undefined, more: object = {}): string =>
  signedJwt(
    {
      iss: provider.url,
      sub: 'u-1',
      aud: CLIENT.id,
      nonce,
      iat: Math.floor(provider.now() / 1_000),
      exp: Math.floor(provider.now() / 1_000) + SECONDS,
      ...more,
    },
    KEYS.privateKey,
    'k-1',
  )

/** Claim `c_hash` of OpenID Connect Core 3.3.2.11. */
export const halfHash = (code: string): string =>
  createHash('sha256').update(code).digest().subarray(0, 16).toString('base64url')

const setOf = ({ publicKey }: KeyPairKeyObjectResult) => ({
  keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k-1', alg: 'RS256', use: 'sig' }],
})
/** The keys of a provider (RFC 7517), and those of another one under the same name. */
export const OWN_KEYS = setOf(KEYS)
export const OTHER_KEYS = setOf(generateKeyPairSync('rsa', { modulusLength: 2048 }))
