import { secret } from './families.ts'
import { basicOf, formDecode } from './credentials.ts'
import { type Answer, type Incoming, ProviderError } from './http.ts'
import type { Params } from './demands.ts'
import type { Provider } from './provider.ts'

type Endpoint = (call: { request: Incoming; params: Params; provider: Provider }) => Answer

/** The endpoints of every provider in addition to authorize, token and api/me. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  /** RFC 7009: a token that is not known counts as ended. */
  'POST /revoke': (call) => {
    proven(call)
    return call.provider.revoked(() => call.provider.families.revoke(call.params['token']))
  },
  /** RFC 7662. */
  'POST /introspect': (call) => {
    proven(call)
    try {
      const { expiresAt, family } = call.provider.families.live(call.params['token'])
      return { json: { active: true, scope: family.scope, exp: Math.floor(expiresAt / 1_000) } }
    } catch {
      return { json: { active: false } }
    }
  },
  /** RFC 9728. */
  'GET /.well-known/oauth-protected-resource': ({ provider: { url } }) => ({
    json: { resource: url, authorization_servers: [url], scopes_supported: ['read'] },
  }),
  /** RFC 8414. */
  'GET /.well-known/oauth-authorization-server': ({ provider: { url } }) => ({
    json: {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      revocation_endpoint: `${url}/revoke`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      response_types_supported: ['code'],
    },
  }),
  /** RFC 7591. */
  'POST /register': ({ request, provider }) => {
    const asked = JSON.parse(request.body) as { redirect_uris?: unknown }
    const uris = asked.redirect_uris
    if (
      !Array.isArray(uris) ||
      !uris.length ||
      !uris.every((one) => typeof one === 'string' && URL.canParse(one))
    )
      throw new ProviderError('invalid_redirect_uri', 'redirect_uris is missing.')
    const client = { client_id: secret('client'), client_secret: secret('secret') }
    provider.clients.set(client.client_id, client.client_secret)
    return { status: 201, json: { ...asked, ...client, client_secret_expires_at: 0 } }
  },
}

function proven({ request, params, provider }: Parameters<Endpoint>[0]): void {
  const basic = basicOf(request)
  const [id, password] = basic
    ? [formDecode(basic.username), formDecode(basic.password)]
    : [params['client_id'] ?? '', params['client_secret']]
  if (password === undefined || provider.clients.get(id) !== password)
    throw new ProviderError('invalid_client', 'The client is not known.', 401)
}
