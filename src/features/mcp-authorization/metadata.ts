import { AUTH_METHODS } from './clients/client-metadata.ts'

/** The only scope: a client may run the tools of the MCP server or session that its user signed in for. */
export const MCP_SCOPE = 'mcp'
export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  consent: '/oauth/consent',
  signIn: '/oauth/sign_in',
} as const
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Builds protected resource metadata (RFC 9728 §3.2). @param path path and query below PUBLIC_URL */
export const resourceMetadata = (publicUrl: string, path: string) => ({
  resource: `${publicUrl}${path}`,
  authorization_servers: [publicUrl],
  bearer_methods_supported: ['header'],
  scopes_supported: [MCP_SCOPE],
})

/** Builds authorization server metadata (RFC 8414 §2, and the MCP specification). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + OAUTH_PATHS.authorize,
  token_endpoint: publicUrl + OAUTH_PATHS.token,
  registration_endpoint: publicUrl + OAUTH_PATHS.register,
  revocation_endpoint: publicUrl + OAUTH_PATHS.revoke,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
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
export function bearerChallenge(publicUrl: string, url: string, hasInvalidToken: boolean): string {
  const { pathname, search } = new URL(url, 'http://any')
  const query = search.length > URL_PART_CHARACTERS_MAX ? '' : search
  const path = `${pathname.slice(0, URL_PART_CHARACTERS_MAX)}${query}`.replaceAll(
    /["\\]/g,
    encodeURIComponent,
  )
  return [
    `Bearer resource_metadata="${publicUrl}${RESOURCE_METADATA_PATH}${path}"`,
    `scope="${MCP_SCOPE}"`,
    ...(hasInvalidToken ? ['error="invalid_token"'] : []),
  ].join(', ')
}
