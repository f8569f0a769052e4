import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Recorded } from '#fixtures/upstream.ts'
import { compiledSchemeOf, catalogFrom } from '../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { type Change, formOf, provider } from '#fixtures/oauth2-provider.ts'

const withRevoke = (url: string, revoke: object = {}, more: Partial<Change> = {}): Change => ({
  ...more,
  more: { ...more.more, revoke: { url: `${url}/revoke`, ...revoke } },
})

test('RFC 7009: the refresh token, then the access token, each with its hint and the client authentication of the scheme', async (t) => {
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

test('each field of revoke changes the request', async (t) => {
  const p = await provider(t)
  const cases: [string, Change, (requests: Recorded[]) => unknown, unknown][] = [
    [
      'client_auth',
      withRevoke(p.stub.url, { client_auth: 'none' }),
      ([r]) => [formOf(r!).get('client_id'), formOf(r!).has('client_secret')],
      ['id 1', false],
    ],
    [
      'client_auth of the scheme',
      withRevoke(p.stub.url),
      ([r]) => formOf(r!).get('client_secret'),
      'secret+1',
    ],
    [
      'the names of token',
      withRevoke(p.stub.url, {}, { token: { rename: { client_id: 'app_id' } } }),
      ([r]) => formOf(r!).get('app_id'),
      'id 1',
    ],
    [
      'only one token',
      withRevoke(p.stub.url, {}, { val: { refresh_token: null } }),
      (all) => all.map((r) => formOf(r).get('token')),
      ['a-0'],
    ],
    [
      'headers',
      withRevoke(p.stub.url, { headers: { 'X-App': '{client_id}' } }),
      (all) => all.map((r) => r.headers['x-app']),
      ['id 1', 'id 1'],
    ],
    [
      'method',
      withRevoke(p.stub.url, { method: 'DELETE', url: `${p.stub.url}/grants/{access_token}` }),
      (all) => all.map((r) => [r.method, r.path, r.body]),
      [['DELETE', '/grants/a-0', '']],
    ],
    [
      'a path below the base address',
      withRevoke(p.stub.url, { method: 'DELETE', url: '/grants' }),
      ([r]) => r!.path,
      '/grants',
    ],
    [
      'params',
      withRevoke(p.stub.url, { params: { t: '{refresh_token}' } }),
      (all) => all.map((r) => [r.method, Object.fromEntries(formOf(r))]),
      [['POST', { t: 'r-0' }]],
    ],
    [
      'params with client_auth',
      withRevoke(p.stub.url, { params: { t: '{refresh_token}' }, client_auth: 'post' }),
      ([r]) => formOf(r!).get('client_secret'),
      'secret+1',
    ],
    [
      'body json',
      withRevoke(p.stub.url, { params: { t: 'x' }, body: 'json' }),
      ([r]) => [r!.headers['content-type'], r!.body],
      ['application/json', '{"t":"x"}'],
    ],
    [
      'body query',
      withRevoke(p.stub.url, { params: { t: 'x' }, body: 'query' }),
      ([r]) => [r!.url, r!.body],
      ['/revoke?t=x', ''],
    ],
  ]
  for (const [what, change, look, expected] of cases)
    assert.deepEqual([what, look((await p.revoke(change)).requests)], [what, expected])
})

test('what is ended already counts as taken back; what is refused is told, and trouble may pass', async (t) => {
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
    ['down', {}, error(503, 'invalid_token'), 'ProviderTrouble'],
    ['too many', {}, { status: 429 }, 'ProviderTrouble'],
    ['a redirect', {}, { status: 302, headers: { location: '/x' } }, 'ProviderTrouble'],
    ['10 MB', {}, { text: 'x'.repeat(10_000_000) }, 'ProviderTrouble'],
  ] as const) {
    const change = withRevoke(p.stub.url, revoke, { reply })
    const found = await p.revoke(change).then(
      ({ tokens }) => tokens,
      (refused: Error & { code?: string }) => {
        assert.ok(!refused.message.includes('secret+1'), refused.message)
        return refused.code ?? refused.name
      },
    )
    assert.deepEqual([what, found], [what, expected])
  }
})

test('a type of token that the server does not take is passed over', async (t) => {
  const p = await provider(t)
  const change = withRevoke(p.stub.url)
  const answers = [{ status: 400, json: { error: 'unsupported_token_type' } }, {}]
  Object.defineProperty(change, 'reply', { get: () => answers.shift() })
  assert.deepEqual((await p.revoke(change)).tokens, ['access_token'])
})

test('only what the manifest can end is revocable', async (t) => {
  const p = await provider(t)
  assert.deepEqual(
    [
      p.revocable({}),
      p.revocable(withRevoke(p.stub.url)),
      p.revocable(withRevoke(p.stub.url, {}, { val: { access_token: '', refresh_token: null } })),
    ],
    [false, true, false],
  )
  await assert.rejects(p.revoke({}), { name: 'GrantRefused', code: 'not_revocable' })
})

test('a key is ended by a request of its own, which the manifest has to give', async () => {
  const toolkit = (revoke: object) => [
    sampleSource({ auth: [{ scheme: 'BEARER_TOKEN', base_url: 'https://shop.example', revoke }] }, [
      sampleTool(),
    ]),
  ]
  assert.throws(() => catalogFrom(toolkit({ url: '/me' })), /BEARER_TOKEN has no tokens of RFC 7009/)
  assert.throws(
    () => catalogFrom(toolkit({ url: '/{nothing}', method: 'DELETE' })),
    /nothing supplies `nothing`/,
  )
  assert.ok(
    compiledSchemeOf(catalogFrom(toolkit({ url: '/me', method: 'DELETE' })).toolkit('shop')!, 'BEARER_TOKEN')!
      .manifest.revoke,
  )
})
