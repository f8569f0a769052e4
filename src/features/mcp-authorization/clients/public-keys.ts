import type { JSONWebKeySet, JWK } from 'jose'
import { isObject } from '../../../platform/json-object.ts'
import { isLoopbackHttp } from '../../../platform/oauth/issuer-url.ts'

/** Where the public keys of a client are: in its metadata, or at a URL. */
export type ClientKeys = { readonly jwks: JSONWebKeySet } | { readonly jwksUri: string }

/**
 * Algorithms of assertions and proofs. All are asymmetric: with a symmetric one, a public key would be accepted as a
 * shared secret.
 */
export const SIGNING_ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256'] as const

const KEYS_MAX = 20
const VALUE_CHARACTERS_MAX = 2_000
const URL_CHARACTERS_MAX = 1_024
/** Parameters of private and symmetric keys (RFC 7518 §6). */
const PRIVATE_PARAMETERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
/** The parameters that a key of each usable type needs (RFC 7518 §6.2 and §6.3, RFC 8037 §2). */
const KEY_TYPES: Readonly<Record<string, { curves?: readonly string[]; needs: readonly string[] }>> = {
  EC: { curves: ['P-256', 'P-384'], needs: ['crv', 'x', 'y'] },
  OKP: { curves: ['Ed25519'], needs: ['crv', 'x'] },
  RSA: { needs: ['n', 'e'] },
}

/**
 * Reads a set of public keys. Keys that cannot verify a signature here are ignored (RFC 7517 §5): those of another
 * type, curve, algorithm or use, and incomplete ones. Returns undefined if it is no set, if no key remains, or if it
 * discloses a private or symmetric key.
 */
export function readPublicKeys(value: unknown): JSONWebKeySet | undefined {
  const keys = isObject(value) ? value['keys'] : undefined
  if (!Array.isArray(keys) || keys.length > KEYS_MAX || !keys.every(isObject)) return undefined
  if (keys.some((key) => PRIVATE_PARAMETERS.some((name) => Object.hasOwn(key, name)))) return undefined
  const usable = keys.flatMap((key) => readPublicKey(key) ?? [])
  return usable.length > 0 ? { keys: usable } : undefined
}

/** Returns a key with the parameters that verification needs, or undefined if it cannot verify a signature here. */
function readPublicKey(key: Readonly<Record<string, unknown>>): JWK | undefined {
  const { kty, kid, use, alg, key_ops: operations } = key
  const type = isText(kty) && Object.hasOwn(KEY_TYPES, kty) ? KEY_TYPES[kty] : undefined
  if (!type || (type.curves && !(type.curves as readonly unknown[]).includes(key['crv']))) return undefined
  const canVerify =
    (use === undefined || use === 'sig') &&
    (alg === undefined || (SIGNING_ALGORITHMS as readonly unknown[]).includes(alg)) &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify')))
  if (!canVerify || !(kid === undefined || isText(kid)) || !type.needs.every((name) => isText(key[name])))
    return undefined
  const names = ['kty', 'kid', 'alg', ...type.needs].filter((name) => key[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, key[name]])) as unknown as JWK
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= VALUE_CHARACTERS_MAX

/** Whether keys may be fetched at a URL: https, or http on this machine, where the egress guard decides. */
export function isKeySetUrl(text: unknown): text is string {
  const url = typeof text === 'string' && text.length <= URL_CHARACTERS_MAX ? URL.parse(text) : null
  if (!url || url.username || url.password || url.hash) return false
  return url.protocol === 'https:' || isLoopbackHttp(url)
}
