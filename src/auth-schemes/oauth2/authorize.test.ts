import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Credentials } from '../index.ts'
import { type Change, provider, PROVIDER_URL } from '#fixtures/oauth2-provider.ts'

test('authorization request: follows RFC 6749 and RFC 7636 by default', async (t) => {
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

const AUTHORIZE_CASES: [
  string,
  Change,
  (url: string, params: URLSearchParams, secrets: Credentials) => unknown,
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
  ['omit_empty by default', { authConfigCredentials: { scopes: [] } }, (_, q) => q.has('scope'), false],
  [
    'omit_empty off',
    { authorize: { omit_empty: false }, authConfigCredentials: { scopes: [] } },
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
      authConfigCredentials: { user_scopes: 'x, y' },
    },
    (_, q) => [q.get('user_scope'), q.get('scope')],
    ['x,y', 'read,write'],
  ],
  [
    'fragment',
    { authorize: { url: `${PROVIDER_URL}/app#/connect`, fragment: true } },
    (url) => [
      new URL(url).search,
      new URL(url).hash.startsWith('#/connect?response_type=code&client_id=id%201'),
    ],
    ['', true],
  ],
  [
    'a query of its own',
    { authorize: { url: `${PROVIDER_URL}/authorize?tenant=1` } },
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
      credentials: { sub: 'acme' },
      fields: { connected_account_initiation: [{ name: 'sub', display_name: 'S', description: 'S.' }] },
    },
    (url) => new URL(url).host,
    'acme.shop.example',
  ],
  [
    'pkce plain',
    { more: { pkce: 'plain' } },
    (_, q, secrets) => [q.get('code_challenge_method'), q.get('code_challenge') === secrets['code_verifier']],
    ['plain', true],
  ],
  [
    'pkce off',
    { more: { pkce: 'off' } },
    (_, q, secrets) => [q.has('code_challenge'), q.has('code_challenge_method'), 'code_verifier' in secrets],
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
    { more: { scopes: { default: ['d1', 'd2'] } }, authConfigCredentials: { scopes: undefined } },
    (_, q) => q.get('scope'),
    'd1 d2',
  ],
  [
    'scopes.user_default',
    { more: { scopes: { user_default: ['u1'] } }, authorize: { user_scope_param: 'user_scope' } },
    (_, q) => q.get('user_scope'),
    'u1',
  ],
  ['scopes as a text', { authConfigCredentials: { scopes: 'a,b c' } }, (_, q) => q.get('scope'), 'a b c'],
]

test('authorization request: each field of `authorize` changes it', async (t) => {
  const p = await provider(t)
  for (const [what, change, look, expected] of AUTHORIZE_CASES) {
    const { url, params, secrets } = await p.authorize(change)
    assert.deepEqual([what, look(url, params, secrets)], [what, expected])
  }
})

test('authorization request: a state with text of the caller stays one parameter', async (t) => {
  const p = await provider(t)
  const { params } = await p.authorize({ authorize: { raw: ['*'] } }, 'a&client_id=other#the-state')
  assert.deepEqual(
    [params.getAll('state'), params.getAll('client_id')],
    [['a&client_id=other#the-state'], ['id 1']],
  )
})

test('redirect URI: one that the provider would reject is rejected before the user is redirected', async (t) => {
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
        error.name === 'GrantRejected' && /PUBLIC_URL/.test(error.message) && error.message.includes(address),
    )
  }
})
