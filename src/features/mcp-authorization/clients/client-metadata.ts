import { OAuthFailure } from '../oauth-error.ts'
import { isRedirect } from './redirect-uris.ts'

export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** What a client says of itself. */
export interface ClientMetadata {
  name: string | null
  redirectUris: string[]
  authMethod: AuthMethod
}

const REDIRECTS_MAX = 20
const NAME_MAX = 100
const LONG = 1_000

/** Reads client metadata (RFC 7591 §2); members that mean nothing here are ignored. `whenSilent`: how it proves itself unless it says so. @throws OAuthFailure */
export function readClientMetadata(given: unknown, whenSilent: AuthMethod): ClientMetadata {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new OAuthFailure('invalid_client_metadata', 'Client metadata is a JSON object.')
  const {
    redirect_uris: redirects,
    client_name: name,
    token_endpoint_auth_method: method = whenSilent,
    grant_types: grants,
    response_types: responses,
  } = given as Record<string, unknown>
  if (
    !Array.isArray(redirects) ||
    !redirects.length ||
    redirects.length > REDIRECTS_MAX ||
    !redirects.every(isRedirect)
  ) {
    throw new OAuthFailure(
      'invalid_redirect_uri',
      `redirect_uris has 1 to ${REDIRECTS_MAX} addresses without fragments: https, http on localhost, or a scheme of the program's own.`,
    )
  }
  if (!(AUTH_METHODS as readonly unknown[]).includes(method))
    throw new OAuthFailure(
      'invalid_client_metadata',
      `token_endpoint_auth_method is one of ${AUTH_METHODS.join(', ')}.`,
    )
  if (!isListWith(grants, 'authorization_code'))
    throw new OAuthFailure('invalid_client_metadata', 'grant_types has authorization_code.')
  if (!isListWith(responses, 'code'))
    throw new OAuthFailure('invalid_client_metadata', 'response_types has code.')
  return { name: readName(name), redirectUris: [...new Set(redirects)], authMethod: method as AuthMethod }
}

const isListWith = (given: unknown, needed: string): boolean =>
  given === undefined || (Array.isArray(given) && given.length <= REDIRECTS_MAX && given.includes(needed))

/** What users are shown: one line, without characters that are not seen or that turn the text around. */
function readName(given: unknown): string | null {
  if (typeof given !== 'string') return null
  const name = [
    ...given
      .slice(0, LONG)
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, NAME_MAX)
    .join('')
  return name || null
}
