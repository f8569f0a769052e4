import { AUTH_METHODS } from './clients/client-metadata.ts'

/** There is one: a client may run the tools of what its user signed in for. */
export const SCOPE = 'mcp'
export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  consent: '/oauth/consent',
  signIn: '/oauth/sign_in',
} as const
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** What a protected resource says of itself (RFC 9728 §3.2). `address`: its path and query below PUBLIC_URL. */
export const resourceMetadata = (publicUrl: string, address: string) => ({
  resource: `${publicUrl}${address}`,
  authorization_servers: [publicUrl],
  bearer_methods_supported: ['header'],
  scopes_supported: [SCOPE],
})

/** What the authorization server says of itself (RFC 8414 §2, and what MCP asks of it). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + PATHS.authorize,
  token_endpoint: publicUrl + PATHS.token,
  registration_endpoint: publicUrl + PATHS.register,
  revocation_endpoint: publicUrl + PATHS.revoke,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  scopes_supported: [SCOPE],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
})

/** Longer than any address that is handed out; a header has its bounds. */
const QUERY_MAX = 2_000

/** The challenge of a 401 (RFC 6750 §3, RFC 9728 §5.1). `url`: path and query of the request, as it came. */
export function challengeFor(publicUrl: string, url: string, wasRefused: boolean): string {
  const { pathname, search } = new URL(url, 'http://any')
  const address = `${pathname.slice(0, QUERY_MAX)}${search.length > QUERY_MAX ? '' : search}`.replaceAll(
    /["\\]/g,
    encodeURIComponent,
  )
  return [
    `Bearer resource_metadata="${publicUrl}${RESOURCE_METADATA}${address}"`,
    `scope="${SCOPE}"`,
    ...(wasRefused ? ['error="invalid_token"'] : []),
  ].join(', ')
}
