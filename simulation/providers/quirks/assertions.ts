import { ProviderError } from '../http.ts'
import { checkJwt, claimsOf, type JwtDemands } from '../jwt.ts'
import { RSA } from '../key-pairs.ts'
import { CLIENT, type Provider } from '../provider.ts'
import { asked, configured, field, oauth2, type Quirk } from '../quirk.ts'
import type { Params } from '../demands.ts'

const { pem: PEM, publicKey } = RSA
const CLIENT_ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const keyField = configured(field('private_key', { secret: true }))

/** RFC 7523 §3: signed by the client's key, for this endpoint, each but once. */
function asserted(params: Params, provider: Provider, more: Partial<JwtDemands> = {}): string | undefined {
  if (params['client_secret'] !== undefined) return 'The secret must not be sent.'
  if (params['client_assertion_type'] !== CLIENT_ASSERTION) return 'client_assertion_type is missing.'
  const assertion = params['client_assertion'] ?? ''
  const why = checkJwt(assertion, {
    algorithm: 'RS256',
    key: publicKey,
    iss: CLIENT.id,
    sub: CLIENT.id,
    aud: `${provider.url}/token`,
    secondsMax: 600,
    now: provider.now(),
    ...more,
  })
  if (why) return why
  const id = `jti:${String(claimsOf(assertion)['jti'])}`
  if (id === 'jti:undefined' || provider.memory.has(id)) return 'jti is missing or was used.'
  provider.memory.set(id, true)
  return undefined
}

const machine = {
  fields: { connected_account_initiation: [field('username'), field('password', { secret: true })] },
}

/** Clients and users that prove themselves without a browser or a secret. */
export const ASSERTIONS: readonly Quirk[] = [
  {
    number: 34,
    name: 'https-only',
    title: 'The redirect URI must be https',
    auth: (url) => oauth2(url, { redirect_rules: { https_only: true, localhost_allowed: false } }),
    ignoring: ['auth.redirect_rules'],
    refusedAtStart: /https/i,
    server: {
      authorize: {
        check: ({ params }) =>
          params['redirect_uri']?.startsWith('https:') ? undefined : 'redirect_uri must be https.',
      },
    },
  },
  {
    number: 40,
    name: 'private-key-jwt',
    title: 'The client proves itself with a signed assertion (RFC 7523)',
    auth: (url) =>
      oauth2(url, {
        ...keyField,
        client_auth: { jwt: { algorithm: 'RS256', key: '{private_key}', key_id: 'k-1' } },
      }),
    ignoring: ['auth.client_auth', 'auth.client_auth.jwt.key_id'],
    connectionInput: () => ({ credentials: { private_key: PEM } }),
    server: { token: { client: ({ params, provider }) => asserted(params, provider, { kid: 'k-1' }) } },
  },
  {
    number: 40,
    name: 'callback-issuer',
    title: 'The issuer of the assertion is the host of the callback',
    auth: (url) =>
      oauth2(url, {
        ...configured(field('private_key', { secret: true }), field('domain')),
        client_auth: {
          jwt: {
            algorithm: 'PS256',
            key: '{private_key}',
            issuer: '{domain}',
            audience: 'https://revolut.example',
            claims: { client: '{client_id}' },
          },
        },
      }),
    ignoring: [
      'auth.client_auth.jwt.issuer',
      'auth.client_auth.jwt.audience',
      { path: 'auth.client_auth.jwt.algorithm', value: 'RS256' },
    ],
    connectionInput: () => ({ credentials: { private_key: PEM, domain: 'patchbay.example' } }),
    server: {
      token: {
        client: ({ params, provider }) =>
          asserted(params, provider, {
            algorithm: 'PS256',
            iss: 'patchbay.example',
            aud: 'https://revolut.example',
          }),
      },
    },
  },
  {
    number: 49,
    name: 'password-grant',
    title: 'User name and password are traded for a token by the password grant',
    auth: (url) => ({
      scheme: 'S2S_OAUTH2',
      ...machine,
      token: {
        url: `${url}/token`,
        grant_type: 'password',
        params: { username: '{username}', password: '{password}' },
      },
    }),
    ignoring: ['auth.token.grant_type', 'auth.token.params'],
    renews: true,
    connectionInput: () => ({
      val: { client_id: CLIENT.id, client_secret: CLIENT.secret, username: 'ada', password: 'secret word' },
    }),
    server: {
      refresh: null,
      routes: {
        'POST /token': ({ params, provider }) =>
          granted(
            params,
            provider,
            params['grant_type'] === 'password' &&
              params['username'] === 'ada' &&
              params['password'] === 'secret word',
          ),
      },
    },
  },
  {
    number: 43,
    name: 'jwt-bearer',
    title: 'A signed assertion in the name of a user is the grant',
    auth: (url) => ({
      scheme: 'S2S_OAUTH2',
      ...asked(field('private_key', { secret: true }), field('username')),
      token: {
        url: `${url}/token`,
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: {
          algorithm: 'RS256',
          key: '{private_key}',
          issuer: '{client_id}',
          subject: '{username}',
          audience: `${url}/token`,
          lifetime_seconds: 300,
        },
      },
    }),
    ignoring: [
      'auth.token.assertion',
      'auth.token.assertion.subject',
      { path: 'auth.token.assertion.audience', value: 'https://elsewhere.example' },
    ],
    renews: true,
    connectionInput: () => ({
      val: { client_id: CLIENT.id, client_secret: CLIENT.secret, private_key: PEM, username: 'ada' },
    }),
    server: {
      refresh: null,
      routes: {
        'POST /token': ({ params, provider }) => {
          const why = checkJwt(params['assertion'] ?? '', {
            algorithm: 'RS256',
            key: publicKey,
            iss: CLIENT.id,
            sub: 'ada',
            aud: `${provider.url}/token`,
            secondsMax: 300,
            now: provider.now(),
          })
          if (why) throw new ProviderError('invalid_grant', why)
          return granted(
            { ...params, client_id: CLIENT.id, client_secret: CLIENT.secret },
            provider,
            params['grant_type'] === 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          )
        },
      },
    },
  },
]

function granted(params: Params, provider: Provider, fits: boolean) {
  if (provider.clients.get(params['client_id'] ?? '') !== params['client_secret'])
    throw new ProviderError('invalid_client', 'The client is not known.', 401)
  if (!fits) throw new ProviderError('invalid_grant', 'This grant is not known.')
  return { json: provider.issue(provider.families.found(), false) }
}
