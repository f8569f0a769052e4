import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import { findCompiledScheme, catalogFromSources } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { type Change, formOf, provider, PROVIDER_URL } from '#fixtures/oauth2-provider.ts'

const withRevoke = (url: string, revoke: object = {}, more: Partial<Change> = {}): Change => ({
  ...more,
  more: { ...more.more, revoke: { url: `${url}/revoke`, ...revoke } },
})

test('revocation: sends the refresh token, then the access token (RFC 7009)', async (t) => {
  const p = await provider(t)
  const { tokens, requests } = await p.revoke(withRevoke(p.stub.url, {}, { more: { client_auth: 'basic' } }))
  assert.deepEqual(tokens, ['refresh_token', 'access_token'])
  assert.deepEqual(
    requests.map((one) => [
      one.method,
      one.path,
      one.headers['authorization'],
      Object.fromEntries(formOf(one)),
    ]),
    ['refresh_token', 'access_token'].map((hint, index) => [
      'POST',
      '/revoke',
      `Basic ${Buffer.from('id+1:secret%2B1').toString('base64')}`,
      { token: ['r-0', 'a-0'][index], token_type_hint: hint },
    ]),
  )
})

const REVOKE_CASES: [string, Change, (requests: Recorded[]) => unknown, unknown][] = [
  [
    'client_auth',
    withRevoke(PROVIDER_URL, { client_auth: 'none' }),
    ([r]) => [formOf(r!).get('client_id'), formOf(r!).has('client_secret')],
    ['id 1', false],
  ],
  [
    'client_auth of the scheme',
    withRevoke(PROVIDER_URL),
    ([r]) => formOf(r!).get('client_secret'),
    'secret+1',
  ],
  [
    'the names of token',
    withRevoke(PROVIDER_URL, {}, { token: { rename: { client_id: 'app_id' } } }),
    ([r]) => formOf(r!).get('app_id'),
    'id 1',
  ],
  [
    'only one token',
    withRevoke(PROVIDER_URL, {}, { credentials: { refresh_token: null } }),
    (all) => all.map((r) => formOf(r).get('token')),
    ['a-0'],
  ],
  [
    'headers',
    withRevoke(PROVIDER_URL, { headers: { 'X-App': '{client_id}' } }),
    (all) => all.map((r) => r.headers['x-app']),
    ['id 1', 'id 1'],
  ],
  [
    'method',
    withRevoke(PROVIDER_URL, { method: 'DELETE', url: `${PROVIDER_URL}/grants/{access_token}` }),
    (all) => all.map((r) => [r.method, r.path, r.body]),
    [['DELETE', '/grants/a-0', '']],
  ],
  [
    'a path below the base URL',
    withRevoke(PROVIDER_URL, { method: 'DELETE', url: '/grants' }),
    ([r]) => r!.path,
    '/grants',
  ],
  [
    'params',
    withRevoke(PROVIDER_URL, { params: { t: '{refresh_token}' } }),
    (all) => all.map((r) => [r.method, Object.fromEntries(formOf(r))]),
    [['POST', { t: 'r-0' }]],
  ],
  [
    'params with client_auth',
    withRevoke(PROVIDER_URL, { params: { t: '{refresh_token}' }, client_auth: 'post' }),
    ([r]) => formOf(r!).get('client_secret'),
    'secret+1',
  ],
  [
    'body json',
    withRevoke(PROVIDER_URL, { params: { t: 'x' }, body: 'json' }),
    ([r]) => [r!.headers['content-type'], r!.body],
    ['application/json', '{"t":"x"}'],
  ],
  [
    'body query',
    withRevoke(PROVIDER_URL, { params: { t: 'x' }, body: 'query' }),
    ([r]) => [r!.url, r!.body],
    ['/revoke?t=x', ''],
  ],
]

test('revocation: each field of `revoke` changes the request', async (t) => {
  const p = await provider(t)
  for (const [what, change, look, expected] of REVOKE_CASES)
    assert.deepEqual([what, look((await p.revoke(change)).requests)], [what, expected])
})

