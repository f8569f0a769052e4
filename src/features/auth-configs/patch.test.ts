import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import {
  type AuthConfig,
  createAuthConfig,
  readAuthConfig,
  updateAuthConfig,
} from '../../contract/auth-configs/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { parseKeyRing, createEncryptor } from '../../platform/crypto/index.ts'
import { decryptConfig } from './encrypted-columns.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'

const FULL = {
  type: 'use_custom_auth' as const,
  authScheme: 'OAUTH2',
  name: 'Own app',
  credentials: {
    client_id: 'my-client-id',
    client_secret: 'my-client-secret',
    scopes: 'orders,customers',
    developer_token: 'developer-token',
  },
  proxy_config: { proxy_url: 'https://egress.example.com', proxy_auth_key: 'proxy-key' },
  shared_credentials: { base_url: 'https://api.shop.example', nested: { token: 'nested-token', plain: 'x' } },
  tool_access_config: {
    tools_for_connected_account_creation: ['SHOP_GET_ORDER'],
    tools_available_for_execution: ['SHOP_GET_ORDER', 'SHOP_CREATE_ORDER'],
  },
  is_enabled_for_tool_router: true,
}
const seal = createEncryptor(parseKeyRing(`change:${Buffer.alloc(32, 7).toString('base64')}`))

/** An application with one full auth config; `stored` opens what the database holds of it. */
async function withConfig(t: TestContext, auth: Record<string, unknown> = FULL) {
  const { app, call } = await testApp(t, { catalog: exampleCatalog(), encryptor: seal })
  const { body } = await call(createAuthConfig, {
    body: { toolkit: { slug: 'shop' }, auth_config: auth } as never,
  })
  const params = { nanoid: body.auth_config.id }
  return {
    app,
    call,
    params,
    read: async (): Promise<AuthConfig> => (await call(readAuthConfig, { params })).body,
    patch: (change: object) => call(updateAuthConfig, { params, body: change as never }),
    async stored() {
      const row = await app.db.one<Parameters<typeof decryptConfig>[1]>(
        sql`select id, credentials, shared_credentials, proxy_config from auth_configs where id = ${params.nanoid}`,
      )
      return decryptConfig(seal, row as NonNullable<typeof row>)
    },
  }
}

test('a change returns an empty object and changes only what it names', async (t) => {
  const { patch, read, stored } = await withConfig(t)
  const before = await read()
  for (const [change, changed] of [
    [{ name: 'Renamed' }, { name: 'Renamed' }],
    [{ is_enabled_for_tool_router: false }, { name: 'Renamed', is_enabled_for_tool_router: false }],
    [
      { credentials: { client_id: 'another-id' } },
      {
        name: 'Renamed',
        is_enabled_for_tool_router: false,
        credentials: { ...before.credentials, client_id: 'another-id' },
      },
    ],
  ] as const) {
    const { status, body } = await patch({ type: 'custom', ...change })
    assert.deepEqual([status, body], [200, {}])
    const { last_updated_at: updated, ...after } = await read()
    const { last_updated_at: earlier, ...expected } = { ...before, ...changed }
    assert.deepEqual(after, expected)
    assert.ok(updated >= earlier)
  }
  assert.deepEqual((await stored()).credentials, { ...FULL.credentials, client_id: 'another-id' })
})

test('a change of nothing changes nothing, empty lists of tool_access_config included', async (t) => {
  const { patch, read } = await withConfig(t)
  const before = await read()
  for (const change of [
    {},
    { tool_access_config: {} },
    { nonsense: 1 },
    { auth_config: {} },
    { scopes: 'ignored: of a managed config' },
  ]) {
    assert.equal((await patch({ type: 'custom', ...change })).status, 200)
    assert.deepEqual(await read(), before)
  }
})

test('what a read showed may be sent back: masked values are ignored at every depth', async (t) => {
  const { patch, read, stored } = await withConfig(t)
  const [presented, before] = [await read(), await stored()]
  const { status } = await patch({
    type: 'custom',
    credentials: { ...presented.credentials, developer_token: 'REDACTED' },
    shared_credentials: presented.shared_credentials,
    proxy_config: presented.proxy_config,
  })
  assert.equal(status, 200)
  assert.deepEqual(await stored(), before)
  await patch({ type: 'custom', credentials: { client_secret: 'othe...' } })
  assert.equal(
    (await stored()).credentials['client_secret'],
    'othe...',
    'the mask of something else is a value',
  )
})

