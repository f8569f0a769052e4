import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Recorded } from '#fixtures/upstream.ts'
import type { Credentials } from '../index.ts'
import { type Change, formOf, NOW, provider, PROVIDER_URL } from '#fixtures/oauth2-provider.ts'

/**
 * Claims of a signed token, without a check of its signature. An audience that is a URL is shortened to its
 * path.
 */
function jwtOf(token: string | null) {
  const [head, body] = String(token)
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const { iat: _iat, jti, ...claims } = body
  const aud = URL.canParse(claims.aud) ? new URL(claims.aud).pathname : claims.aud
  return {
    ...(head.kid ? { kid: head.kid } : {}),
    ...claims,
    ...(aud === undefined ? {} : { aud }),
    jti: typeof jti === 'string',
  }
}

test('token request: follows RFC 6749 by default', async (t) => {
  const p = await provider(t)
  const { request, secrets, credentials, expiresAt } = await p.exchange({})
  assert.deepEqual(
    [request.method, request.url, request.headers['content-type'], request.headers['accept']],
    ['POST', '/token', 'application/x-www-form-urlencoded', 'application/json'],
  )
  assert.deepEqual(Object.fromEntries(formOf(request)), {
    grant_type: 'authorization_code',
    code: 'c-1',
    redirect_uri: 'https://int.example/cb',
    code_verifier: secrets['code_verifier'],
    client_id: 'id 1',
    client_secret: 'secret+1',
  })
  assert.deepEqual(credentials, {
    access_token: 'a-1',
    refresh_token: 'r-1',
    expires_in: 3600,
    token_type: 'Bearer',
    scope: 's',
  })
  assert.equal(expiresAt, NOW + 3_600_000)
})

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const TOKEN_CASES: [string, Change, (request: Recorded, secrets: Credentials) => unknown, unknown][] = [
  ['url', { token: { url: `${PROVIDER_URL}/other` } }, (r) => r.path, '/other'],
  [
    'method',
    { token: { method: 'GET' } },
    (r) => [r.method, r.body, r.query.get('code')],
    ['GET', '', 'c-1'],
  ],
  [
    'body json',
    { token: { body: 'json' } },
    (r) => [r.headers['content-type'], JSON.parse(r.body).code],
    ['application/json', 'c-1'],
  ],
  [
    'body query',
    { token: { body: 'query' } },
    (r) => [r.method, r.body, r.query.get('client_secret')],
    ['POST', '', 'secret+1'],
  ],
  [
    'params',
    { token: { params: { extra: 'x', state: '{state}', again: '{code}' } } },
    (r) => [formOf(r).get('extra'), formOf(r).get('state'), formOf(r).get('again')],
    ['x', 'the-state', 'c-1'],
  ],
  [
    'headers',
    { token: { headers: { 'x-id': '{uuid}', 'x-app': '{client_id}' } } },
    (r) => [/^[0-9a-f-]{36}$/.test(String(r.headers['x-id'])), r.headers['x-app']],
    [true, 'id 1'],
  ],
  [
    'rename',
    { token: { rename: { client_id: 'app_id', code: 'auth_code' } } },
    (r) => [formOf(r).get('app_id'), formOf(r).get('auth_code'), formOf(r).has('code')],
    ['id 1', 'c-1', false],
  ],
  [
    'omit',
    { token: { omit: ['redirect_uri', 'grant_type'] } },
    (r) => [formOf(r).has('redirect_uri'), formOf(r).has('grant_type'), formOf(r).has('code')],
    [false, false, true],
  ],
  [
    'grant_type',
    { token: { grant_type: 'fb_exchange_token' } },
    (r) => formOf(r).get('grant_type'),
    'fb_exchange_token',
  ],
  [
    'client_auth basic',
    { more: { client_auth: 'basic' } },
    (r) => [r.headers['authorization'], formOf(r).has('client_secret')],
    [basic('id+1:secret%2B1'), false],
  ],
  [
    'client_auth none',
    { more: { client_auth: 'none' } },
    (r) => [r.headers['authorization'], formOf(r).get('client_id'), formOf(r).has('client_secret')],
    [undefined, 'id 1', false],
  ],
  [
    'client_auth of its own',
    { more: { client_auth: { basic: { username: '{client_secret}', password: '' } } } },
    (r) => r.headers['authorization'],
    basic('secret+1:'),
  ],
  ['pkce off', { more: { pkce: 'off' } }, (r) => formOf(r).has('code_verifier'), false],
  [
    'resource',
    { more: { resource: 'https://api.example' } },
    (r) => formOf(r).get('resource'),
    'https://api.example',
  ],
  [
    'in_query',
    { token: { in_query: ['redirect_uri'] } },
    (r) => [r.query.get('redirect_uri'), formOf(r).has('redirect_uri'), formOf(r).get('code')],
    ['https://int.example/cb', false, 'c-1'],
  ],
  [
    'client_auth jwt',
    { more: { client_auth: { jwt: { algorithm: 'HS256', key: '{client_secret}', key_id: 'k1' } } } },
    (r) => [
      formOf(r).get('client_assertion_type'),
      formOf(r).has('client_secret'),
      jwtOf(formOf(r).get('client_assertion')),
    ],
    [
      'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      false,
      {
        kid: 'k1',
        iss: 'id 1',
        sub: 'id 1',
        aud: '/token',
        exp: NOW / 1_000 + 300,
        jti: true,
      },
    ],
  ],
  [
    'client_auth jwt of its own',
    {
      more: {
        client_auth: {
          jwt: {
            algorithm: 'HS512',
            key: '{client_secret}',
            issuer: 'me',
            audience: 'them',
            lifetime_seconds: 9,
          },
        },
      },
    },
    (r) => jwtOf(formOf(r).get('client_assertion')),
    { iss: 'me', sub: 'id 1', aud: 'them', exp: NOW / 1_000 + 9, jti: true },
  ],
  [
    'assertion',
    {
      token: {
        assertion: { algorithm: 'HS256', key: '{client_secret}', subject: 'ada', lifetime_seconds: 60 },
      },
    },
    (r) => [formOf(r).get('grant_type'), jwtOf(formOf(r).get('assertion'))],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer', { sub: 'ada', exp: NOW / 1_000 + 60, jti: false }],
  ],
  [
    'callback.code_param',
    { more: { callback: { code_param: 'auth_code' } }, callback: { auth_code: 'c-2' } },
    (r) => formOf(r).get('code'),
    'c-2',
  ],
  [
    'callback.capture',
    {
      more: { callback: { capture: { realm: 'realmId' } } },
      token: { params: { tenant: '{realm}' } },
      callback: { realmId: 'R7' },
    },
    (r) => formOf(r).get('tenant'),
    'R7',
  ],
]

