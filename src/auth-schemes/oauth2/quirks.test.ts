import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import type { Grant, Values } from '../index.ts'
import { type Change, formOf, NOW, OK, provider } from '#fixtures/oauth2-provider.ts'

/** What a test may know of a signed token. */
function jwtOf(token: string | null) {
  const [head, body] = String(token)
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const { iat: _iat, jti, ...claims } = body
  return { ...(head.kid ? { kid: head.kid } : {}), ...claims, jti: typeof jti === 'string' }
}

test('the authorization request is that of RFC 6749 and RFC 7636, unless the manifest says otherwise', async (t) => {
  const p = await provider(t)
  const { params, secrets } = await p.authorize({})
  const { code_challenge, ...rest } = Object.fromEntries(params)
  assert.deepEqual(rest, {
    response_type: 'code',
    client_id: 'id 1',
    redirect_uri: 'https://int.example/cb',
    state: 'the-state',
    scope: 'read write',
    code_challenge_method: 'S256',
  })
  assert.match(String(code_challenge), /^[\w-]{43}$/)
  assert.notEqual(code_challenge, secrets['code_verifier'])
})

test('each field of authorize changes the request', async (t) => {
  const p = await provider(t)
  const cases: [
    string,
    Change,
    (url: string, params: URLSearchParams, secrets: Values) => unknown,
    unknown,
  ][] = [
    [
      'params',
      { authorize: { params: { audience: 'api', echo: '{state}' } } },
      (_, q) => [q.get('audience'), q.get('echo')],
      ['api', 'the-state'],
    ],
    [
      'rename',
      { authorize: { rename: { client_id: 'client_key', state: 'customField' } } },
      (_, q) => [q.get('client_key'), q.has('client_id'), q.get('customField'), q.has('state')],
      ['id 1', false, 'the-state', false],
    ],
    [
      'omit',
      { authorize: { omit: ['response_type', 'scope'] } },
      (_, q) => [q.has('response_type'), q.has('scope'), q.has('state')],
      [false, false, true],
    ],
    ['omit_empty by default', { credentials: { scopes: [] } }, (_, q) => q.has('scope'), false],
    [
      'omit_empty off',
      { authorize: { omit_empty: false }, credentials: { scopes: [] } },
      (_, q) => q.get('scope'),
      '',
    ],
    [
      'response_type',
      { authorize: { response_type: 'code id_token' } },
      (_, q) => q.get('response_type'),
      'code id_token',
    ],
    [
      'nonce',
      { authorize: { nonce: true } },
      (_, q, secrets) => [String(q.get('nonce')).length > 20, q.get('nonce') === secrets['nonce']],
      [true, true],
    ],
    ['no nonce', {}, (_, q) => q.has('nonce'), false],
    ['scope_separator', { authorize: { scope_separator: ',' } }, (_, q) => q.get('scope'), 'read,write'],
    [
      'scope_param',
      { authorize: { scope_param: 'scopes' } },
      (_, q) => [q.get('scopes'), q.has('scope')],
      ['read write', false],
    ],
    [
      'user_scope_param',
      {
        authorize: { user_scope_param: 'user_scope', scope_separator: ',' },
        credentials: { user_scopes: 'x, y' },
      },
      (_, q) => [q.get('user_scope'), q.get('scope')],
      ['x,y', 'read,write'],
    ],
    [
      'fragment',
      { authorize: { url: `${p.stub.url}/app#/connect`, fragment: true } },
      (url) => [
        new URL(url).search,
        new URL(url).hash.startsWith('#/connect?response_type=code&client_id=id%201'),
      ],
      ['', true],
    ],
    [
      'a query of its own',
      { authorize: { url: `${p.stub.url}/authorize?tenant=1` } },
      (_, q) => [q.get('tenant'), q.get('state')],
      ['1', 'the-state'],
    ],
    [
      'raw',
      { authorize: { raw: ['scope'], scope_separator: '+' } },
      (url) => [url.includes('&scope=read+write'), url.includes('client_id=id%201')],
      [true, true],
    ],
    [
      'raw, all',
      { authorize: { raw: ['*'] } },
      (url) => url.includes('redirect_uri=https://int.example/cb'),
      true,
    ],
    ['encoded otherwise', {}, (url) => url.includes('redirect_uri=https%3A%2F%2Fint.example%2Fcb&'), true],
    [
      'a place in the address',
      {
        authorize: { url: 'https://{sub}.shop.example/authorize' },
        val: { sub: 'acme' },
        fields: { connected_account_initiation: [{ name: 'sub', display_name: 'S', description: 'S.' }] },
      },
      (url) => new URL(url).host,
      'acme.shop.example',
    ],
    [
      'pkce plain',
      { more: { pkce: 'plain' } },
      (_, q, secrets) => [
        q.get('code_challenge_method'),
        q.get('code_challenge') === secrets['code_verifier'],
      ],
      ['plain', true],
    ],
    [
      'pkce off',
      { more: { pkce: 'off' } },
      (_, q, secrets) => [
        q.has('code_challenge'),
        q.has('code_challenge_method'),
        'code_verifier' in secrets,
      ],
      [false, false, false],
    ],
    [
      'offline.params',
      { more: { offline: { params: { access_type: 'offline' } } } },
      (_, q) => q.get('access_type'),
      'offline',
    ],
    [
      'offline.scope',
      { more: { offline: { scope: 'offline_access' } } },
      (_, q) => q.get('scope'),
      'read write offline_access',
    ],
    [
      'resource',
      { more: { resource: 'https://api.example' } },
      (_, q) => q.get('resource'),
      'https://api.example',
    ],
    [
      'scopes.default',
      { more: { scopes: { default: ['d1', 'd2'] } }, credentials: { scopes: undefined } },
      (_, q) => q.get('scope'),
      'd1 d2',
    ],
    [
      'scopes.user_default',
      { more: { scopes: { user_default: ['u1'] } }, authorize: { user_scope_param: 'user_scope' } },
      (_, q) => q.get('user_scope'),
      'u1',
    ],
    ['scopes as a text', { credentials: { scopes: 'a,b c' } }, (_, q) => q.get('scope'), 'a b c'],
  ]
  for (const [what, change, look, expected] of cases) {
    const { url, params, secrets } = await p.authorize(change)
    assert.deepEqual([what, look(url, params, secrets)], [what, expected])
  }
})

