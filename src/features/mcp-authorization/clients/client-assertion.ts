import type { errors, JSONWebKeySet, JWTPayload, JWTVerifyOptions, ProtectedHeaderParameters } from 'jose'
import { jose } from '../../../platform/jose.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { claimProof, networkOf } from '../proofs/used-proofs.ts'
import { SIGNING_ALGORITHMS } from './public-keys.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const CHARACTERS_MAX = 16_384
const ID_CHARACTERS_MAX = 256
/** Clocks of clients may differ by this much. */
const SKEW_SECONDS = 60
/** An assertion is stored until it expires, so that it cannot be used again. */
const LIFETIME_SECONDS_MAX = 600

export interface AssertionContext {
  db: Db
  now: number
  clientId: string
  ip: string
  /** URLs that name this server: its issuer, its token endpoint, and the endpoint of the request. */
  audiences: readonly string[]
  /** Returns the keys of the client, read again if they are not sufficient. @throws OAuthRequestError */
  readKeys(isSufficient: (keys: JSONWebKeySet) => boolean): Promise<JSONWebKeySet>
}

/** Returns the client that an assertion names, before anything of it is verified: its claims can have any type. */
export function claimedClientId(assertion: string): string | undefined {
  try {
    const subject: unknown = assertion.length <= CHARACTERS_MAX ? jose().decodeJwt(assertion).sub : undefined
    return typeof subject === 'string' ? subject : undefined
  } catch {
    return undefined
  }
}

/**
 * Verifies the assertion with which a client authenticates (RFC 7523 §3), and uses it up.
 * @throws OAuthRequestError
 */
export async function verifyClientAssertion(
  assertion: string,
  { db, now, clientId, ip, audiences, readKeys }: AssertionContext,
): Promise<void> {
  const payload = await verifyWithKeys(assertion, readKeys, {
    algorithms: [...SIGNING_ALGORITHMS],
    issuer: clientId,
    subject: clientId,
    audience: [...audiences],
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'jti'],
    currentDate: new Date(now),
    clockTolerance: SKEW_SECONDS,
  })
  const expiresAt = (payload.exp as number) * 1_000
  if (expiresAt > now + (LIFETIME_SECONDS_MAX + SKEW_SECONDS) * 1_000)
    throw rejected(`it is valid for more than ${LIFETIME_SECONDS_MAX / 60} minutes`)
  const id = payload.jti
  if (typeof id !== 'string' || id === '' || id.length > ID_CHARACTERS_MAX)
    throw rejected(`its jti must be a text of 1 to ${ID_CHARACTERS_MAX} characters`)
  const claim = await claimProof(db, {
    kind: 'assertion',
    holder: clientId,
    id,
    expiresAt: new Date(expiresAt + SKEW_SECONDS * 1_000),
    source: networkOf(ip),
  })
  if (claim === 'used') throw rejected('it was already used')
  if (claim === 'full')
    throw new OAuthRequestError(
      'slow_down',
      'Too many assertions and proofs were sent from this network within the last minutes. Try again later.',
    )
}

const rejected = (reason: string): OAuthRequestError =>
  new OAuthRequestError('invalid_client', `The client_assertion is rejected: ${reason}.`)

function keyIdOf(assertion: string): string | undefined {
  if (assertion.length > CHARACTERS_MAX) throw rejected('it is too long')
  const header = decodeHeader(assertion)
  if (!header) throw rejected('it is not a JSON Web Token')
  const keyId: unknown = header.kid
  if (keyId === undefined) return undefined
  if (typeof keyId !== 'string' || keyId.length > ID_CHARACTERS_MAX)
    throw rejected(`its kid must be a text of at most ${ID_CHARACTERS_MAX} characters`)
  return keyId
}

function decodeHeader(assertion: string): ProtectedHeaderParameters | undefined {
  try {
    return jose().decodeProtectedHeader(assertion)
  } catch {
    return undefined
  }
}

/**
 * Verifies an assertion with the keys of the client. The client may have replaced them without another key id, or
 * without any, so they are read again if none of them signed it. The reader limits how often.
 * @throws OAuthRequestError
 */
async function verifyWithKeys(
  assertion: string,
  readKeys: AssertionContext['readKeys'],
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const keyId = keyIdOf(assertion)
  const keys = await readKeys((known) => keyId === undefined || known.keys.some(({ kid }) => kid === keyId))
  try {
    return await verifySignature(assertion, keys, options)
  } catch (error) {
    if (!isOtherKey(error)) throw rejected(reasonOf(error))
  }
  const keysReadAgain = await readKeys((known) => known !== keys)
  if (keysReadAgain === keys) throw rejected(NO_KEY)
  try {
    return await verifySignature(assertion, keysReadAgain, options)
  } catch (error) {
    throw rejected(reasonOf(error))
  }
}

const NO_KEY = 'no key of the client signed it'

/** Whether none of the keys signed it. Other errors are of the claims, which a further key would not change. */
const isOtherKey = (error: unknown): boolean =>
  error instanceof jose().errors.JWSSignatureVerificationFailed ||
  error instanceof jose().errors.JWKSNoMatchingKey

/** @throws errors of `jose` */
async function verifySignature(
  assertion: string,
  keys: JSONWebKeySet,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jose().jwtVerify(assertion, jose().createLocalJWKSet(keys), options)).payload
  } catch (error) {
    if (!(error instanceof jose().errors.JWKSMultipleMatchingKeys)) throw error
    return verifyWithOneOf(assertion, error, options)
  }
}

/** Several keys of the set fit the header, because the assertion names none. */
async function verifyWithOneOf(
  assertion: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  for await (const key of candidates)
    try {
      return (await jose().jwtVerify(assertion, key, options)).payload
    } catch (error) {
      if (!(error instanceof jose().errors.JWSSignatureVerificationFailed)) throw error
    }
  throw new (jose().errors.JWSSignatureVerificationFailed)()
}

/** Names the claim that differs. The client knows its own assertion, so nothing is disclosed. */
const reasonOf = (error: unknown): string =>
  error instanceof jose().errors.JWTExpired
    ? 'it has expired'
    : error instanceof jose().errors.JWTClaimValidationFailed
      ? `its claim ${error.claim} is missing or wrong`
      : error instanceof jose().errors.JOSEAlgNotAllowed
        ? `its algorithm must be one of ${SIGNING_ALGORITHMS.join(', ')}`
        : NO_KEY
