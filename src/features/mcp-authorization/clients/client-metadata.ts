import { OAuthRequestError } from '../oauth-error.ts'
import { type ClientKeys, isKeySetUrl, readPublicKeys } from './public-keys.ts'
import { isAllowedRedirectUri } from './redirect-uris.ts'

export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** The metadata that a client publishes about itself. */
export interface ClientMetadata {
  name: string | null
  redirectUris: string[]
  authMethod: AuthMethod
  /** Its public keys, if it authenticates with assertions. */
  keys: ClientKeys | null
  /** Whether it always pushes its authorization requests (RFC 9126 §6). */
  requiresPushedRequests: boolean
  /** Whether its tokens are always bound to a key (RFC 9449 §5.2). */
  requiresDpop: boolean
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
  const metadata = value as Record<string, unknown>
  const {
    token_endpoint_auth_method: method = defaultAuthMethod,
    grant_types: grants,
    response_types: responses,
  } = metadata
  const redirectUris = readRedirectUris(metadata['redirect_uris'])
  if (!(AUTH_METHODS as readonly unknown[]).includes(method))
    throw new OAuthRequestError(
      'invalid_client_metadata',
      `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}.`,
    )
  if (!isListIncluding(grants, 'authorization_code'))
    throw new OAuthRequestError('invalid_client_metadata', 'grant_types must include authorization_code.')
  if (!isListIncluding(responses, 'code'))
    throw new OAuthRequestError('invalid_client_metadata', 'response_types must include code.')
  return {
    name: readName(metadata['client_name']),
    redirectUris,
    authMethod: method as AuthMethod,
    keys: method === 'private_key_jwt' ? readKeys(metadata) : null,
    requiresPushedRequests: metadata['require_pushed_authorization_requests'] === true,
    requiresDpop: metadata['dpop_bound_access_tokens'] === true,
  }
}

/** @throws OAuthRequestError */
function readRedirectUris(value: unknown): string[] {
  if (
    !Array.isArray(value) ||
    !value.length ||
    value.length > REDIRECT_URIS_MAX ||
    !value.every(isAllowedRedirectUri)
  )
    throw new OAuthRequestError(
      'invalid_redirect_uri',
      `redirect_uris must have 1 to ${REDIRECT_URIS_MAX} URIs without fragments: https, http on ` +
        'localhost, or a private-use URI scheme.',
    )
  return [...new Set(value)]
}

/** Reads the public keys of a client with assertions (RFC 7591 §2). @throws OAuthRequestError */
function readKeys({ jwks, jwks_uri: uri }: Record<string, unknown>): ClientKeys {
  if ((jwks === undefined) === (uri === undefined))
    throw new OAuthRequestError(
      'invalid_client_metadata',
      'private_key_jwt needs the public keys of the client: send either jwks or jwks_uri.',
    )
  if (uri !== undefined) {
    if (isKeySetUrl(uri)) return { jwksUri: uri }
    throw new OAuthRequestError(
      'invalid_client_metadata',
      'jwks_uri must be an https URL without a fragment.',
    )
  }
  const keys = readPublicKeys(jwks)
  if (!keys)
    throw new OAuthRequestError(
      'invalid_client_metadata',
      'jwks must have at most 20 keys, one of them a public key for signatures (EC with P-256 or P-384, OKP with ' +
        'Ed25519, or RSA), and no private or symmetric key.',
    )
  return { jwks: keys }
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
