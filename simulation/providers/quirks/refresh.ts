import { createHash } from 'node:crypto'
import { CLIENT } from '../provider.ts'
import { asked, field, oauth2, type Quirk } from '../quirk.ts'
import { tenantServer } from './tenant-server.ts'
import { as, without } from './replies.ts'

const DAY = 86_400

/** How grants are renewed. */
export const REFRESH: readonly Quirk[] = [
  {
    number: 63,
    name: 'refresh-url',
    title: 'Refresh has its own URL and method',
    auth: (url) => oauth2(url, { refresh: { url: `${url}/renew`, method: 'GET' } }),
    ignoring: ['auth.refresh.url', 'auth.refresh.method'],
    server: { refresh: { path: '/renew', method: 'GET' } },
  },
  {
    number: 64,
    name: 'refresh-params',
    title: 'Refresh requires another parameter',
    auth: (url) => oauth2(url, { refresh: { params: { request: 'token' } } }),
    ignoring: ['auth.refresh.params'],
    server: { refresh: { required: { request: 'token' } } },
  },
  {
    number: 65,
    name: 'self-renewing',
    title: 'The access token renews itself',
    auth: (url) => oauth2(url, { refresh: { with: 'access_token', grant_type: 'ig_refresh_token' } }),
    ignoring: ['auth.refresh.with', 'auth.refresh.grant_type'],
    server: { refresh: { with: 'access_token', grantType: 'ig_refresh_token' } },
  },
  {
    number: 65,
    name: 'bearer-of-itself',
    title: 'The access token renews itself as a bearer token',
    auth: (url) =>
      oauth2(url, {
        refresh: {
          url: `${url}/renew`,
          with: 'access_token',
          omit: ['access_token'],
          headers: { authorization: 'Bearer {access_token}' },
        },
      }),
    ignoring: ['auth.refresh.headers'],
    renews: true,
    server: {
      refresh: null,
      routes: {
        'POST /renew': ({ request, provider }) => {
          const { family } = provider.families.issued(
            /^Bearer (\S+)$/.exec(request.headers['authorization'] ?? '')?.[1],
          )
          return { json: provider.issue(family, false) }
        },
      },
    },
  },
  {
    number: 66,
    name: 'client-renews',
    title: 'There is no refresh token: the client asks anew',
    auth: (url) =>
      oauth2(url, {
        pkce: 'off',
        callback: { code_param: 'tenant' },
        refresh: { with: 'client' },
        token: {
          grant_type: 'client_credentials',
          omit: ['code', 'redirect_uri'],
          params: { tenant: '{tenant}' },
        },
        ...asked(field('tenant')),
      }),
    ignoring: ['auth.refresh.with'],
    connectionInput: () => ({ val: { tenant: 'tenant-9' } }),
    renews: true,
    server: tenantServer('/authorize', []),
  },
  {
    number: 67,
    name: 'rotates',
    title: 'Refresh tokens are good for one use; a second use ends the grant',
    refreshes: 3,
    auth: (url) => oauth2(url, { refresh: { rotates: 'always' } }),
    ignoring: ['auth.refresh'],
    server: { refresh: { rotates: true } },
  },
  {
    number: 68,
    name: 'keeps',
    title: 'An answer without a refresh token means that the old one stays',
    refreshes: 3,
    auth: (url) => oauth2(url, { refresh: { rotates: 'never' } }),
    ignoring: ['auth.refresh'],
    server: { refresh: { rotates: false } },
  },
  {
    number: 69,
    name: 'late-only',
    title: 'Refresh is rejected until 30 seconds before expiry',
    auth: (url) => oauth2(url, { refresh: { rotates: 'sometimes', margin_seconds: 20 } }),
    ignoring: ['auth.refresh.margin_seconds'],
    server: {
      refresh: {
        check: ({ provider, params }) => {
          const left = Math.max(...provider.families.endsOf(params['refresh_token'])) - provider.now()
          return left > 30_000
            ? `The token lives for another ${Math.round(left / 1_000)} seconds.`
            : undefined
        },
      },
    },
  },
  {
    number: 70,
    name: 'dies-idle',
    title: 'A refresh token that nobody uses for 30 days is dead',
    restsSeconds: 100 * DAY,
    auth: (url) => oauth2(url, { refresh: { rotates: 'never', max_idle_seconds: 30 * DAY } }),
    ignoring: ['auth.refresh.max_idle_seconds'],
    server: { lifetimes: { idleSeconds: 30 * DAY }, refresh: { rotates: false } },
  },
  {
    number: 70,
    name: 'dies-old',
    title: 'A refresh token is dead 6 days after it was made',
    restsSeconds: 20 * DAY,
    auth: (url) => oauth2(url, { refresh: { rotates: 'always', max_age_seconds: 6 * DAY } }),
    ignoring: ['auth.refresh.max_age_seconds'],
    server: { lifetimes: { ageSeconds: 6 * DAY }, refresh: { rotates: true } },
  },
  {
    number: 71,
    name: 'md5-secret',
    title: 'A digest of the secret in place of the secret',
    auth: (url) =>
      oauth2(url, {
        token: { omit: ['client_secret'], params: { md5_secret: '{client_secret|md5}' } },
        refresh: { omit: ['client_secret'], params: { md5_secret: '{client_secret|md5}' } },
      }),
    ignoring: [{ path: 'auth.token.params.md5_secret', value: '{client_secret}' }, 'auth.token.omit'],
    server: {
      token: {
        client: ({ params }) =>
          params['client_secret'] === undefined &&
          params['md5_secret'] === createHash('md5').update(CLIENT.secret).digest('hex')
            ? undefined
            : 'md5_secret is missing or wrong.',
      },
    },
  },
  {
    number: 72,
    name: 'expired-400',
    title: 'An expired token is reported with 400',
    auth: (url) => oauth2(url, { token: { map: { expires_in: 'nowhere' } } }),
    toolkit: () => ({
      errors: [
        {
          when: { status: 400, body: { path: 'error.code', equals: 'AUTHENTICATION_ERROR' } },
          meaning: 'reauth',
        },
      ],
    }),
    ignoring: ['toolkit.errors'],
    server: {
      ...as((tokens) => ({ json: without(tokens, 'expires_in') })),
      me: { errorReply: () => ({ status: 400, json: { error: { code: 'AUTHENTICATION_ERROR' } } }) },
    },
  },
]
