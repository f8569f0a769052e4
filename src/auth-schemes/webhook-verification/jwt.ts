import {
  createLocalJWKSet,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import type { Lookup, VerifyOf } from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { fillText } from '../texts.ts'
import { plainText } from './values.ts'

/** The public keys at an address. `unless`: the id of a key that the last ones lacked, so they are asked for anew. @throws ProviderTrouble */
export type KeysAt = (url: string, unless?: (keys: JSONWebKeySet) => boolean) => Promise<JSONWebKeySet>

const TOKEN_MAX = 16_384
const SKEW_SECONDS = 60

/** RFC 7519 7.2: signature, times, and every claim that the manifest names. A token without an end is refused. @throws ProviderTrouble, MissingValue */
export async function isJwtRight(
  manifest: VerifyOf<'jwt'>,
  token: string | undefined,
  { lookup, now, keysAt }: { lookup: Lookup; now: number; keysAt: KeysAt },
): Promise<boolean> {
  if (token === undefined || token.length > TOKEN_MAX) return false
  const { algorithms, key, jwks_url: jwksUrl, issuer, audience, claims = {} } = manifest
  const options = {
    algorithms,
    currentDate: new Date(now),
    clockTolerance: SKEW_SECONDS,
    requiredClaims: ['exp'],
    ...(issuer === undefined ? {} : { issuer: fillText(issuer, lookup) }),
    ...(audience === undefined ? {} : { audience: fillText(audience, lookup) }),
  }
  const expected = Object.entries(claims).map(([name, text]) => [name, fillText(text, lookup)] as const)
  const secret = key === undefined ? undefined : fillText(key, lookup)
  if (secret === '') return false
  const keys =
    secret === undefined && jwksUrl !== undefined
      ? await keysAt(fillText(jwksUrl, lookup), (known) => known.keys.some(({ kid }) => kid === idOf(token)))
      : undefined
  if (secret === undefined && !keys) return false
  try {
    const { payload } =
      secret === undefined
        ? await jwtVerify(token, createLocalJWKSet(keys!), options)
        : await jwtVerify(token, Buffer.from(secret), options)
    return expected.every(([name, value]) => holds(payload, name, value))
  } catch {
    return false
  }
}

function holds(payload: JWTPayload, name: string, value: string): boolean {
  const claim = Object.hasOwn(payload, name) ? payload[name] : undefined
  const text = typeof claim === 'boolean' ? String(claim) : plainText(claim)
  return text !== undefined && timingSafeEqualText(text, value)
}

function idOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}
