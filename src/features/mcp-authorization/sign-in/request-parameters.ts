import { createHash } from 'node:crypto'
import { timingSafeEqualText } from '../../../platform/crypto/index.ts'

/** How the user has to sign in again, although the browser is signed in (OpenID Connect Core §3.1.2.1). */
export type Prompt = 'login' | 'select_account'

/**
 * The parameters of an authorization request that do not identify the client (RFC 6749 §4.1.1, RFC 7636 §4.3,
 * RFC 9449 §10).
 */
export interface AuthorizationParameters {
  state: string | null
  challenge: string
  prompt: Prompt | null
  /** Thumbprint of the key that must redeem the code. */
  dpopThumbprint: string | null
}
export interface AuthorizationFault {
  error: 'invalid_request' | 'unsupported_response_type' | 'interaction_required'
  description: string
  state: string | null
}

const STATE_CHARACTERS_MAX = 2_048
/** SHA-256 in base64url. */
const SHA256_TEXT = /^[A-Za-z0-9_-]{43}$/
/** RFC 7636 §4.1. */
const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
/** All parameters of a request that are read. None may repeat. */
export const REQUEST_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
  'dpop_jkt',
] as const
/** `consent` is what this server does in any case. */
export const PROMPTS = ['login', 'select_account', 'consent'] as const

type Reason = Pick<AuthorizationFault, 'error' | 'description'>
const invalid = (description: string): Reason => ({ error: 'invalid_request', description })

/** Reads the query of an authorization request. A repeated parameter is an error (RFC 6749 §3.1). */
export function readAuthorizationParameters(
  query: URLSearchParams,
): AuthorizationParameters | AuthorizationFault {
  const state = query.get('state')
  const fault =
    repetition(query) ??
    stateFault(state) ??
    responseTypeFault(query) ??
    challengeFault(query) ??
    promptFault(query) ??
    thumbprintFault(query)
  if (fault) return { ...fault, state: stateFault(state) ? null : state }
  const prompts = promptsOf(query)
  return {
    state,
    challenge: query.get('code_challenge') as string,
    prompt: prompts.includes('login')
      ? 'login'
      : prompts.includes('select_account')
        ? 'select_account'
        : null,
    dpopThumbprint: query.get('dpop_jkt'),
  }
}

function repetition(query: URLSearchParams): Reason | undefined {
  const repeated = REQUEST_PARAMETERS.find((name) => query.getAll(name).length > 1)
  return repeated && invalid(`${repeated} is given more than once.`)
}

const stateFault = (state: string | null): Reason | undefined =>
  state !== null && (state.length > STATE_CHARACTERS_MAX || state.includes('\0'))
    ? invalid(`state must have at most ${STATE_CHARACTERS_MAX} characters, without NUL.`)
    : undefined

const responseTypeFault = (query: URLSearchParams): Reason | undefined =>
  query.get('response_type') === 'code'
    ? undefined
    : { error: 'unsupported_response_type', description: 'response_type must be code.' }

const challengeFault = (query: URLSearchParams): Reason | undefined =>
  query.get('code_challenge_method') === 'S256' && SHA256_TEXT.test(query.get('code_challenge') ?? '')
    ? undefined
    : invalid('PKCE with S256 is required: send code_challenge and code_challenge_method=S256.')

const promptsOf = (query: URLSearchParams): string[] => (query.get('prompt') ?? '').split(' ').filter(Boolean)

function promptFault(query: URLSearchParams): Reason | undefined {
  const prompts = promptsOf(query)
  if (prompts.length === 1 && prompts[0] === 'none')
    return {
      error: 'interaction_required',
      description: 'This server asks its users on a page each time, so prompt=none is not possible.',
    }
  const unknown = prompts.find((prompt) => !(PROMPTS as readonly string[]).includes(prompt))
  if (unknown === undefined) return undefined
  return invalid(`prompt must be made of ${PROMPTS.join(', ')}, or be none alone.`)
}

function thumbprintFault(query: URLSearchParams): Reason | undefined {
  const thumbprint = query.get('dpop_jkt')
  return thumbprint === null || SHA256_TEXT.test(thumbprint)
    ? undefined
    : invalid('dpop_jkt must be the SHA-256 thumbprint of a key, in base64url.')
}

/** Whether the code challenge is the SHA-256 of the verifier. */
export const verifyCodeVerifier = (challenge: string, verifier: string): boolean =>
  CODE_VERIFIER.test(verifier) &&
  timingSafeEqualText(createHash('sha256').update(verifier).digest('base64url'), challenge)
