import { createHash } from 'node:crypto'
import { timingSafeEqualText } from '../../../platform/crypto/index.ts'

/** The parameters of an authorization request that do not identify the client (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export interface AuthorizationParameters {
  state: string | null
  challenge: string
}
export interface AuthorizationFault {
  error: 'invalid_request' | 'unsupported_response_type'
  description: string
  state: string | null
}

const STATE_CHARACTERS_MAX = 2_048
/** SHA-256 in base64url. */
const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/
/** RFC 7636 §4.1. */
const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
const SINGLE_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
]

/** Reads the query of an authorization request. A repeated parameter is an error (RFC 6749 §3.1). */
export function readAuthorizationParameters(
  query: URLSearchParams,
): AuthorizationParameters | AuthorizationFault {
  const state = query.get('state')
  const fault = (error: AuthorizationFault['error'], description: string): AuthorizationFault => ({
    error,
    description,
    state: state !== null && state.length <= STATE_CHARACTERS_MAX ? state : null,
  })
  const repeated = SINGLE_PARAMETERS.find((name) => query.getAll(name).length > 1)
  if (repeated) return fault('invalid_request', `${repeated} is given more than once.`)
  if (state !== null && (state.length > STATE_CHARACTERS_MAX || state.includes('\0')))
    return fault(
      'invalid_request',
      `state must have at most ${STATE_CHARACTERS_MAX} characters, without NUL.`,
    )
  if (query.get('response_type') !== 'code')
    return fault('unsupported_response_type', 'response_type must be code.')
  const challenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !CODE_CHALLENGE.test(challenge))
    return fault(
      'invalid_request',
      'PKCE with S256 is required: send code_challenge and code_challenge_method=S256.',
    )
  return { state, challenge }
}

/** Whether the code challenge is the SHA-256 of the verifier. */
export const verifyCodeVerifier = (challenge: string, verifier: string): boolean =>
  CODE_VERIFIER.test(verifier) &&
  timingSafeEqualText(createHash('sha256').update(verifier).digest('base64url'), challenge)
