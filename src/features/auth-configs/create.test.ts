import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { createAuthConfig, listAuthConfigs, readAuthConfig } from '../../contract/auth-configs/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'

const OAUTH = { client_id: 'my-client-id', client_secret: 'my-client-secret' }
const custom = (auth: Record<string, unknown> = {}, slug = 'shop') => ({
  toolkit: { slug },
  auth_config: { type: 'use_custom_auth' as const, authScheme: 'OAUTH2', credentials: OAUTH, ...auth },
})
const shopApp = (t: TestContext) => testApp(t, { catalog: exampleCatalog() })
const count = async ({ app }: TestApp) => (await app.db.rows(sql`select id from auth_configs`)).length

test('create auth config: returns ID, scheme and tools, and every call creates a new one', async (t) => {
  const { call } = await shopApp(t)
  const { status, body } = await call(createAuthConfig, { body: custom() })
  assert.equal(status, 201)
  assert.match(body.auth_config.id, /^ac_[A-Za-z0-9]{12}$/)
  assert.deepEqual(body, {
    toolkit: { slug: 'shop' },
    auth_config: {
      id: body.auth_config.id,
      auth_scheme: 'OAUTH2',
      is_service_managed: false,
      restrict_to_following_tools: [],
    },
  })
  const again = await call(createAuthConfig, { body: custom() })
  assert.notEqual(again.body.auth_config.id, body.auth_config.id)
  assert.equal((await call(listAuthConfigs)).body.total_items, 2)
})

test('create auth config: toolkit and scheme are case-insensitive', async (t) => {
  const { call } = await shopApp(t)
  for (const [slug, authScheme, mode] of [
    ['SHOP', 'oauth2', 'OAUTH2'],
    ['Shop', 'Api_Key', 'API_KEY'],
  ] as const) {
    const { body } = await call(createAuthConfig, { body: custom({ authScheme }, slug) })
    assert.deepEqual([body.toolkit.slug, body.auth_config.auth_scheme], ['shop', mode])
  }
})

test('create auth config: BEARER_TOKEN is accepted only for toolkits with OAUTH2', async (t) => {
  const { call } = await shopApp(t)
  const { status, body } = await call(createAuthConfig, {
    body: custom({ authScheme: 'bearer_token', credentials: {} }),
  })
  assert.deepEqual([status, body.auth_config.auth_scheme], [201, 'BEARER_TOKEN'])
  const mail = await call(createAuthConfig, { body: custom({ authScheme: 'BEARER_TOKEN' }, 'mail') })
  assert.deepEqual(
    [mail.status, mail.body.error.slug, mail.body.error.code],
    [400, 'Auth_Config_SchemeNotSupported', 304],
  )
  assert.equal(mail.body.error.message, 'Mail does not support BEARER_TOKEN. Use one of: API_KEY.')
})

test('create auth config: an invalid request is rejected with the code of its reason', async (t) => {
  const app = await shopApp(t)
  for (const [body, status, code, slug] of [
    [custom({}, 'nowhere'), 404, 2101, 'Toolkit_ToolkitNotFound'],
    [custom({}, 'free'), 400, 303, 'Auth_Config_NoAuthApp'],
    [{ toolkit: { slug: 'free' } }, 400, 303, 'Auth_Config_NoAuthApp'],
    [{ toolkit: { slug: 'shop' } }, 400, 306, 'Auth_Config_DefaultAuthConfigNotFound'],
    [
      { toolkit: { slug: 'shop' }, auth_config: { type: 'use_service_managed_auth' } },
      400,
      306,
      'Auth_Config_DefaultAuthConfigNotFound',
    ],
    [custom({ authScheme: 'OAUTH1' }), 400, 304, 'Auth_Config_SchemeNotSupported'],
    [custom({ credentials: {} }), 400, 305, 'Auth_Config_MissingRequiredField'],
  ] as const) {
    const reply = await app.call(createAuthConfig, { body: body as never })
    assert.deepEqual(
      [reply.status, reply.body.error.code, reply.body.error.slug, reply.body.error.status],
      [status, code, slug, status],
      JSON.stringify(body),
    )
    assert.ok(reply.body.error.suggested_fix && reply.body.error.request_id)
  }
  assert.equal(await count(app), 0)
})

test('create auth config: without managed credentials the error prints the command, whose body works', async (t) => {
  const { call } = await shopApp(t)
  const { body } = await call(createAuthConfig, { body: { toolkit: { slug: 'shop' } } as never })
  const command = /patchbay auth-configs create --toolkit shop --auth-config '([^']+)'/.exec(
    body.error.suggested_fix,
  )
  assert.deepEqual(JSON.parse(command?.[1] ?? '{}').credentials, { client_id: '…', client_secret: '…' })
  const sent = { toolkit: { slug: 'shop' }, auth_config: JSON.parse(command?.[1] ?? '{}') }
  assert.equal((await call(createAuthConfig, { body: sent })).status, 201)
})

test('create auth config: the error for a missing field has its display name', async (t) => {
  const { call } = await shopApp(t)
  for (const empty of [undefined, '']) {
    const { body } = await call(createAuthConfig, {
      body: custom({
        credentials: { client_secret: 's', ...(empty === undefined ? {} : { client_id: empty }) },
      }),
    })
    assert.equal(
      body.error.message,
      'Missing required field "Client id" for auth scheme "OAUTH2" in toolkit "shop"',
    )
    assert.deepEqual(body.error.errors, ['Error in payload.auth_config.credentials.client_id: is required'])
  }
  const { body } = await call(createAuthConfig, { body: custom({ credentials: undefined }) })
  assert.deepEqual(
    body.error.errors,
    ['client_id', 'client_secret'].map(
      (name) => `Error in payload.auth_config.credentials.${name}: is required`,
    ),
  )
  const shared = await call(createAuthConfig, {
    body: custom({ credentials: { client_id: 'c' }, shared_credentials: { client_secret: 's' } }),
  })
  assert.equal(shared.status, 201, 'shared credentials lie under the others')
  const value = await call(createAuthConfig, { body: custom({ credentials: { ...OAUTH, tier: 'gold' } }) })
  assert.deepEqual(value.body.error.errors, [
    'Error in payload.auth_config.credentials.tier: Tier must be one of basic, plus',
  ])
})

