import { ProviderError } from '../http.ts'
import { CLIENT } from '../provider.ts'
import { oauth2, type Quirk } from '../quirk.ts'
import { as, firstTime, isoEnd, without } from './replies.ts'

/** How providers write their answer. */
export const REPLY: readonly Quirk[] = [
  {
    number: 52,
    name: 'nested-token',
    title: 'The token stands deep in the answer',
    auth: (url) =>
      oauth2(url, {
        token: {
          map: {
            access_token: 'data.token.access_token',
            refresh_token: 'data.token.refresh_token',
            expires_in: 'data.token.expires_in',
          },
        },
      }),
    ignoring: ['auth.token.map', 'auth.token.map.refresh_token', 'auth.token.map.expires_in'],
    server: as((tokens) => ({ json: { data: { token: tokens } } })),
  },
  {
    number: 53,
    name: 'two-tokens',
    title: "The user's token is next to the bot's",
    auth: (url) =>
      oauth2(url, {
        refresh: null,
        token: { secondary: { access_token: 'authed_user.access_token' } },
        apply: { headers: { authorization: 'Bearer {user_access_token}' } },
      }),
    ignoring: ['auth.token.secondary'],
    server: {
      refresh: null,
      ...as((tokens) => ({
        json: { ...tokens, access_token: 'xoxb-bot', authed_user: { access_token: tokens['access_token'] } },
      })),
    },
  },
  {
    number: 54,
    name: 'other-names',
    title: 'The members have other names',
    auth: (url) =>
      oauth2(url, {
        token: {
          map: { access_token: 'token', refresh_token: 'refreshToken', expires_in: 'expiresAt' },
          expiry_unit: 'date',
        },
      }),
    ignoring: [
      'auth.token.map.access_token',
      'auth.token.map.refresh_token',
      'auth.token.map.expires_in',
      'auth.token.expiry_unit',
    ],
    server: as((tokens, context) => ({
      json: {
        token: tokens['access_token'],
        refreshToken: tokens['refresh_token'],
        expiresAt: isoEnd(context),
      },
    })),
  },
  {
    number: 55,
    name: 'bare-body',
    title: 'The whole body is the token',
    auth: (url) => oauth2(url, { refresh: null, token: { map: { access_token: '$' } } }),
    ignoring: ['auth.token.map'],
    server: { refresh: null, ...as((tokens) => ({ text: String(tokens['access_token']) })) },
  },
  {
    number: 56,
    name: 'cookie-token',
    title: 'The token comes in a cookie',
    auth: (url) => oauth2(url, { refresh: null, token: { from_cookie: 'B1SESSION' } }),
    ignoring: ['auth.token.from_cookie'],
    server: {
      refresh: null,
      ...as((tokens) => ({
        headers: {
          'set-cookie': ['other=1; Path=/', `B1SESSION=${tokens['access_token']}; HttpOnly; Path=/`],
        },
        json: { version: 1 },
      })),
    },
  },
  {
    number: 56,
    name: 'header-token',
    title: 'The token comes in a header',
    auth: (url) => oauth2(url, { refresh: null, token: { from_header: 'x-token' } }),
    ignoring: ['auth.token.from_header'],
    server: {
      refresh: null,
      ...as((tokens) => ({ headers: { 'x-token': String(tokens['access_token']) }, json: { version: 1 } })),
    },
  },
  {
    number: 57,
    name: 'no-expiry',
    title: 'Nobody says when the token ends',
    auth: (url) => oauth2(url, { token: { lifetime_seconds: 3600 } }),
    ignoring: ['auth.token.lifetime_seconds'],
    server: as((tokens) => ({ json: without(tokens, 'expires_in') })),
  },
  {
    number: 58,
    name: 'expiry-milliseconds',
    title: 'The lifetime is in milliseconds',
    auth: (url) => oauth2(url, { token: { expiry_unit: 'milliseconds' } }),
    ignoring: ['auth.token.expiry_unit'],
    server: as((tokens, { provider }) => ({
      json: { ...tokens, expires_in: provider.lifetimes.tokenSeconds * 1_000 },
    })),
  },
  {
    number: 58,
    name: 'expiry-unix',
    title: 'The expiry is in seconds since 1970',
    auth: (url) => oauth2(url, { token: { expiry_unit: 'unix_seconds' } }),
    ignoring: ['auth.token.expiry_unit'],
    server: as((tokens, { provider }) => ({
      json: { ...tokens, expires_in: Math.floor(provider.now() / 1_000) + provider.lifetimes.tokenSeconds },
    })),
  },
  {
    number: 58,
    name: 'expiry-date',
    title: 'The expiry is a date',
    auth: (url) => oauth2(url, { token: { expiry_unit: 'date' } }),
    ignoring: ['auth.token.expiry_unit'],
    server: as((tokens, context) => ({ json: { ...tokens, expires_in: isoEnd(context) } })),
  },
  {
    number: 59,
    name: 'introspection',
    title: 'The expiry is known from introspection only (RFC 7662)',
    auth: (url) => oauth2(url, { token: { introspect: { url: `${url}/introspect` } } }),
    ignoring: ['auth.token.introspect'],
    server: {
      ...as((tokens) => ({ json: without(tokens, 'expires_in') })),
      routes: {
        'POST /introspect': ({ params, provider }) => {
          if (provider.clients.get(params['client_id'] ?? '') !== params['client_secret'])
            throw new ProviderError('invalid_client', 'The client is not known.', 401)
          return {
            json: {
              active: true,
              exp: Math.floor(provider.families.live(params['token']).expiresAt / 1_000),
            },
          }
        },
      },
    },
  },
  {
    number: 60,
    name: 'ok-false',
    title: 'Errors come with 200',
    auth: (url) => oauth2(url, { token: { success_when: { body: { path: 'ok', equals: true } } } }),
    ignoring: ['auth.token.success_when'],
    failsFirst: true,
    server: {
      token: {
        reply: (context) => ({
          json: firstTime(context)
            ? { ok: false, reason: 'not_yet', access_token: 'none', expires_in: 3600 }
            : { ok: true, ...context.tokens },
        }),
      },
    },
  },
  {
    number: 61,
    name: 'instance-url',
    title: 'The host of the API comes with the token',
    auth: (url) =>
      oauth2(url, { base_url: '{instance_url}', token: { capture: { instance_url: 'instance_url' } } }),
    ignoring: [{ path: 'auth.token.capture.instance_url', value: 'other' }],
    server: {
      ...as((tokens, { provider }) => ({ json: { ...tokens, instance_url: `${provider.url}/na7` } })),
      me: { path: '/na7/api/me' },
    },
  },
  {
    number: 62,
    name: 'long-lived',
    title: 'A second exchange gives the token that works',
    auth: (url) =>
      oauth2(url, {
        refresh: null,
        token: {
          steps: [
            {
              method: 'GET',
              url: `${url}/exchange`,
              params: {
                grant_type: 'fb_exchange_token',
                short: '{access_token}',
                client_secret: '{client_secret}',
              },
            },
          ],
        },
      }),
    ignoring: ['auth.token.steps'],
    server: {
      refresh: null,
      routes: {
        'GET /exchange': ({ request, provider }) => {
          if (
            request.query.get('client_secret') !== CLIENT.secret ||
            request.query.get('grant_type') !== 'fb_exchange_token'
          )
            throw new ProviderError('invalid_request', 'This is no exchange.')
          const { family } = provider.families.issued(request.query.get('short') ?? undefined)
          return {
            json: {
              access_token: provider.families.access(family, 'long').token,
              expires_in: provider.lifetimes.tokenSeconds,
            },
          }
        },
      },
      me: {
        check: ({ token }) =>
          token.audience === 'long' ? undefined : 'A short-lived token opens nothing here.',
      },
    },
  },
]
