import type { Clock } from '../../../platform/clock.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'

export interface ProofNonces {
  /** Returns the nonce for the next proof of a client. */
  current(): string
  /** Whether any process of this installation issued the nonce within the last minutes. */
  isValid(nonce: unknown): boolean
}

const CONTEXT = 'mcp:dpop_nonce'
const CHARACTERS_MAX = 400
/** All clients receive the same nonce during this time. */
const REUSED_MS = 30_000
export const NONCE_LIFETIME_MS = 300_000
/** Clocks of processes may differ by this much. */
const SKEW_MS = 60_000

/**
 * Nonces of proofs (RFC 9449 §8): the encrypted time of issue, so that every process accepts those of the others and
 * nothing is stored.
 */
export function createProofNonces({ encryptor, clock }: { encryptor: Encryptor; clock: Clock }): ProofNonces {
  let latest: { nonce: string; issuedAt: number } | undefined
  return {
    current() {
      const now = clock.now()
      if (!latest || now - latest.issuedAt >= REUSED_MS || latest.issuedAt > now)
        latest = { nonce: encryptor.encryptWithRing(now, CONTEXT).toString('base64url'), issuedAt: now }
      return latest.nonce
    },
    isValid(nonce) {
      if (typeof nonce !== 'string' || nonce.length > CHARACTERS_MAX) return false
      try {
        const issuedAt = encryptor.decrypt<number>(Buffer.from(nonce, 'base64url'), CONTEXT)
        const age = clock.now() - issuedAt
        return age < NONCE_LIFETIME_MS && age > -SKEW_MS
      } catch {
        // Made up, or encrypted with a key that was removed.
        return false
      }
    },
  }
}
