import { AUTH_METHODS } from './clients/client-metadata.ts'
import { SIGNING_ALGORITHMS } from './clients/public-keys.ts'
import { PROMPTS } from './sign-in/request-parameters.ts'

/** The only scope: a client may run the tools of the MCP server or session that its user signed in for. */
export const MCP_SCOPE = 'mcp'
export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  pushRequest: '/oauth/par',
  consent: '/oauth/consent',
  signIn: '/oauth/sign_in',
  openIdCallback: '/oauth/openid/callback',
} as const
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Builds protected resource metadata (RFC 9728 §3.2). @param path path and query below PUBLIC_URL */
export const resourceMetadata = (publicUrl: string, path: string) => ({
  resource: `${publicUrl}${path}`,
  authorization_servers: [publicUrl],
  bearer_methods_supported: ['header'],
  scopes_supported: [MCP_SCOPE],
  dpop_signing_alg_values_supported: SIGNING_ALGORITHMS,
  dpop_bound_access_tokens_required: false,
})

/** Builds authorization server metadata (RFC 8414 §2, RFC 9126 §5, RFC 9449 §5.1, and the MCP specification). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + OAUTH_PATHS.authorize,
  token_endpoint: publicUrl + OAUTH_PATHS.token,
  registration_endpoint: publicUrl + OAUTH_PATHS.register,
  revocation_endpoint: publicUrl + OAUTH_PATHS.revoke,
  pushed_authorization_request_endpoint: publicUrl + OAUTH_PATHS.pushRequest,
  require_pushed_authorization_requests: false,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  token_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_signing_alg_values_supported: SIGNING_ALGORITHMS,
  dpop_signing_alg_values_supported: SIGNING_ALGORITHMS,
  prompt_values_supported: PROMPTS,
  scopes_supported: [MCP_SCOPE],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
})

/** Longer than the path or query of any MCP URL of this server. It limits the size of the header. */
const URL_PART_CHARACTERS_MAX = 2_000

/**
 * Builds the `WWW-Authenticate` header of a 401 response (RFC 6750 §3, RFC 9728 §5.1).
 * @param url path and query of the request
 */
export const bearerChallenge = (publicUrl: string, url: string, hasInvalidToken: boolean): string =>
  challenge('Bearer', [
    ...metadataParameters(publicUrl, url),
    ...(hasInvalidToken ? ['error="invalid_token"'] : []),
  ])

/** Builds the same header for a client that sent a token with the scheme `DPoP` (RFC 9449 §7.1). */
export const dpopChallenge = (publicUrl: string, url: string, error = 'invalid_token'): string =>
  challenge('DPoP', [
    ...metadataParameters(publicUrl, url),
    `error="${error}"`,
    `algs="${SIGNING_ALGORITHMS.join(' ')}"`,
  ])

const challenge = (scheme: string, parameters: readonly string[]): string =>
  `${scheme} ${parameters.join(', ')}`

function metadataParameters(publicUrl: string, url: string): string[] {
  const { pathname, search } = new URL(url, 'http://any')
  const query = search.length > URL_PART_CHARACTERS_MAX ? '' : search
  const path = `${pathname.slice(0, URL_PART_CHARACTERS_MAX)}${query}`.replaceAll(
    /["\\]/g,
    encodeURIComponent,
  )
  return [`resource_metadata="${publicUrl}${RESOURCE_METADATA_PATH}${path}"`, `scope="${MCP_SCOPE}"`]
}