test('create auth config: an invalid body is validated as the variant of its type', async (t) => {
  const app = await shopApp(t)
  for (const [body, error] of [
    [{}, 'Error in payload.toolkit: is required'],
    [{ toolkit: {} }, 'Error in payload.toolkit.slug: is required'],
    [
      { toolkit: { slug: 'shop' }, auth_config: { type: 'use_custom_auth' } },
      'Error in payload.auth_config.authScheme: is required',
    ],
    [custom({ credentials: 'x' }), 'Error in payload.auth_config.credentials: must be object'],
    [custom({ proxy_config: {} }), 'Error in payload.auth_config.proxy_config.proxy_url: is required'],
    [
      custom({ is_enabled_for_tool_router: 'yes' }),
      'Error in payload.auth_config.is_enabled_for_tool_router: must be boolean',
    ],
  ] as const) {
    const reply = await app.call(createAuthConfig, { body: body as never })
    assert.deepEqual(
      [reply.status, reply.body.error.code, /^Invalid request body: /.test(reply.body.error.message)],
      [400, 10400, true],
    )
    assert.ok(reply.body.error.errors.includes(error), `${reply.body.error.errors}`)
  }
  for (const auth of [
    { type: 'use_magic' },
    { authScheme: 'MAGIC' },
    { proxy_config: { proxy_url: 'ftp://x' } },
    { name: '' },
    { credentials: { client_id: { b: 1 }, client_secret: 's' } },
  ]) {
    assert.equal(
      (await app.call(createAuthConfig, { body: custom(auth) as never })).status,
      400,
      JSON.stringify(auth),
    )
  }
  assert.equal(await count(app), 0)
})

test('create auth config: the default name starts with the toolkit', async (t) => {
  const { call } = await shopApp(t)
  const { body } = await call(createAuthConfig, { body: custom() })
  assert.match(
    (await call(readAuthConfig, { params: { nanoid: body.auth_config.id } })).body.name,
    /^shop-[a-z0-9]{6}$/,
  )
})

test('create auth config: tools must belong to some version of the toolkit and are stored in upper case', async (t) => {
  const app = await shopApp(t)
  const lists = {
    tools_for_connected_account_creation: ['shop_get_order'],
    tools_available_for_execution: ['SHOP_GONE', 'SHOP_CREATE_ORDER', 'shop_gone'],
  }
  const { status, body } = await app.call(createAuthConfig, {
    body: custom({ tool_access_config: lists, restrict_to_following_tools: ['SHOP_GET_ORDER'] }),
  })
  assert.deepEqual(
    [status, body.auth_config.restrict_to_following_tools],
    [201, ['SHOP_GONE', 'SHOP_CREATE_ORDER']],
  )
  const read = (await app.call(readAuthConfig, { params: { nanoid: body.auth_config.id } })).body
  assert.deepEqual(read.tool_access_config, {
    tools_for_connected_account_creation: ['SHOP_GET_ORDER'],
    tools_available_for_execution: ['SHOP_GONE', 'SHOP_CREATE_ORDER'],
  })

  const older = await app.call(createAuthConfig, {
    body: custom({ tool_access_config: {}, restrict_to_following_tools: ['SHOP_GET_ORDER'] }),
  })
  assert.deepEqual(older.body.auth_config.restrict_to_following_tools, ['SHOP_GET_ORDER'])
  for (const [auth, part] of [
    [
      { restrict_to_following_tools: ['SHOP_GET_ORDER', 'MAIL_READ'] },
      'restrict_to_following_tools.1: MAIL_READ',
    ],
    [
      { tool_access_config: { tools_available_for_execution: ['NO_SUCH'] } },
      'tool_access_config.tools_available_for_execution.0: NO_SUCH',
    ],
    [
      { tool_access_config: { tools_for_connected_account_creation: ['NO_SUCH'] } },
      'tool_access_config.tools_for_connected_account_creation.0: NO_SUCH',
    ],
  ] as const) {
    const wrong = await app.call(createAuthConfig, { body: custom(auth) as never })
    assert.deepEqual(
      [wrong.status, wrong.body.error.errors],
      [400, [`Error in payload.auth_config.${part} is not a tool of shop`]],
    )
  }
  assert.equal(await count(app), 2)
})

test('create auth config: credentials, shared credentials and proxy key are stored encrypted', async (t) => {
  const { app, call } = await shopApp(t)
  await call(createAuthConfig, {
    body: custom({
      shared_credentials: { deep: { secret: 'shared-secret' } },
      proxy_config: { proxy_url: 'https://egress.example.com', proxy_auth_key: 'proxy-secret' },
    }),
  })
  const row = await app.db.one<{ text: string }>(
    sql`select a::text || encode(credentials, 'escape') || encode(shared_credentials,
        'escape') || encode(proxy_config, 'escape') as text from auth_configs a`,
  )
  const all = row?.text ?? ''
  assert.ok(all.includes('shop'))
  for (const secret of ['my-client-secret', 'shared-secret', 'proxy-secret', 'egress.example.com']) {
    for (const text of [secret, Buffer.from(secret).toString('hex')]) assert.ok(!all.includes(text), secret)
  }
})
