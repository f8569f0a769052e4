import { createHash } from 'node:crypto'
import { parseBoundedJsonOrUndefined } from '../bounded-json.ts'
import { isObject } from '../json-object.ts'

/** Hash function of each signature algorithm, by the end of its name; Ed25519 uses SHA-512. */
const HASHES: readonly (readonly [RegExp, string])[] = [
  [/256$/, 'sha256'],
  [/384$/, 'sha384'],
  [/512$|^EdDSA$|^Ed25519$/, 'sha512'],
]

/**
 * Whether a claim is `at_hash` of an access token: the left half of its hash (OpenID Connect Core §3.1.3.6).
 * @param idToken the ID token with the claim, whose algorithm decides the hash function
 */
export function isAccessTokenHash(claim: unknown, accessToken: string, idToken: string): boolean {
  const algorithm = algorithmOf(idToken)
  const name = HASHES.find(([pattern]) => pattern.test(algorithm))?.[1]
  if (name === undefined) return false
  const digest = createHash(name).update(accessToken, 'ascii').digest()
  return claim === digest.subarray(0, digest.length / 2).toString('base64url')
}

function algorithmOf(token: string): string {
  const [encoded = ''] = token.split('.', 1)
  const header = parseBoundedJsonOrUndefined(Buffer.from(encoded, 'base64url').toString())
  return isObject(header) ? String(header['alg']) : ''
}
