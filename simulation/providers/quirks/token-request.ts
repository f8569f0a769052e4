import { createHmac } from 'node:crypto'
import { basicOf, same } from '../credentials.ts'
import { CLIENT } from '../provider.ts'
import { oauth2, type Quirk } from '../quirk.ts'
import { firstTime } from './replies.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Requests and replies of the token endpoint for a code. */
export const TOKEN_REQUESTS: readonly Quirk[] = [
  {
    number: 35,
    name: 'basic-client',
    title: 'The client proves itself with HTTP Basic',
    auth: (url) => oauth2(url, { client_auth: 'basic' }),
    ignoring: ['auth.client_auth'],
    server: { token: { client: 'basic' } },
  },
  {
    number: 36,
    name: 'basic-secret',
    title: 'HTTP Basic with the secret as user name and no password',
    auth: (url) => oauth2(url, { client_auth: { basic: { username: '{client_secret}', password: '' } } }),
    ignoring: ['auth.client_auth', { path: 'auth.client_auth', value: 'basic' }],
    server: {
      token: {
        client: ({ request }) => {
          const basic = basicOf(request)
          return basic?.username === CLIENT.secret && basic.password === ''
            ? undefined
            : 'The secret must be the user name.'
        },
      },
    },
  },
  {
    number: 37,
    name: 'json-body',
    title: 'The token request is JSON',
    auth: (url) => oauth2(url, { token: { body: 'json' } }),
    ignoring: ['auth.token.body'],
    server: { token: { place: 'json' } },
  },
  {
    number: 38,
    name: 'query-body',
    title: 'Parameters are in the query, the body is empty',
    auth: (url) => oauth2(url, { token: { body: 'query' } }),
    ignoring: ['auth.token.body'],
    server: { token: { place: 'query' }, refresh: { place: 'query' } },
  },
  {
    number: 38,
    name: 'query-part',
    title: 'One parameter is in the query, the others are in the body',
    auth: (url) => oauth2(url, { token: { in_query: ['redirect_uri'] } }),
    ignoring: ['auth.token.in_query'],
    server: { token: { inQuery: ['redirect_uri'] } },
  },
  {
    number: 39,
    name: 'get-token',
    title: 'The token request is a GET',
    auth: (url) => oauth2(url, { token: { method: 'GET' } }),
    ignoring: ['auth.token.method'],
    server: { token: { method: 'GET' } },
  },
  {
    number: 44,
    name: 'signed-token',
    title: 'The token request is signed: HMAC of body and timestamp',
    auth: (url) =>
      oauth2(url, {
        token: {
          body: 'json',
          sign: {
            kind: 'hmac',
            algorithm: 'sha256',
            key: '{client_secret}',
            key_encoding: 'utf8',
            message: '{body}{timestamp_ms}',
            encoding: 'hex',
            headers: { timestamp: '{timestamp_ms}', sign: '{signature}' },
          },
        },
      }),
    ignoring: [
      'auth.token.sign',
      { path: 'auth.token.sign.message', value: '{timestamp_ms}{body}' },
      { path: 'auth.token.sign.algorithm', value: 'sha512' },
    ],
    server: {
      token: {
        place: 'json',
        client: ({ request }) =>
          signedToken(request.body, request.headers['timestamp'] ?? '', request.headers['sign'] ?? ''),
      },
      refresh: { place: 'json' },
    },
  },
  {
    number: 45,
    name: 'correlation-id',
    title: 'A header with a fresh random id is mandatory',
    auth: (url) =>
      oauth2(url, { token: { headers: { 'WM_QOS.CORRELATION_ID': '{uuid}', 'x-api-key': '{client_id}' } } }),
    ignoring: [
      'auth.token.headers',
      {
        path: 'auth.token.headers',
        value: {
          'WM_QOS.CORRELATION_ID': '00000000-0000-4000-8000-000000000000',
          'x-api-key': '{client_id}',
        },
      },
    ],
    server: {
      token: {
        headers: { 'wm_qos.correlation_id': UUID, 'x-api-key': new RegExp(`^${CLIENT.id}$`) },
        client: ({ request, provider }) => {
          const id = request.headers['wm_qos.correlation_id'] ?? ''
          if (provider.memory.has(id)) return 'The correlation id was used before.'
          provider.memory.set(id, true)
          return undefined
        },
      },
    },
  },
  {
    number: 46,
    name: 'state-again',
    title: 'The state is sent again at the exchange',
    auth: (url) => oauth2(url, { token: { params: { state: '{state}' } } }),
    ignoring: ['auth.token.params'],
    server: {
      token: {
        check: ({ params, grant }) =>
          grant && params['state'] === grant.params['state']
            ? undefined
            : 'state must be that of the authorization.',
      },
    },
  },
  {
    number: 47,
    name: 'bare-token',
    title: 'The token request has no redirect_uri and no grant_type',
    auth: (url) => oauth2(url, { token: { omit: ['redirect_uri', 'grant_type'] } }),
    ignoring: ['auth.token.omit'],
    server: { token: { absent: ['redirect_uri', 'grant_type'] } },
  },
  {
    number: 48,
    name: 'created',
    title: 'Only 201 is a success',
    auth: (url) => oauth2(url, { token: { success_statuses: [201] } }),
    ignoring: ['auth.token.success_statuses'],
    failsFirst: true,
    server: {
      token: {
        reply: (context) =>
          firstTime(context)
            ? { status: 200, json: { access_token: 'not yet', expires_in: 3600 } }
            : { status: 201, json: context.tokens },
      },
    },
  },
  {
    number: 50,
    name: 'grant-name',
    title: 'The grant has a name of its own',
    auth: (url) => oauth2(url, { token: { grant_type: 'fb_exchange_token' } }),
    ignoring: ['auth.token.grant_type'],
    server: { token: { grantType: 'fb_exchange_token' } },
  },
  {
    number: 51,
    name: 'derived-token',
    title: 'Each API takes a token of its own, all from one refresh token',
    auth: (url) =>
      oauth2(url, {
        derived_tokens: [{ name: 'mail_token', params: { audience: 'mail' } }],
        apply: { headers: { authorization: 'Bearer {mail_token}' } },
      }),
    ignoring: [{ path: 'auth.derived_tokens.0.params', value: {} }],
    server: {
      token: { reply: ({ tokens }) => ({ json: tokens }) },
      refresh: {
        reply: ({ tokens, params, family, provider }) => ({
          json: params['audience']
            ? { ...tokens, access_token: provider.families.access(family, params['audience']).token }
            : tokens,
        }),
      },
      me: {
        check: ({ token }) => (token.audience === 'mail' ? undefined : 'This token is for another API.'),
      },
    },
  },
]

function signedToken(body: string, timestamp: string, sign: string): string | undefined {
  if (!/^\d{13}$/.test(timestamp)) return 'The timestamp is missing.'
  const expected = createHmac('sha256', CLIENT.secret)
    .update(body + timestamp)
    .digest('hex')
  return same(sign, expected) ? undefined : 'The signature is wrong.'
}