test('empty clears: lists, texts, shared maps; a field that is required stays required', async (t) => {
  const { patch, read, stored } = await withConfig(t)
  await patch({
    type: 'custom',
    credentials: { scopes: '', developer_token: '' },
    tool_access_config: { tools_for_connected_account_creation: [], tools_available_for_execution: [] },
  })
  assert.deepEqual((await stored()).credentials, {
    client_id: 'my-client-id',
    client_secret: 'my-client-secret',
  })
  assert.deepEqual((await read()).tool_access_config, {
    tools_for_connected_account_creation: [],
    tools_available_for_execution: [],
  })
  await patch({ type: 'custom', shared_credentials: {} })
  assert.deepEqual((await read()).shared_credentials, {})
  const { status, body } = await patch({ type: 'custom', name: 'Broken', credentials: { client_secret: '' } })
  assert.deepEqual(
    [status, body.error.code, body.error.errors],
    [400, 305, ['Error in payload.credentials.client_secret: is required']],
  )
  assert.deepEqual(
    [(await read()).name, (await stored()).credentials['client_secret']],
    ['Own app', 'my-client-secret'],
  )
  const wrong = await patch({ type: 'custom', credentials: { tier: 'gold' } })
  assert.deepEqual(wrong.body.error.errors, [
    'Error in payload.credentials.tier: Tier must be one of basic, plus',
  ])
})

test('the deprecated list of tools works alone, and the newer one wins', async (t) => {
  const { patch, read } = await withConfig(t)
  const tools = async () => (await read()).tool_access_config.tools_available_for_execution
  await patch({ type: 'custom', restrict_to_following_tools: ['shop_get_order'] })
  assert.deepEqual(await tools(), ['SHOP_GET_ORDER'])
  await patch({
    type: 'custom',
    restrict_to_following_tools: [],
    tool_access_config: { tools_available_for_execution: ['SHOP_GONE'] },
  })
  assert.deepEqual(await tools(), ['SHOP_GONE'])
  const { status, body } = await patch({ type: 'custom', restrict_to_following_tools: ['MAIL_READ'] })
  assert.deepEqual(
    [status, body.error.errors],
    [400, ['Error in payload.restrict_to_following_tools.0: MAIL_READ is not a tool of shop']],
  )
  await patch({ type: 'custom', restrict_to_following_tools: [] })
  assert.deepEqual(await tools(), [])
})

test('PATCH /auth_configs: the key of a proxy stays if none is sent, and an empty one removes it', async (t) => {
  const { patch, read, stored } = await withConfig(t)
  const { proxy_url } = FULL.proxy_config
  await patch({ type: 'custom', proxy_config: { proxy_url } })
  assert.deepEqual((await stored()).proxy, FULL.proxy_config)
  await patch({ type: 'custom', proxy_config: { proxy_url, proxy_auth_key: '' } })
  assert.deepEqual((await read()).proxy_config, { proxy_url })
  await patch({ type: 'custom', proxy_config: null })
  assert.ok(!('proxy_config' in (await read())))
  assert.equal((await patch({ type: 'custom', proxy_config: { proxy_url: 'nope' } })).status, 400)
})

test('a body wrapped in auth_config is accepted like a plain one, its type in or around it', async (t) => {
  const { patch, read } = await withConfig(t)
  assert.equal((await patch({ auth_config: { type: 'custom', name: 'Wrapped' } })).status, 200)
  assert.equal((await read()).name, 'Wrapped')
  assert.equal((await patch({ type: 'custom', auth_config: { name: 'Half wrapped' } })).status, 200)
  assert.equal((await read()).name, 'Half wrapped')
})

test('the type must be there and be that of the config', async (t) => {
  const { patch, read } = await withConfig(t)
  for (const [change, errors] of [
    [{ name: 'x' }, ['Error in payload.type: is required']],
    [{ type: 'default', name: 'x' }, ['Error in payload.type: must be custom, the type of this auth config']],
    [
      { auth_config: { type: 'default', name: 'x' } },
      ['Error in payload.type: must be custom, the type of this auth config'],
    ],
    [{ type: 'magic' }, ['Error in payload.type: must be one of custom, default']],
  ] as const) {
    const { status, body } = await patch(change)
    assert.deepEqual([status, body.error.code, body.error.errors], [400, 10400, errors])
  }
  assert.equal((await read()).name, 'Own app')
})

test('changes of different keys at once are all kept', async (t) => {
  const { patch, stored } = await withConfig(t)
  await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => patch({ type: 'custom', credentials: { [name]: name } })),
  )
  assert.deepEqual((await stored()).credentials, { ...FULL.credentials, a: 'a', b: 'b', c: 'c', d: 'd' })
})
