import type { JSONWebKeySet, JWTPayload } from 'jose'
import { jose } from '../../platform/jose.ts'
import type { Lookup, VerifyOf } from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { fillTemplate } from '../credentials/templates.ts'
import { plainText } from './delivery-values.ts'

/**
 * Returns the public keys at a URL. Reads them again if `hasKey` returns false for the cached ones.
 * @throws ProviderUnavailable
 */
export type JwksFetcher = (url: string, hasKey?: (keys: JSONWebKeySet) => boolean) => Promise<JSONWebKeySet>

const TOKEN_MAX = 16_384
const SKEW_SECONDS = 60

/**
 * Verifies signature, times, and the claims that the manifest declares (RFC 7519 §7.2). Rejects a token without
 * expiry.
 * @throws ProviderUnavailable, MissingValue
 */
export async function verifyJwt(
  manifest: VerifyOf<'jwt'>,
  token: string | undefined,
  { lookup, now, fetchJwks }: { lookup: Lookup; now: number; fetchJwks: JwksFetcher },
): Promise<boolean> {
  if (token === undefined || token.length > TOKEN_MAX) return false
  const { algorithms, key, jwks_url: jwksUrl, issuer, audience, claims = {} } = manifest
  const options = {
    algorithms,
    currentDate: new Date(now),
    clockTolerance: SKEW_SECONDS,
    requiredClaims: ['exp'],
    ...(issuer === undefined ? {} : { issuer: fillTemplate(issuer, lookup) }),
    ...(audience === undefined ? {} : { audience: fillTemplate(audience, lookup) }),
  }
  const expected = Object.entries(claims).map(([name, text]) => [name, fillTemplate(text, lookup)] as const)
  const secret = key === undefined ? undefined : fillTemplate(key, lookup)
  if (secret === '') return false
  const keys =
    secret === undefined && jwksUrl !== undefined
      ? await fetchJwks(fillTemplate(jwksUrl, lookup), (cached) =>
          cached.keys.some(({ kid }) => kid === keyIdOf(token)),
        )
      : undefined
  if (secret === undefined && !keys) return false
  try {
    const { payload } =
      secret === undefined
        ? await jose().jwtVerify(token, jose().createLocalJWKSet(keys!), options)
        : await jose().jwtVerify(token, Buffer.from(secret), options)
    return expected.every(([name, value]) => hasClaim(payload, name, value))
  } catch {
    return false
  }
}

function hasClaim(payload: JWTPayload, name: string, value: string): boolean {
  const claim = Object.hasOwn(payload, name) ? payload[name] : undefined
  const text = typeof claim === 'boolean' ? String(claim) : plainText(claim)
  return text !== undefined && timingSafeEqualText(text, value)
}

function keyIdOf(token: string): string | undefined {
  try {
    return jose().decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}
