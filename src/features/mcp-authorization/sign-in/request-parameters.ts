import { createHash } from 'node:crypto'
import { timingSafeEqualText } from '../../../platform/crypto/index.ts'

/** The parameters of an authorization request that are not about the client (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export interface Wanted {
  state: string | null
  challenge: string
}
export interface Fault {
  error: 'invalid_request' | 'unsupported_response_type'
  description: string
  state: string | null
}

const STATE_MAX = 2_048
/** SHA-256 in base64url, and what RFC 7636 §4.1 lets a verifier be. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
const ONCE = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
]

/** Reads what a browser brought; a parameter that comes twice means nothing (RFC 6749 §3.1). */
export function readWanted(query: URLSearchParams): Wanted | Fault {
  const state = query.get('state')
  const fault = (error: Fault['error'], description: string): Fault => ({
    error,
    description,
    state: state !== null && state.length <= STATE_MAX ? state : null,
  })
  const twice = ONCE.find((name) => query.getAll(name).length > 1)
  if (twice) return fault('invalid_request', `${twice} comes more than once.`)
  if (state !== null && (state.length > STATE_MAX || state.includes('\0')))
    return fault('invalid_request', `state has at most ${STATE_MAX} characters.`)
  if (query.get('response_type') !== 'code')
    return fault('unsupported_response_type', 'response_type is code.')
  const challenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
    return fault(
      'invalid_request',
      'PKCE with S256 is needed: code_challenge, and code_challenge_method=S256.',
    )
  return { state, challenge }
}

/** Whether the verifier is what the challenge was made of. */
export const isVerifier = (challenge: string, verifier: string): boolean =>
  VERIFIER.test(verifier) &&
  timingSafeEqualText(createHash('sha256').update(verifier).digest('base64url'), challenge)
