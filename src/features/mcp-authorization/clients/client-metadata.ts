import { OAuthRequestError } from '../oauth-error.ts'
import { isAllowedRedirectUri } from './redirect-uris.ts'

export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** The metadata that a client publishes about itself. */
export interface ClientMetadata {
  name: string | null
  redirectUris: string[]
  authMethod: AuthMethod
}

const REDIRECT_URIS_MAX = 20
const NAME_CHARACTERS_MAX = 100
const NAME_INPUT_CHARACTERS_MAX = 1_000

/**
 * Reads client metadata (RFC 7591 §2). Unsupported fields are ignored.
 * @param defaultAuthMethod used without `token_endpoint_auth_method`
 * @throws OAuthRequestError
 */
export function readClientMetadata(value: unknown, defaultAuthMethod: AuthMethod): ClientMetadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OAuthRequestError('invalid_client_metadata', 'Client metadata must be a JSON object.')
  const {
    redirect_uris: redirectUris,
    client_name: name,
    token_endpoint_auth_method: method = defaultAuthMethod,
    grant_types: grants,
    response_types: responses,
  } = value as Record<string, unknown>
  if (
    !Array.isArray(redirectUris) ||
    !redirectUris.length ||
    redirectUris.length > REDIRECT_URIS_MAX ||
    !redirectUris.every(isAllowedRedirectUri)
  ) {
    throw new OAuthRequestError(
      'invalid_redirect_uri',
      `redirect_uris must have 1 to ${REDIRECT_URIS_MAX} URIs without fragments: https, http on ` +
        'localhost, or a private-use URI scheme.',
    )
  }
  if (!(AUTH_METHODS as readonly unknown[]).includes(method))
    throw new OAuthRequestError(
      'invalid_client_metadata',
      `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}.`,
    )
  if (!isListIncluding(grants, 'authorization_code'))
    throw new OAuthRequestError('invalid_client_metadata', 'grant_types must include authorization_code.')
  if (!isListIncluding(responses, 'code'))
    throw new OAuthRequestError('invalid_client_metadata', 'response_types must include code.')
  return { name: readName(name), redirectUris: [...new Set(redirectUris)], authMethod: method as AuthMethod }
}

const isListIncluding = (value: unknown, needed: string): boolean =>
  value === undefined || (Array.isArray(value) && value.length <= REDIRECT_URIS_MAX && value.includes(needed))

/** Reads the name that users see: one line, without invisible characters and characters that change the direction. */
function readName(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = [
    ...value
      .slice(0, NAME_INPUT_CHARACTERS_MAX)
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, NAME_CHARACTERS_MAX)
    .join('')
  return name || null
}