test('token request: each field of `token`, `client_auth` and `callback` changes it', async (t) => {
  const p = await provider(t)
  for (const [what, change, look, expected] of TOKEN_CASES) {
    const { request, secrets } = await p.exchange(change)
    assert.deepEqual([what, look(request, secrets)], [what, expected])
  }
})

const REFRESH_CASES: [string, Change, (request: Recorded) => unknown, unknown][] = [
  [
    'nothing',
    {},
    (r) => [r.path, Object.fromEntries(formOf(r))],
    [
      '/token',
      { grant_type: 'refresh_token', refresh_token: 'r-0', client_id: 'id 1', client_secret: 'secret+1' },
    ],
  ],
  ['url', { refresh: { url: `${PROVIDER_URL}/renew` } }, (r) => r.path, '/renew'],
  ['method', { refresh: { method: 'GET' } }, (r) => [r.method, r.query.get('refresh_token')], ['GET', 'r-0']],
  ['body', { refresh: { body: 'json' } }, (r) => JSON.parse(r.body).refresh_token, 'r-0'],
  ['the body of token', { token: { body: 'json' } }, (r) => JSON.parse(r.body).refresh_token, 'r-0'],
  [
    'params',
    {
      refresh: { params: { type: 'refresh', old: '{access_token}' } },
      token: { params: { only: 'code' } },
    },
    (r) => [formOf(r).get('type'), formOf(r).get('old'), formOf(r).has('only')],
    ['refresh', 'a-0', false],
  ],
  [
    'omit',
    { refresh: { omit: ['client_secret'] }, token: { omit: ['client_id'] } },
    (r) => [formOf(r).has('client_secret'), formOf(r).has('client_id')],
    [false, true],
  ],
  [
    'grant_type',
    { refresh: { grant_type: 'ig_refresh_token' } },
    (r) => formOf(r).get('grant_type'),
    'ig_refresh_token',
  ],
  [
    'with access_token',
    { refresh: { with: 'access_token' } },
    (r) => [formOf(r).get('access_token'), formOf(r).has('refresh_token')],
    ['a-0', false],
  ],
  [
    'headers',
    {
      refresh: { headers: { authorization: 'Bearer {access_token}', 'x-v': '3' } },
      token: { headers: { 'x-v': '2' } },
    },
    (r) => [r.headers['authorization'], r.headers['x-v']],
    ['Bearer a-0', '3'],
  ],
  ['the headers of token', { token: { headers: { 'x-v': '2' } } }, (r) => r.headers['x-v'], '2'],
  [
    'the names of token',
    { token: { rename: { client_id: 'app_id' } } },
    (r) => formOf(r).get('app_id'),
    'id 1',
  ],
  [
    'resource',
    { more: { resource: 'https://api.example' } },
    (r) => formOf(r).get('resource'),
    'https://api.example',
  ],
]

test('refresh request: each field of `refresh` changes it', async (t) => {
  const p = await provider(t)
  for (const [what, change, look, expected] of REFRESH_CASES)
    assert.deepEqual([what, look((await p.refresh(change)).request)], [what, expected])
  await assert.rejects(p.refresh({ refresh: { with: 'never' } }), {
    name: 'GrantRejected',
    code: 'no_refresh_token',
  })
})

test('token refresh: manifest and stored credentials decide whether it is possible', async (t) => {
  const p = await provider(t)
  assert.deepEqual(
    [
      p.canRefresh({}),
      p.canRefresh({ refresh: { with: 'never' } }),
      p.canRefresh({ refresh: null }),
      p.canRefresh({ credentials: { refresh_token: null } }),
      p.canRefresh({ refresh: { with: 'access_token' }, credentials: { refresh_token: null } }),
    ],
    [true, false, false, false, true],
  )
  assert.deepEqual(
    [
      p.refreshMarginMs({}),
      p.refreshMarginMs({ refresh: { margin_seconds: 30 } }),
      p.refreshMarginMs({ refresh: { margin_seconds: 0 } }),
    ],
    [60_000, 30_000, 0],
  )
  assert.deepEqual(
    [
      p.refreshMarginMs({ credentials: { expires_in: 20 } }),
      p.refreshMarginMs({ credentials: { expires_in: 20_000 }, token: { expiry_unit: 'milliseconds' } }),
      p.refreshMarginMs({ token: { lifetime_seconds: 50 } }),
    ],
    [10_000, 10_000, 25_000],
  )
})
