import { redirect } from '../credentials.ts'
import { secret } from '../families.ts'
import { type Incoming, ProviderError } from '../http.ts'
import { checkOAuth1, oauth1Params } from '../oauth1.ts'
import type { Behaviour } from '../behaviour.ts'
import { CLIENT, type Provider } from '../provider.ts'
import { oauth2, type Quirk } from '../quirk.ts'

const CONSUMER = ['sim-consumer', 'consumer&secret/1'] as const
/** Token credentials of OAuth 1 do not end. */
const NEVER_SECONDS = 1e9
const isResource = ({ params, provider }: { params: Record<string, string>; provider: { url: string } }) =>
  params['resource'] === provider.url ? undefined : 'resource is missing.'

/** A provider at which clients register themselves. Its metadata names the issuer, so a manifest need not. */
const REGISTRATION: Pick<Quirk, 'auth' | 'ignoring' | 'connectionInput'> = {
  auth: () => ({ scheme: 'DCR_OAUTH' }),
  ignoring: [{ path: 'auth.issuer', valueAt: (url) => `${url}/elsewhere` }],
  connectionInput: () => ({ credentials: { client_id: '', client_secret: '' } }),
}

/** Schemes that send the browser of the user to the provider. */
export const BROWSER: readonly Quirk[] = [
  {
    number: 0,
    name: 'revocable',
    title: 'OAUTH2: tokens rotate, and access is ended at the provider (RFC 7009)',
    revokes: true,
    auth: (url) => oauth2(url, { refresh: { rotates: 'always' }, revoke: { url: `${url}/revoke` } }),
    ignoring: ['auth.revoke'],
    connectionInput: () => ({ credentials: { client_id: CLIENT.id, client_secret: CLIENT.secret } }),
    server: { refresh: { rotates: true } },
  },
  {
    number: 0,
    name: 'registers',
    title: 'DCR_OAUTH: clients find the server and register themselves (RFC 9728, 8414, 7591)',
    revokes: true,
    ...REGISTRATION,
    server: {
      authorize: { check: isResource },
      token: { check: isResource },
      refresh: { check: isResource, rotates: true },
    },
  },
  {
    number: 0,
    name: 'challenged',
    title: 'Only the 401 of the resource names its metadata URL (RFC 9728 5.1)',
    ...REGISTRATION,
    server: {
      authorize: { check: isResource },
      token: { check: isResource },
      refresh: { check: isResource, rotates: true },
      routes: {
        'GET /': ({ provider }) => ({
          status: 401,
          headers: { 'www-authenticate': `Bearer realm="api", resource_metadata="${provider.url}/about"` },
        }),
        'GET /about': ({ provider: { url } }) => ({
          json: { resource: url, authorization_servers: [url], scopes_supported: ['read'] },
        }),
        'GET /.well-known/oauth-protected-resource': () => {
          throw new ProviderError('not_found', 'It stands elsewhere.', 404)
        },
      },
    },
  },
  threeLegged('oauth1-walk-sha1', 'HMAC-SHA1'),
  threeLegged('oauth1-walk-plaintext', 'PLAINTEXT'),
  threeLegged('oauth1-walk-sha256', 'HMAC-SHA256', '1234_SB1'),
]

/** RFC 5849: request token, consent, access token, each request signed. */
function threeLegged(name: string, method: string, realm?: string): Quirk {
  return {
    number: 0,
    name,
    title: `OAUTH1: three legs, signed with ${method}${realm === undefined ? '' : ' and a realm'}`,
    revokes: true,
    auth: (url) => ({
      scheme: 'OAUTH1',
      signature_method: method,
      ...(realm === undefined ? {} : { realm }),
      request_token: { url: `${url}/request_token` },
      authorize: { url: `${url}/authorize` },
      access_token: { url: `${url}/access_token` },
      revoke: { url: '/revoke', method: 'POST' },
    }),
    ignoring: [
      { path: 'auth.signature_method', value: method === 'PLAINTEXT' ? 'HMAC-SHA1' : 'PLAINTEXT' },
      'auth.revoke',
      ...(realm === undefined ? [] : ['auth.realm']),
    ],
    connectionInput: () => ({ credentials: { consumer_key: CONSUMER[0], consumer_secret: CONSUMER[1] } }),
    server: oauth1Server(method, realm),
  }
}

interface Temporary {
  secret: string
  callback: string
  verifier: string
}

/** Checks that a request is signed by the consumer and `token`, and returns its OAuth parameters. */
type SignatureCheck = (
  request: Incoming,
  provider: Provider,
  token?: readonly [string, string],
) => Record<string, string>

const form = (values: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  text: new URLSearchParams(values).toString(),
})

function oauth1Server(method: string, realm: string | undefined): Behaviour {
  const signed: SignatureCheck = (request, provider, token) => {
    const why = checkOAuth1(request, {
      method,
      realm,
      consumer: CONSUMER,
      token,
      url: `${provider.url}${request.path}`,
      now: provider.now(),
      seen: provider.memory,
    })
    if (why) throw new ProviderError('unauthorized', why, 401)
    return oauth1Params(request)
  }
  const granted = (request: Incoming, provider: Provider) => {
    const { oauth_token: token = '' } = oauth1Params(request)
    provider.families.live(token)
    signed(request, provider, [token, String(provider.memory.get(`secret:${token}`))])
    return token
  }
  return {
    lifetimes: { tokenSeconds: NEVER_SECONDS },
    refresh: null,
    me: { token: granted },
    routes: {
      ...oauth1Routes(signed),
      'POST /revoke': ({ request, provider }) => {
        const token = granted(request, provider)
        return provider.revoked(() => provider.families.revoke(token))
      },
    },
  }
}

/** The three requests of RFC 5849 section 2: temporary credentials, authorization, token. */
function oauth1Routes(signed: SignatureCheck): Behaviour['routes'] {
  return {
    'POST /request_token': ({ request, provider }) => {
      const { oauth_callback: callback = '' } = signed(request, provider)
      if (!URL.canParse(callback)) throw new ProviderError('parameter_absent', 'oauth_callback is missing.')
      const [token, own] = [secret('temporary'), secret('secret')]
      const verifier = secret('verifier')
      provider.memory.set(`temporary:${token}`, { secret: own, callback, verifier } satisfies Temporary)
      return form({ oauth_token: token, oauth_token_secret: own, oauth_callback_confirmed: 'true' })
    },
    'GET /authorize': ({ request, provider }) => {
      const token = request.query.get('oauth_token') ?? ''
      const { callback, verifier } = temporaryOf(provider, token)
      return request.query.get('login_hint') === 'deny'
        ? redirect(callback, { denied: token })
        : redirect(callback, { oauth_token: token, oauth_verifier: verifier })
    },
    'POST /access_token': ({ request, provider }) => {
      const { oauth_token: token = '' } = oauth1Params(request)
      const temporary = temporaryOf(provider, token)
      if (signed(request, provider, [token, temporary.secret])['oauth_verifier'] !== temporary.verifier)
        throw new ProviderError('verifier_invalid', 'The verifier is wrong.', 401)
      provider.memory.delete(`temporary:${token}`)
      const accessToken = provider.families.access(provider.families.found()).token
      const own = secret('secret')
      provider.memory.set(`secret:${accessToken}`, own)
      return form({ oauth_token: accessToken, oauth_token_secret: own })
    },
  }
}

function temporaryOf(provider: Provider, token: string): Temporary {
  const found = provider.memory.get(`temporary:${token}`)
  if (!found) throw new ProviderError('token_rejected', 'The request token is not known, or was used.', 401)
  return found as Temporary
}