test('a state that begins with a text of the caller stays one parameter, even where the provider wants nothing encoded', async (t) => {
  const p = await provider(t)
  const { params } = await p.authorize({ authorize: { raw: ['*'] } }, 'a&client_id=other#the-state')
  assert.deepEqual(
    [params.getAll('state'), params.getAll('client_id')],
    [['a&client_id=other#the-state'], ['id 1']],
  )
})

test('the token request is that of RFC 6749, unless the manifest says otherwise', async (t) => {
  const p = await provider(t)
  const { request, secrets, val, expiresAt } = await p.exchange({})
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
  assert.deepEqual(val, {
    access_token: 'a-1',
    refresh_token: 'r-1',
    expires_in: 3600,
    token_type: 'Bearer',
    scope: 's',
  })
  assert.equal(expiresAt, NOW + 3_600_000)
})

test('each field of token, client_auth and callback changes the request', async (t) => {
  const p = await provider(t)
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const cases: [string, Change, (request: Recorded, secrets: Values) => unknown, unknown][] = [
    ['url', { token: { url: `${p.stub.url}/other` } }, (r) => r.path, '/other'],
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
          aud: `${p.stub.url}/token`,
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
  for (const [what, change, look, expected] of cases) {
    const { request, secrets } = await p.exchange(change)
    assert.deepEqual([what, look(request, secrets)], [what, expected])
  }
})

test('each field that reads the reply changes the result', async (t) => {
  const p = await provider(t)
  const json = (body: unknown): Answer => ({ json: body })
  const token = (member: string | undefined, value: unknown, unit?: string): Change => ({
    token: { ...(member ? { map: { expires_in: member } } : {}), ...(unit ? { expiry_unit: unit } : {}) },
    reply: json({ access_token: 'a', [member ?? 'expires_in']: value }),
  })
  const cases: [string, Change, (grant: Grant) => unknown, unknown][] = [
    [
      'map',
      {
        token: { map: { access_token: 'data.token.value', refresh_token: 'data.refresh' } },
        reply: json({ data: { token: { value: 'deep' }, refresh: 'r' } }),
      },
      ({ val }) => [val['access_token'], val['refresh_token']],
      ['deep', 'r'],
    ],
    [
      'map $',
      { token: { map: { access_token: '$' } }, reply: { text: 'the-whole-body' } },
      ({ val }) => val['access_token'],
      'the-whole-body',
    ],
    [
      'from_cookie',
      {
        token: { from_cookie: 'SID' },
        reply: { json: { ok: true }, headers: { 'set-cookie': 'SID=s-1; Path=/; HttpOnly' } },
      },
      ({ val }) => val['access_token'],
      's-1',
    ],
    [
      'from_header',
      {
        token: { from_header: 'X-Token' },
        reply: { json: { access_token: 'not this' }, headers: { 'x-token': 'h-1' } },
      },
      ({ val }) => val['access_token'],
      'h-1',
    ],
    [
      'secondary',
      {
        token: { secondary: { access_token: 'user.token', scope: 'user.scope' } },
        reply: json({ access_token: 'a', user: { token: 'u', scope: 'x' } }),
      },
      ({ val }) => val['authed_user'],
      { access_token: 'u', scope: 'x' },
    ],
    [
      'no secondary',
      { reply: json({ access_token: 'a', user: { token: 'u' } }) },
      ({ val }) => 'authed_user' in val,
      false,
    ],
    [
      'capture',
      {
        token: { capture: { instance_url: 'instance.url' } },
        reply: json({ access_token: 'a', instance: { url: 'https://x' } }),
      },
      ({ val }) => val['instance_url'],
      'https://x',
    ],
    [
      'callback.capture',
      { more: { callback: { capture: { realm: 'realmId' } } }, callback: { realmId: 'R7' } },
      ({ val }) => val['realm'],
      'R7',
    ],
    [
      'lifetime_seconds',
      { token: { lifetime_seconds: 100 }, reply: json({ access_token: 'a' }) },
      ({ expiresAt }) => expiresAt,
      NOW + 100_000,
    ],
    ['no lifetime', { reply: json({ access_token: 'a' }) }, ({ expiresAt }) => expiresAt, null],
    [
      'the reply goes before lifetime_seconds',
      { token: { lifetime_seconds: 100 } },
      ({ expiresAt }) => expiresAt,
      NOW + 3_600_000,
    ],
    ['seconds', token(undefined, '60'), ({ expiresAt }) => expiresAt, NOW + 60_000],
    ['milliseconds', token(undefined, 60_000, 'milliseconds'), ({ expiresAt }) => expiresAt, NOW + 60_000],
    [
      'unix_seconds',
      token('expiresAt', NOW / 1_000 + 60, 'unix_seconds'),
      ({ expiresAt }) => expiresAt,
      NOW + 60_000,
    ],
    [
      'unix_milliseconds',
      token('expiresAt', NOW + 60_000, 'unix_milliseconds'),
      ({ expiresAt }) => expiresAt,
      NOW + 60_000,
    ],
    [
      'date',
      token('expiresAt', new Date(NOW + 60_000).toISOString(), 'date'),
      ({ expiresAt }) => expiresAt,
      NOW + 60_000,
    ],
    ['an end that is none', token(undefined, 'soon'), ({ expiresAt }) => expiresAt, null],
    [
      'an end beyond all dates',
      token(undefined, 1e300),
      ({ expiresAt }) => new Date(expiresAt as number).getUTCFullYear(),
      9999,
    ],
    [
      'success_statuses',
      { token: { success_statuses: [201] }, reply: { status: 201, ...OK } },
      ({ val }) => val['access_token'],
      'a-1',
    ],
    [
      'success_when',
      {
        token: { success_when: { body: { path: 'ok', equals: true } } },
        reply: json({ ok: true, error: '', access_token: 'a' }),
      },
      ({ val }) => val['access_token'],
      'a',
    ],
    [
      'a form in place of JSON',
      {
        reply: {
          text: 'access_token=a%20b&expires_in=60&token_type=bearer',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      },
      ({ val, expiresAt }) => [val['access_token'], expiresAt],
      ['a b', NOW + 60_000],
    ],
    [
      'a form that says it is text',
      { reply: { text: 'access_token=a&scope=' } },
      ({ val }) => val,
      { access_token: 'a' },
    ],
  ]
  for (const [what, change, look, expected] of cases)
    assert.deepEqual([what, look(await p.exchange(change))], [what, expected])
})

test('what the manifest does not call a success is none', async (t) => {
  const p = await provider(t)
  for (const [what, change, name, message] of [
    ['success_statuses', { token: { success_statuses: [201] } }, 'ProviderTrouble', /status 200/],
    [
      'success_when',
      {
        token: { success_when: { body: { path: 'ok', equals: true } } },
        reply: { json: { ok: false, error: 'invalid_code', access_token: 'a' } },
      },
      'GrantRefused',
      /invalid_code/,
    ],
    [
      '200 with an error',
      { reply: { json: { error: 'server_busy', error_description: 'later' } } },
      'ProviderTrouble',
      /server_busy: later/,
    ],
    [
      'an error with a token beside it',
      { reply: { json: { error: 'x', access_token: 'a' } } },
      'ProviderTrouble',
      /x/,
    ],
    [
      'an error that is an object',
      { reply: { status: 400, json: { error: { code: 'invalid_grant' } } } },
      'GrantRefused',
      /invalid_grant/,
    ],
    [
      'an error in a form',
      { reply: { text: 'error=bad_verification_code&error_description=The+code+is+wrong' } },
      'GrantRefused',
      /The code is wrong/,
    ],
    [
      "the callback's error",
      { callback: { error: 'access_denied', error_description: 'no' } },
      'GrantRefused',
      /access_denied: no/,
    ],
    ["the callback's error, twice", { callback: { error: ['a', 'b'] } }, 'GrantRefused', /a,b/],
    [
      'a code under another name',
      { more: { callback: { code_param: 'auth_code' } } },
      'ProviderTrouble',
      /without auth_code/,
    ],
    [
      'a captured value that is none of the provider',
      {
        more: { callback: { capture: { realm: { param: 'realmId', pattern: 'R\\d' } } } },
        callback: { realmId: 'R7.evil.example' },
      },
      'ProviderTrouble',
      /a realmId that it cannot have/,
    ],
    [
      'a value that nothing supplies',
      { token: { params: { x: '{realm}' } }, more: { callback: { capture: { realm: 'realmId' } } } },
      'ProviderTrouble',
      /No value for `realm`/,
    ],
  ] as const)
    await assert.rejects(p.exchange(change as Change), (error: Error) => {
      assert.deepEqual([what, error.name], [what, name])
      assert.match(error.message, message)
      return true
    })
})

test('each field of refresh changes the request', async (t) => {
  const p = await provider(t)
  const cases: [string, Change, (request: Recorded) => unknown, unknown][] = [
    [
      'nothing',
      {},
      (r) => [r.path, Object.fromEntries(formOf(r))],
      [
        '/token',
        { grant_type: 'refresh_token', refresh_token: 'r-0', client_id: 'id 1', client_secret: 'secret+1' },
      ],
    ],
    ['url', { refresh: { url: `${p.stub.url}/renew` } }, (r) => r.path, '/renew'],
    [
      'method',
      { refresh: { method: 'GET' } },
      (r) => [r.method, r.query.get('refresh_token')],
      ['GET', 'r-0'],
    ],
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
  for (const [what, change, look, expected] of cases)
    assert.deepEqual([what, look((await p.renew(change)).request)], [what, expected])
  await assert.rejects(p.renew({ refresh: { with: 'never' } }), {
    name: 'GrantRefused',
    code: 'no_refresh_token',
  })
})

test('the manifest and what is stored decide whether and how early a token can be renewed', async (t) => {
  const p = await provider(t)
  assert.deepEqual(
    [
      p.renewable({}),
      p.renewable({ refresh: { with: 'never' } }),
      p.renewable({ refresh: null }),
      p.renewable({ val: { refresh_token: null } }),
      p.renewable({ refresh: { with: 'access_token' }, val: { refresh_token: null } }),
    ],
    [true, false, false, false, true],
  )
  assert.deepEqual(
    [
      p.margin({}),
      p.margin({ refresh: { margin_seconds: 30 } }),
      p.margin({ refresh: { margin_seconds: 0 } }),
    ],
    [60_000, 30_000, 0],
  )
  assert.deepEqual(
    [
      p.margin({ val: { expires_in: 20 } }),
      p.margin({ val: { expires_in: 20_000 }, token: { expiry_unit: 'milliseconds' } }),
      p.margin({ token: { lifetime_seconds: 50 } }),
    ],
    [10_000, 10_000, 25_000],
  )
})

test('a redirect address that the provider would refuse is refused before the user is sent away', async (t) => {
  const p = await provider(t)
  const rules = (redirect_rules: object) => ({ more: { redirect_rules } })
  await p.authorize(rules({ https_only: true }), undefined, 'https://int.example/cb')
  await p.authorize(
    rules({ https_only: true, localhost_allowed: true }),
    undefined,
    'http://localhost:3900/cb',
  )
  await p.authorize(rules({ https_only: false }), undefined, 'http://int.example/cb')
  for (const [change, address] of [
    [{ https_only: true }, 'http://localhost:3900/cb'],
    [{ https_only: true, localhost_allowed: true }, 'http://int.example/cb'],
    [{ https_only: true }, 'no address'],
  ] as const) {
    await assert.rejects(
      p.authorize(rules(change), undefined, address),
      (error: Error) =>
        error.name === 'GrantRefused' && /PUBLIC_URL/.test(error.message) && error.message.includes(address),
    )
  }
})