test('revocation: an invalid token counts as revoked, a rejection is final', async (t) => {
  const p = await provider(t)
  const own = { method: 'DELETE' }
  const error = (status: number, code: string, text = ''): Answer => ({
    status,
    json: { error: code, error_description: text },
  })
  for (const [what, revoke, reply, expected] of [
    ['200', {}, {}, ['refresh_token', 'access_token']],
    ['invalid_token', {}, error(400, 'invalid_token'), ['refresh_token', 'access_token']],
    ['invalid_grant', {}, error(400, 'invalid_grant'), ['refresh_token', 'access_token']],
    ['gone', own, { status: 404 }, ['refresh_token', 'access_token']],
    ['gone at a revocation endpoint', {}, { status: 404 }, 'status_404'],
    ['not gone, as the manifest says', { ...own, success_statuses: [200] }, { status: 404 }, 'status_404'],
    [
      'another success',
      { success_statuses: [302] },
      { status: 302, headers: { location: '/x' } },
      ['refresh_token', 'access_token'],
    ],
    ['wrong client', {}, error(401, 'invalid_client', 'secret secret+1 is wrong'), 'invalid_client'],
    ['the same with an own request', own, { status: 401 }, 'status_401'],
    ['unsupported', {}, error(400, 'unsupported_token_type'), 'unsupported_token_type'],
    ['down', {}, error(503, 'invalid_token'), 'ProviderUnavailable'],
    ['too many', {}, { status: 429 }, 'ProviderUnavailable'],
    ['a redirect', {}, { status: 302, headers: { location: '/x' } }, 'ProviderUnavailable'],
    ['10 MB', {}, { text: 'x'.repeat(10_000_000) }, 'ProviderUnavailable'],
  ] as const) {
    const change = withRevoke(p.stub.url, revoke, { reply })
    const found = await p.revoke(change).then(
      ({ tokens }) => tokens,
      (error: Error & { code?: string }) => {
        assert.ok(!error.message.includes('secret+1'), error.message)
        return error.code ?? error.name
      },
    )
    assert.deepEqual([what, found], [what, expected])
  }
})

test('revocation: an unsupported token type is skipped', async (t) => {
  const p = await provider(t)
  const change = withRevoke(p.stub.url)
  const answers = [{ status: 400, json: { error: 'unsupported_token_type' } }, {}]
  Object.defineProperty(change, 'reply', { get: () => answers.shift() })
  assert.deepEqual((await p.revoke(change)).tokens, ['access_token'])
})

test('revocation: possible only if the manifest declares it and a token is stored', async (t) => {
  const p = await provider(t)
  assert.deepEqual(
    [
      p.canRevoke({}),
      p.canRevoke(withRevoke(p.stub.url)),
      p.canRevoke(withRevoke(p.stub.url, {}, { credentials: { access_token: '', refresh_token: null } })),
    ],
    [false, true, false],
  )
  await assert.rejects(p.revoke({}), { name: 'GrantRejected', code: 'not_revocable' })
})

test('revocation: API keys need a custom request in the manifest', async () => {
  const toolkit = (revoke: object) => [
    sampleSource({ auth: [{ scheme: 'BEARER_TOKEN', base_url: 'https://shop.example', revoke }] }, [
      sampleTool(),
    ]),
  ]
  assert.throws(
    () => catalogFromSources(toolkit({ url: '/me' })),
    /BEARER_TOKEN has no tokens that RFC 7009 could revoke/,
  )
  assert.throws(
    () => catalogFromSources(toolkit({ url: '/{nothing}', method: 'DELETE' })),
    /no field, token or captured value is named `nothing`/,
  )
  assert.ok(
    findCompiledScheme(
      catalogFromSources(toolkit({ url: '/me', method: 'DELETE' })).toolkit('shop')!,
      'BEARER_TOKEN',
    )!.manifest.revoke,
  )
})
