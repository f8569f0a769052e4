import { randomBytes } from 'node:crypto'
import { bearerOf, same } from '../credentials.ts'
import { type Incoming, ProviderError } from '../http.ts'
import { checkJwt, claimsOf, headerOf, signedClaims } from '../jwt.ts'
import { RSA } from '../key-pairs.ts'
import { CLIENT, type Provider } from '../provider.ts'
import type { Quirk } from '../quirk.ts'
import { fingerprint } from '../known-keys.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ROBOT = 'robot@simulator.example'
const APPLICATION = '42'
const SIGNING = randomBytes(32)

/** What a person types in for the service account; `key` tells one key file from another. */
export const keyFile = (url: string, key = 'k-1') =>
  JSON.stringify({
    type: 'service_account',
    client_email: ROBOT,
    private_key_id: key,
    private_key: RSA.pem,
    token_uri: `${url}/token`,
  })
export const installation = (id = '7') => ({
  application_id: APPLICATION,
  installation_id: id,
  private_key: RSA.pem,
})

/** Schemes that trade what they were given for tokens, without a browser. */
export const MACHINES: readonly Quirk[] = [
  {
    number: 0,
    name: 'machine',
    title: 'S2S_OAUTH2: a machine signs in with client credentials (RFC 6749 4.4)',
    renews: true,
    revokes: true,
    auth: (url) => ({
      scheme: 'S2S_OAUTH2',
      token: { url: `${url}/token`, params: { audience: 'api' } },
      revoke: { url: `${url}/revoke` },
    }),
    ignoring: ['auth.token.params', 'auth.revoke'],
    connectionInput: () => ({ val: { client_id: CLIENT.id, client_secret: CLIENT.secret } }),
    server: {
      refresh: null,
      routes: {
        'POST /token': ({ params, provider }) => {
          if (
            params['client_id'] !== CLIENT.id ||
            params['client_secret'] !== CLIENT.secret ||
            !provider.keys.takes(CLIENT.id)
          )
            throw new ProviderError('invalid_client', 'The client is not known.', 401)
          if (params['grant_type'] !== 'client_credentials' || params['audience'] !== 'api')
            throw new ProviderError('invalid_request', 'The grant or the audience is missing.')
          return { json: provider.issueTo(CLIENT.id) }
        },
      },
    },
  },
  {
    number: 0,
    name: 'login-jwt',
    title: 'BASIC_WITH_JWT: user name and password are traded for a token that says itself when it ends',
    renews: true,
    revokes: true,
    auth: () => ({
      scheme: 'BASIC_WITH_JWT',
      sign_in: {
        path: '/login',
        body: 'json',
        params: { user: '{username}', secret: '{password}' },
        token: 'jwt',
      },
      revoke: { url: '/logout', method: 'POST', headers: { authorization: 'Bearer {session_token}' } },
    }),
    ignoring: [
      'auth.sign_in.body',
      'auth.sign_in.params.secret',
      { path: 'auth.sign_in.token', value: 'token' },
      'auth.revoke',
    ],
    connectionInput: () => ({ val: { username: 'ada', password: 'pass-word-1' } }),
    server: {
      refresh: null,
      me: { token: jwtId },
      routes: {
        'POST /login': ({ request, params, provider }) => {
          if (!request.headers['content-type']?.startsWith('application/json'))
            throw new ProviderError('invalid_request', 'The body must be JSON.')
          const { user, secret = '' } = params
          if (user !== 'ada' || !secret.startsWith('pass-') || !provider.keys.takes(secret))
            throw new ProviderError('invalid_credentials', 'User name or password is wrong.', 401)
          const { token, expiresAt } = provider.families.access(
            provider.families.found('', { credential: fingerprint(secret) }),
          )
          return {
            json: {
              jwt: signedClaims({ sub: user, jti: token, exp: Math.floor(expiresAt / 1_000) }, SIGNING),
            },
          }
        },
        'POST /logout': ({ request, provider }) =>
          provider.revoked(() => provider.families.revoke(jwtId(request))),
      },
    },
  },
  {
    number: 0,
    name: 'google-service',
    title: 'GOOGLE_SERVICE_ACCOUNT: a grant that is signed with a key file (RFC 7523)',
    renews: true,
    revokes: true,
    auth: (url) => ({
      scheme: 'GOOGLE_SERVICE_ACCOUNT',
      token: { url: `${url}/token` },
      scopes: { default: ['read', 'write'] },
      revoke: { url: `${url}/revoke`, method: 'POST', params: { token: '{access_token}' } },
    }),
    ignoring: [
      'auth.scopes',
      { path: 'auth.token', valueAt: (url) => ({ url: `${url}/elsewhere` }) },
      'auth.revoke',
    ],
    connectionInput: (url) => ({ val: { credentials_json: keyFile(url) } }),
    server: {
      refresh: null,
      routes: {
        'POST /token': ({ params, provider }) => {
          const { assertion = '', grant_type: grant } = params
          if (grant !== GRANT)
            throw new ProviderError('unsupported_grant_type', `grant_type must be ${GRANT}.`)
          const why = checkJwt(assertion, {
            algorithm: 'RS256',
            key: RSA.publicKey,
            iss: ROBOT,
            aud: `${provider.url}/token`,
            secondsMax: 3_600,
            now: provider.now(),
          })
          const { scope } = claimsOf(assertion)
          if (why ?? (scope === 'read write' ? undefined : 'scope must be read write.'))
            throw new ProviderError('invalid_grant', why ?? 'scope must be read write.')
          const key = headerOf(assertion, 'kid')
          if (!provider.keys.takes(key)) throw new ProviderError('invalid_grant', 'The key was taken back.')
          return { json: provider.issueTo(key, String(scope)) }
        },
        'POST /revoke': ({ params, provider }) =>
          provider.revoked(() => provider.families.revoke(params['token'])),
      },
    },
  },
  {
    number: 0,
    name: 'installation',
    title: 'SERVICE_ACCOUNT: the key of an application gets short-lived tokens of one installation',
    renews: true,
    revokes: true,
    auth: () => ({
      scheme: 'SERVICE_ACCOUNT',
      mint: {
        algorithm: 'RS256',
        key: '{private_key}',
        issuer: '{application_id}',
        lifetime_seconds: 540,
        backdate_seconds: 60,
      },
      token: {
        path: '/app/installations/{installation_id}/access_tokens',
        headers: { authorization: 'Bearer {app_jwt}' },
        token: 'token',
        expires_in: 'expires_at',
        expiry_unit: 'date',
      },
      revoke: {
        url: '/installation/token',
        method: 'DELETE',
        headers: { authorization: 'Bearer {access_token}' },
      },
    }),
    ignoring: [
      'auth.mint.issuer',
      { path: 'auth.mint.lifetime_seconds', value: 3_600 },
      'auth.token.headers',
      'auth.token.expires_in',
      'auth.token.expiry_unit',
      'auth.revoke',
    ],
    connectionInput: () => ({ val: installation() }),
    server: {
      refresh: null,
      routes: {
        ...Object.fromEntries(
          ['7', '8'].map((id) => [
            `POST /app/installations/${id}/access_tokens`,
            ({ request, provider }: { request: Incoming; provider: Provider }) =>
              installationToken(request, provider, id),
          ]),
        ),
        'DELETE /installation/token': ({ request, provider }) =>
          provider.revoked(() => provider.families.revoke(bearerOf(request))),
      },
    },
  },
]

/** The id in a token that this provider made. */
function jwtId(request: Incoming): string | undefined {
  const token = bearerOf(request) ?? ''
  const claims = claimsOf(token)
  return same(token, signedClaims(claims, SIGNING)) ? String(claims['jti']) : undefined
}

function installationToken(request: Incoming, provider: Provider, id: string) {
  const why = checkJwt(bearerOf(request) ?? '', {
    algorithm: 'RS256',
    key: RSA.publicKey,
    iss: APPLICATION,
    secondsMax: 600,
    now: provider.now(),
  })
  if (why) throw new ProviderError('unauthorized', why, 401)
  if (!provider.keys.takes(id))
    throw new ProviderError('not_found', 'The application is not installed there any more.', 401)
  const { access_token: token } = provider.issueTo(id)
  return {
    status: 201,
    json: {
      token,
      expires_at: new Date(provider.now() + provider.lifetimes.tokenSeconds * 1_000).toISOString(),
    },
  }
}
