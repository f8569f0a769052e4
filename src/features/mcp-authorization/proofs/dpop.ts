import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { jose } from '../../../platform/jose.ts'
import { timingSafeEqualText } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { SIGNING_ALGORITHMS } from '../clients/public-keys.ts'
import { NONCE_LIFETIME_MS, type ProofNonces } from './proof-nonces.ts'
import { claimProof, type ProofClaim, type ProofSource } from './used-proofs.ts'

const CHARACTERS_MAX = 8_192
const ID_CHARACTERS_MAX = 256
/** The nonce limits the age of a proof. Clocks of clients may be far from right, so `iat` is checked loosely. */
const AGE_MS_MAX = 600_000
const SKEW_MS = 60_000

export class DpopError extends Error {
  /** `use_dpop_nonce`: the client signs again, with the nonce in the header `DPoP-Nonce` of this response. */
  readonly code: 'invalid_dpop_proof' | 'use_dpop_nonce' | 'slow_down'
  constructor(code: DpopError['code'], message: string) {
    super(message)
    this.name = 'DpopError'
    this.code = code
  }
}

/** A proof that is valid, and not yet used up. */
export interface VerifiedProof {
  /** Thumbprint of its key (RFC 7638). */
  thumbprint: string
  id: string
  expiresAt: Date
}

export interface ProvenRequest {
  method: string
  /** Without query and fragment. */
  url: string
  /** The token that the request carries, which the proof must name (`ath`). */
  accessToken?: string
}

/**
 * Verifies a proof of possession (RFC 9449 §4.3) without using it up: first the caller verifies who sends it, because
 * anyone can sign proofs with a new key.
 * @throws DpopError
 */
export async function verifyDpopProof(
  nonces: ProofNonces,
  now: number,
  proof: string,
  { method, url, accessToken }: ProvenRequest,
): Promise<VerifiedProof> {
  const { payload, thumbprint } = await verifySignature(proof, now)
  const { htm, htu, iat, jti, nonce, ath } = payload
  const age = typeof iat === 'number' ? Math.abs(now - iat * 1_000) : Infinity
  const faults: readonly (readonly [boolean, string])[] = [
    [htm !== method, `htm must be ${method}`],
    [!isSameUrl(htu, url), `htu must be ${url}`],
    [age > AGE_MS_MAX, 'iat must be the present time'],
    [!isId(jti), `jti must be a text of 1 to ${ID_CHARACTERS_MAX} characters`],
    [
      accessToken !== undefined && !isDigestOf(ath, accessToken),
      'ath must be the SHA-256 of the access token',
    ],
  ]
  const fault = faults.find(([isWrong]) => isWrong)?.[1]
  if (fault !== undefined) throw new DpopError('invalid_dpop_proof', `The DPoP proof is rejected: ${fault}.`)
  if (!nonces.isValid(nonce))
    throw new DpopError('use_dpop_nonce', 'Sign the DPoP proof with the nonce in the header DPoP-Nonce.')
  return { thumbprint, id: jti as string, expiresAt: new Date(now + NONCE_LIFETIME_MS + SKEW_MS) }
}

/** Uses a proof up. @throws DpopError */
export async function useDpopProof(
  db: Db,
  { thumbprint, id, expiresAt }: VerifiedProof,
  source: ProofSource,
): Promise<void> {
  const claim = await claimProof(db, { kind: 'dpop', holder: thumbprint, id, expiresAt, source })
  const rejection = CLAIM_ERRORS[claim]
  if (rejection) throw new DpopError(...rejection)
}

const CLAIM_ERRORS: Readonly<Record<ProofClaim, readonly [DpopError['code'], string] | undefined>> = {
  first: undefined,
  used: ['invalid_dpop_proof', 'The DPoP proof was already used. Sign a new one for each request.'],
  full: ['slow_down', 'Too many DPoP proofs were sent within the last minutes. Try again later.'],
}

async function verifySignature(
  proof: string,
  now: number,
): Promise<{ payload: JWTPayload; thumbprint: string }> {
  if (proof.length > CHARACTERS_MAX) throw new DpopError('invalid_dpop_proof', 'The DPoP proof is too long.')
  try {
    const { payload, protectedHeader } = await jose().jwtVerify(proof, jose().EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...SIGNING_ALGORITHMS],
      currentDate: new Date(now),
      clockTolerance: AGE_MS_MAX / 1_000,
    })
    return { payload, thumbprint: await jose().calculateJwkThumbprint(protectedHeader.jwk!) }
  } catch (error) {
    throw new DpopError('invalid_dpop_proof', `The DPoP proof is rejected: ${reasonOf(error, proof)}.`)
  }
}

function reasonOf(error: unknown, proof: string): string {
  if (error instanceof jose().errors.JOSEAlgNotAllowed)
    return `its algorithm must be one of ${SIGNING_ALGORITHMS.join(', ')}`
  if (error instanceof jose().errors.JWTClaimValidationFailed) return `its ${error.claim} is wrong`
  try {
    return jose().decodeProtectedHeader(proof).jwk
      ? 'its signature is not of the public key in its header'
      : 'its header has no public key `jwk`'
  } catch {
    return 'it is not one JSON Web Token'
  }
}

/** Compares URLs after normalization, without query and fragment (RFC 9449 §4.3). */
function isSameUrl(claimed: unknown, expected: string): boolean {
  const url = typeof claimed === 'string' && claimed.length <= CHARACTERS_MAX ? URL.parse(claimed) : null
  const { origin, pathname } = new URL(expected)
  return url !== null && url.origin === origin && url.pathname === pathname
}

const isId = (id: unknown): boolean => typeof id === 'string' && id !== '' && id.length <= ID_CHARACTERS_MAX

const isDigestOf = (digest: unknown, token: string): boolean =>
  typeof digest === 'string' &&
  timingSafeEqualText(digest, createHash('sha256').update(token).digest('base64url'))
