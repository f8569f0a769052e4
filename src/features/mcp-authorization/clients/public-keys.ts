import type { JSONWebKeySet, JWK } from 'jose'
import { isObject } from '../../../platform/json-object.ts'

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
const PUBLIC_PARAMETERS = ['kty', 'kid', 'use', 'alg', 'crv', 'x', 'y', 'n', 'e'] as const
const PRIVATE_PARAMETERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const KEY_TYPES = ['EC', 'OKP', 'RSA']
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Reads a set of public keys (RFC 7517 §5). Only the parameters of public keys are kept. Returns undefined if it is no
 * set of 1 to 20 keys, or if one of them is not public.
 */
export function readPublicKeys(value: unknown): JSONWebKeySet | undefined {
  const keys = isObject(value) ? value['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > KEYS_MAX) return undefined
  const read = keys.map(readPublicKey)
  return read.every((key) => key !== undefined) ? { keys: read } : undefined
}

function readPublicKey(value: unknown): JWK | undefined {
  if (!isObject(value) || !KEY_TYPES.includes(String(value['kty']))) return undefined
  if (PRIVATE_PARAMETERS.some((name) => Object.hasOwn(value, name))) return undefined
  const entries = PUBLIC_PARAMETERS.filter((name) => value[name] !== undefined).map(
    (name) => [name, value[name]] as const,
  )
  return entries.every(([, text]) => typeof text === 'string' && text.length <= VALUE_CHARACTERS_MAX)
    ? (Object.fromEntries(entries) as unknown as JWK)
    : undefined
}

/** Whether keys may be fetched at a URL: https, or http on this machine, where the egress guard decides. */
export function isKeySetUrl(text: unknown): text is string {
  const url = typeof text === 'string' && text.length <= URL_CHARACTERS_MAX ? URL.parse(text) : null
  if (!url || url.username || url.password || url.hash) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname))
}
