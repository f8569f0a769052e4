import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, upstream } from '#fixtures/upstream.ts'
import { catalogFrom, compiledSchemeOf } from '../catalog/index.ts'
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
    const catalog = catalogFrom([
      sampleSource(
        {
          base_url: stub.url,
          auth: [{ scheme: 'S2S_OAUTH2', token: { url: `${stub.url}/token`, ...token }, ...more }],
        },
        [sampleTool()],
      ),
    ])
    return {
      scheme: compiledSchemeOf(catalog.toolkit('shop')!, 'S2S_OAUTH2')!,
      credentials: { ...credentials },
      shared: {},
      val: { client_id: 'id', client_secret: 'sec', ...val },
      redirectUri: '',
    }
  }
  return {
    stub,
    setup,
    renew: async (one: ConnectionContext) => ({
      ...(await s2sOAuth2.renew!(one, { egress, now: () => NOW })),
      request: stub.requests.at(-1)!,
    }),
  }
}

test('the first token is asked for when it is needed, with the client of the connection', async (t) => {
  const { setup, renew } = await machine(t)
  assert.deepEqual(
    [
      s2sOAuth2.isEmpty!(setup()),
      s2sOAuth2.isEmpty!(setup({}, {}, { access_token: 'a' })),
      s2sOAuth2.renewable!(setup()),
    ],
    [true, false, true],
  )
  const { val, expiresAt, request } = await renew(setup())
  assert.deepEqual(
    [val, expiresAt, Object.fromEntries(formOf(request))],
    [
      { access_token: 'a-1', expires_in: 60 },
      NOW + 60_000,
      { grant_type: 'client_credentials', client_id: 'id', client_secret: 'sec' },
    ],
  )
})

test('each field changes the request', async (t) => {
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

test('a refused client is final, a server in trouble is not', async (t) => {
  for (const [reply, name] of [
    [{ status: 401, json: { error: 'invalid_client' } }, 'GrantRefused'],
    [{ status: 401, text: '' }, 'GrantRefused'],
    [{ status: 400, json: { error: 'unauthorized_client' } }, 'GrantRefused'],
    [{ status: 400, json: { error: 'invalid_grant' } }, 'GrantRefused'],
    [{ status: 503, text: 'busy' }, 'ProviderTrouble'],
    [{ text: '{"access_token":' }, 'ProviderTrouble'],
    [{ json: [['access_token', 'x']] }, 'ProviderTrouble'],
    [{ json: { access_token: { x: 1 } } }, 'ProviderTrouble'],
    [{ text: 'x'.repeat(10_000_000) }, 'ProviderTrouble'],
    [{ text: '{"__proto__":{"access_token":"x"}}' }, 'ProviderTrouble'],
    [{ status: 302, headers: { location: 'http://127.0.0.1/' } }, 'ProviderTrouble'],
  ] as [Answer, string][]) {
    const { setup, renew } = await machine(t, reply)
    await assert.rejects(renew(setup()), { name }, JSON.stringify(reply).slice(0, 80))
  }
})

test('OAUTH2 with refresh.with client asks anew with the token request', async (t) => {
  const p = await provider(t)
  const change = {
    token: { grant_type: 'client_credentials', omit: ['code', 'redirect_uri'], params: { tenant: 'T1' } },
    refresh: { with: 'client' },
  }
  assert.equal(p.renewable({ ...change, val: { refresh_token: null } }), true)
  assert.deepEqual(Object.fromEntries(formOf((await p.renew(change)).request)), {
    grant_type: 'client_credentials',
    client_id: 'id 1',
    client_secret: 'secret+1',
    tenant: 'T1',
  })
})
