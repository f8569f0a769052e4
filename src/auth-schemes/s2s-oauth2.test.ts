import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, upstream } from '#fixtures/upstream.ts'
import { catalogFromSources, findCompiledScheme } from '../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { createEgress, parseAllowRules } from '../platform/egress/index.ts'
import { s2sOAuth2 } from './s2s-oauth2.ts'
import type { ConnectionContext } from './scheme.ts'
import { formOf, NOW, provider } from '#fixtures/oauth2-provider.ts'

async function machine(t: TestContext, reply: Answer = { json: { access_token: 'a-1', expires_in: 60 } }) {
  const stub = await upstream(t, () => reply)
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => egress.close())
  const setup = (
    more: object = {},
    token: object = {},
    val: object = {},
    credentials: object = {},
  ): ConnectionContext => {
    const catalog = catalogFromSources([
      sampleSource(
        {
          base_url: stub.url,
          auth: [{ scheme: 'S2S_OAUTH2', token: { url: `${stub.url}/token`, ...token }, ...more }],
        },
        [sampleTool()],
      ),
    ])
    return {
      scheme: findCompiledScheme(catalog.toolkit('shop')!, 'S2S_OAUTH2')!,
      authConfigCredentials: { ...credentials },
      sharedCredentials: {},
      credentials: { client_id: 'id', client_secret: 'sec', ...val },
      redirectUri: '',
    }
  }
  return {
    stub,
    setup,
    renew: async (one: ConnectionContext) => ({
      ...(await s2sOAuth2.refresh!(one, { egress, now: () => NOW })),
      request: stub.requests.at(-1)!,
    }),
  }
}

test('S2S OAuth: the first token is requested when needed, with the client of the connection', async (t) => {
  const { setup, renew } = await machine(t)
  assert.deepEqual(
    [
      s2sOAuth2.needsFirstToken!(setup()),
      s2sOAuth2.needsFirstToken!(setup({}, {}, { access_token: 'a' })),
      s2sOAuth2.canRefresh!(setup()),
    ],
    [true, false, true],
  )
  const { credentials: val, expiresAt, request } = await renew(setup())
  assert.deepEqual(
    [val, expiresAt, Object.fromEntries(formOf(request))],
    [
      { access_token: 'a-1', expires_in: 60 },
      NOW + 60_000,
      { grant_type: 'client_credentials', client_id: 'id', client_secret: 'sec' },
    ],
  )
})

test('S2S OAuth: each manifest field changes the request', async (t) => {
  const { setup, renew } = await machine(t)
  const fields = {
    fields: { connected_account_initiation: [{ name: 'username', display_name: 'U', description: 'U.' }] },
  }
  for (const [what, one, names, expected] of [
    ['scope of the user', setup({}, {}, { scope: 'a b' }), ['scope'], ['a b']],
    ['scopes.default', setup({ scopes: { default: ['x', 'y'] } }), ['scope'], ['x y']],
    ['scope_separator', setup({ scopes: { default: ['x', 'y'] }, scope_separator: ',' }), ['scope'], ['x,y']],
    [
      'credentials',
      setup(
        {},
        {},
        { client_id: undefined, client_secret: undefined },
        { client_id: 'of-config', client_secret: 's2' },
      ),
      ['client_id', 'client_secret'],
      ['of-config', 's2'],
    ],
    ['client_auth', setup({ client_auth: 'none' }), ['client_secret'], [null]],
    [
      'password grant',
      setup(fields, { grant_type: 'password', params: { username: '{username}' } }, { username: 'ada' }),
      ['grant_type', 'username'],
      ['password', 'ada'],
    ],
    ['omit', setup({}, { omit: ['grant_type'] }), ['grant_type'], [null]],
    ['resource', setup({ resource: 'https://api.example' }), ['resource'], ['https://api.example']],
    [
      'a refresh token is not traded',
      setup({ refresh: {} }, {}, { refresh_token: 'r' }),
      ['grant_type'],
      ['client_credentials'],
    ],
    [
      'unless the manifest says so',
      setup({ refresh: { with: 'refresh_token' } }, {}, { refresh_token: 'r' }),
      ['grant_type', 'refresh_token'],
      ['refresh_token', 'r'],
    ],
  ] as const) {
    const form = formOf((await renew(one)).request)
    assert.deepEqual([what, names.map((name) => form.get(name))], [what, expected])
  }
})

test('S2S OAuth: a rejected client is final, a failing server is not', async (t) => {
  for (const [reply, name] of [
    [{ status: 401, json: { error: 'invalid_client' } }, 'GrantRejected'],
    [{ status: 401, text: '' }, 'GrantRejected'],
    [{ status: 400, json: { error: 'unauthorized_client' } }, 'GrantRejected'],
    [{ status: 400, json: { error: 'invalid_grant' } }, 'GrantRejected'],
    [{ status: 503, text: 'busy' }, 'ProviderUnavailable'],
    [{ text: '{"access_token":' }, 'ProviderUnavailable'],
    [{ json: [['access_token', 'x']] }, 'ProviderUnavailable'],
    [{ json: { access_token: { x: 1 } } }, 'ProviderUnavailable'],
    [{ text: 'x'.repeat(10_000_000) }, 'ProviderUnavailable'],
    [{ text: '{"__proto__":{"access_token":"x"}}' }, 'ProviderUnavailable'],
    [{ status: 302, headers: { location: 'http://127.0.0.1/' } }, 'ProviderUnavailable'],
  ] as [Answer, string][]) {
    const { setup, renew } = await machine(t, reply)
    await assert.rejects(renew(setup()), { name }, JSON.stringify(reply).slice(0, 80))
  }
})

test('OAUTH2: `refresh.with: client` sends a new token request', async (t) => {
  const p = await provider(t)
  const change = {
    token: { grant_type: 'client_credentials', omit: ['code', 'redirect_uri'], params: { tenant: 'T1' } },
    refresh: { with: 'client' },
  }
  assert.equal(p.canRefresh({ ...change, credentials: { refresh_token: null } }), true)
  assert.deepEqual(Object.fromEntries(formOf((await p.refresh(change)).request)), {
    grant_type: 'client_credentials',
    client_id: 'id 1',
    client_secret: 'secret+1',
    tenant: 'T1',
  })
})
