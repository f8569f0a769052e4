const NAMES =
  'token|authorize|authorization|authorizationcode|revoke|deauthorize|introspect|access|v2\\.access'
/** `/v1/oauth/token`, `/oauth/v3/token/introspect`, `/oauth.v2.access`, `/api/oauth2/authorize`; no parameter before. */
const ENDPOINT = new RegExp(`^[^{}]*/oauth2?(?:/v\\d+)?[/.](?:${NAMES})(?:/[\\w-]+)?/?$`, 'i')

/**
 * Whether a path is an endpoint of OAuth itself: authorize, exchange, introspect or revoke a token. It takes the id and
 * the secret of the application or is opened in a browser, and what it returns is a credential: no tool of an agent.
 * `/projects/{id}/oauth_providers` and `/servers/{id}/oauth/authorize` are about other objects, and stay.
 */
export const isSignInEndpoint = (path: string): boolean => ENDPOINT.test(path.replace(/[?#].*$/, ''))
