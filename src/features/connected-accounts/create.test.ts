import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { createAuthConfig, setAuthConfigStatus } from '../../contract/auth-configs/index.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { readConnectedAccount } from '../../contract/connected-accounts/index.ts'
import { sql } from '../../platform/db/sql.ts'
import {
  API_KEY,
  followShortLink,
  BASIC,
  CLIENT,
  oauth,
  startConnectedAccountsApp,
  credentialsIn,
} from '#fixtures/connected-accounts.ts'

const HOST = { name: 'host', display_name: 'Host', description: 'Where it answers.', required: false }
const SHORT_LINK = /^http:\/\/localhost:3900\/api\/v3\/s\/[A-Za-z0-9]{8}$/

test('create: an API key connects immediately, after one request that tries it', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const { status, body } = await s.connect(config, {
    user_id: 'u-17',
    state: { authScheme: 'api_key', val: { status: 'ACTIVE', generic_api_key: 'k_live_123456' } },
  })
  assert.equal(status, 201)
  assert.match(body.id, /^ca_[A-Za-z0-9]{12}$/)
  assert.deepEqual([body.status, body.redirect_url, body.redirect_uri], ['ACTIVE', null, null])
  assert.deepEqual(body.connectionData, {
    authScheme: 'API_KEY',
    val: { status: 'ACTIVE', generic_api_key: 'k_li...' },
  })
  assert.match(body.deprecated.uuid, /^[0-9a-f-]{36}$/)
  assert.match(body.deprecated.authConfigUuid, /^[0-9a-f-]{36}$/)
  assert.notEqual(body.deprecated.uuid, body.deprecated.authConfigUuid)
  assert.deepEqual(
    s.stub.requests.map(({ path }) => path),
    ['/me'],
  )
  assert.equal((await s.readAccount(body.id)).user_id, 'u-17')
})

test('create: flat data, api_key, BASIC, BEARER_TOKEN, NO_AUTH connect; the default user is "default"', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY, BASIC, { scheme: 'BEARER_TOKEN' }, { scheme: 'NO_AUTH' }],
  })
  for (const [scheme, connection] of [
    ['API_KEY', { data: { api_key: 'key-by-another-name' } }],
    ['BASIC', { state: { authScheme: 'BASIC', val: { username: 'ann', password: '' } } }],
    ['BEARER_TOKEN', { data: { status: 'ACTIVE', token: 'tok-123456' } }],
    ['NO_AUTH', {}],
  ] as const) {
    const { status, body } = await s.connect(await s.addAuthConfig(scheme), connection)
    assert.deepEqual([scheme, status, body.status, body.redirect_url], [scheme, 201, 'ACTIVE', null])
    assert.equal((await s.readAccount(body.id)).user_id, 'default')
  }
  assert.equal((await s.callTool({ user_id: 'default' })).body.successful, true)
})

test('create: a redirect scheme returns INITIALIZING and the same short link in all fields', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const { status, body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), {
    user_id: 'u-17',
    callback_url: 'https://app.example.com/done?tab=2',
    state: { authScheme: 'OAUTH2', val: { status: 'INITIALIZING' } },
  })
  assert.equal(status, 201)
  assert.match(body.redirect_url ?? '', SHORT_LINK)
  assert.deepEqual([body.status, body.redirect_uri], ['INITIALIZING', body.redirect_url])
  assert.deepEqual(body.connectionData, {
    authScheme: 'OAUTH2',
    val: {
      status: 'INITIALIZING',
      redirectUrl: body.redirect_url,
      callback_url: 'https://app.example.com/done?tab=2',
    },
  })
  const presented = await s.readAccount(body.id)
  assert.deepEqual(
    [
      presented.status,
      credentialsIn(presented.state)['status'],
      credentialsIn(presented.state)['redirectUrl'],
      presented.data,
    ],
    ['INITIALIZING', 'INITIALIZING', body.redirect_url, presented.state.val],
  )
})

test('create: redirect_uri is an alias of callback_url', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const { body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), {
    redirect_uri: 'https://old.example/x',
  })
  assert.equal((await s.accountRow(body.id))['callback_url'], 'https://old.example/x')
})

test('create: state_prefix starts the state, and long_redirect_url returns the URL of the provider', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const prefix = 'org:17|ü&x='.padEnd(40, '~')
  const { body } = await s.connect(config, {
    state: { authScheme: 'OAUTH2', val: { state_prefix: prefix, long_redirect_url: true } },
  })
  const address = new URL(body.redirect_url as string)
  assert.equal(address.origin + address.pathname, `${s.stub.url}/authorize`)
  assert.ok(address.searchParams.get('state')?.startsWith(prefix))
  assert.equal(address.searchParams.get('state')?.length, 83)
  for (const bad of ['x'.repeat(41), 7]) {
    const rejected = await s.connect(config, { state: { authScheme: 'OAUTH2', val: { state_prefix: bad } } })
    assert.deepEqual([rejected.status, rejected.body.error.code], [400, 10400])
    assert.match(
      rejected.body.error.errors[0] ?? '',
      /^Error in payload\.connection\.state\.val\.state_prefix: /,
    )
  }
})

test('create: the fewest scopes of the tools replace those of credentials; oauth_redirect_uri is used', async (t) => {
  const tools = [
    sampleTool({ scopes: { all_of: ['orders', { any_of: ['admin', 'basic'] }] } }),
    sampleTool({ slug: 'SHOP_B', scopes: { all_of: ['basic'] } }),
  ]
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { scopes: { default: ['fallback'] } })],
    tools,
  })
  for (const [credentials, slugs, expected] of [
    [{}, [], 'fallback'],
    [{ scopes: 'a,b' }, [], 'a b'],
    [{ scopes: ['a'] }, ['SHOP_GET_ORDER'], 'orders admin'],
    [{}, ['SHOP_GET_ORDER', 'SHOP_B'], 'basic orders'],
  ] as const) {
    const config = await s.addAuthConfig(
      'OAUTH2',
      { ...CLIENT, ...credentials, oauth_redirect_uri: 'https://own.example/cb' },
      { tool_access_config: { tools_for_connected_account_creation: slugs } },
    )
    const { searchParams } = await followShortLink(s, (await s.connect(config)).body.redirect_url as string)
    assert.deepEqual(
      [searchParams.get('scope'), searchParams.get('redirect_uri')],
      [expected, 'https://own.example/cb'],
    )
  }
})

test('create: every authorization flow has its own state', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  const states = new Set<string | null>()
  for (let i = 0; i < 5; i++)
    states.add(
      (await followShortLink(s, (await s.connect(config)).body.redirect_url as string)).searchParams.get(
        'state',
      ),
    )
  assert.equal(states.size, 5)
})

test('create: ACTIVE with tokens imports an existing OAuth connection with its expiry', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const config = await s.addAuthConfig('OAUTH2', CLIENT)
  for (const input of [
    {
      state: {
        authScheme: 'OAUTH2',
        val: {
          status: 'ACTIVE',
          access_token: 'imported-access',
          refresh_token: 'imported-refresh',
          expires_in: 3600,
        },
      },
    },
    { data: { status: 'ACTIVE', access_token: 'imported-access', expires_in: '3600' } },
  ]) {
    const { status, body } = await s.connect(config, { user_id: 'u1', ...input })
    assert.deepEqual(
      [status, body.status, body.redirect_url, credentialsIn(body.connectionData)['status']],
      [201, 'ACTIVE', null, 'ACTIVE'],
    )
    const { token_expires_at: end } = await s.accountRow(body.id)
    assert.ok(Math.abs((end as Date).getTime() - s.clock.now() - 3_600_000) < 60_000)
  }
  assert.equal((await s.callTool()).body.successful, true)
  assert.equal(s.stub.requests[0]?.headers['authorization'], 'Bearer imported-access')
})

test('create: ACTIVE without tokens is rejected and creates no account', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [oauth(url)] })
  const { status, body } = await s.connect(await s.addAuthConfig('OAUTH2', CLIENT), {
    state: { authScheme: 'OAUTH2', val: { status: 'ACTIVE' } },
  })
  assert.deepEqual(
    [status, body.error.code, body.error.errors],
    [400, 600, ['Error in payload.connection.state.val.access_token: is required']],
  )
  assert.deepEqual(await s.app.db.rows(sql`select id from connected_accounts`), [])
})

test('create: credentials are stored without prefix, suffix and empty fields, and with defaults', async (t) => {
  const fields = [
    {
      name: 'store',
      display_name: 'Store',
      description: 'Your store.',
      prefix: 'https://',
      suffix: '.shop.example',
      pattern: '^[a-z]+$',
    },
    { name: 'region', display_name: 'Region', description: 'Where.', required: true, default: 'eu' },
    { name: 'note', display_name: 'Note', description: 'Any.', required: false },
  ]
  const s = await startConnectedAccountsApp(t, {
    auth: [{ ...API_KEY, fields: { connected_account_initiation: fields } }],
  })
  const config = await s.addAuthConfig('API_KEY')
  const { status, body } = await s.connect(config, {
    data: { generic_api_key: 'kkkkkkkk', store: 'https://acme.shop.example', note: '' },
  })
  assert.equal(status, 201)
  assert.deepEqual(body.connectionData.val, {
    status: 'ACTIVE',
    generic_api_key: 'kkkk...',
    store: 'acme',
    region: 'eu',
  })
  const wrong = await s.connect(config, { data: { generic_api_key: { deep: 1 }, store: 'acme' } })
  assert.deepEqual(
    [wrong.status, wrong.body.error.errors],
    [400, ['Error in payload.connection.state.val.generic_api_key: must be a string, a number or a boolean']],
  )
})

test('create: fields in shared_credentials are not required from the user', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig(
    'API_KEY',
    {},
    { shared_credentials: { generic_api_key: 'shared-key-1' } },
  )
  assert.equal((await s.connect(config, { user_id: 'u1', data: { generic_api_key: '' } })).status, 201)
  await s.callTool()
  assert.equal(s.stub.requests[0]?.headers['x-key'], 'shared-key-1')
})

test('create: an alias is unique for a user and a toolkit (409 / 601)', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const make = (user_id: string, alias: string) =>
    s.connect(config, { user_id, alias, data: { generic_api_key: 'kkkkkkkk' } })
  assert.equal((await make('u1', 'work')).status, 201)
  const second = await make('u1', 'work')
  assert.deepEqual(
    [second.status, second.body.error.code, second.body.error.slug, second.headers['x-should-retry']],
    [409, 601, 'ConnectedAccount_AliasConflict', 'false'],
  )
  assert.deepEqual(
    [
      (await make('u2', 'work')).status,
      (await make('u1', 'home')).status,
      (await make('u1', '')).status,
      (await make('u1', '')).status,
    ],
    [201, 201, 201, 201],
  )
  assert.equal((await s.app.db.rows(sql`select id from connected_accounts`)).length, 5)
})

test('create: a SHARED account has an ACL; an ACL on a PRIVATE one is rejected with 602', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const acl = { allow_all_users: true, not_allowed_user_ids: ['bob'] }
  const { body } = await s.connect(config, {
    data: { generic_api_key: 'kkkkkkkk' },
    experimental: { account_type: 'SHARED', acl_config_for_shared: acl },
  })
  const row = await s.accountRow(body.id)
  assert.deepEqual([row['account_type'], row['acl']], ['SHARED', acl])
  const read = (version: 'v3' | 'v3.1') =>
    s.as({ 'x-api-key': s.keys.projectApiKey }, version)(readConnectedAccount, {
      params: { nanoid: body.id },
    })
  assert.deepEqual((await read('v3.1')).body.experimental, {
    account_type: 'SHARED',
    acl_config_for_shared: acl,
  })
  assert.equal((await read('v3')).body.experimental, undefined)
  for (const experimental of [
    { acl_config_for_shared: acl },
    { account_type: 'PRIVATE', acl_config_for_shared: acl },
  ]) {
    const rejected = await s.connect(config, { data: { generic_api_key: 'kkkkkkkk' }, experimental })
    assert.deepEqual([rejected.status, rejected.body.error.code], [400, 602])
    assert.match(rejected.body.error.message, /acl_config_for_shared is only valid on SHARED/)
  }
})

test('create: every rejection has its code and creates no account', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [
      API_KEY,
      oauth(url, {
        authorize: { url: "https://{host||'?'}/authorize" },
        fields: { connected_account_initiation: [HOST] },
      }),
    ],
  })
  const key = await s.addAuthConfig('API_KEY')
  const off = await s.addAuthConfig('API_KEY')
  await s.call(setAuthConfigStatus, { params: { nanoid: off, status: 'DISABLED' } })
  const stranger = await s.otherProject()
  const theirs = (
    await stranger(createAuthConfig, {
      body: {
        toolkit: { slug: 'shop' },
        auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY' },
      } as never,
    })
  ).body.auth_config.id
  const val = { generic_api_key: 'kkkkkkkk' }
  for (const [what, config, connection, expected] of [
    ['an unknown auth config', 'ac_000000000000', { data: val }, [404, 302]],
    ["another project's auth config", theirs, { data: val }, [404, 302]],
    ['a disabled auth config', off, { data: val }, [400, 307]],
    ['a missing key', key, {}, [400, 305]],
    ['an empty key', key, { state: { authScheme: 'API_KEY', val: { generic_api_key: '' } } }, [400, 305]],
    ['another scheme than the config has', key, { state: { authScheme: 'BASIC', val } }, [400, 600]],
    ['an unknown scheme', key, { state: { authScheme: 'MAGIC', val } }, [400, 10400]],
    ['an id that is none', 'xx_1', { data: val }, [400, 10400]],
    ['an address that cannot be made', await s.addAuthConfig('OAUTH2', CLIENT), {}, [400, 600]],
  ] as const) {
    const { status, body } = await s.connect(config, connection)
    assert.deepEqual([what, status, body.error?.code], [what, ...expected])
  }
  const missing = await s.connect(key, {})
  assert.equal(
    missing.body.error.message,
    'Missing required field "API key" for auth scheme "API_KEY" in toolkit "shop"',
  )
  assert.deepEqual(missing.body.error.errors, [
    'Error in payload.connection.state.val.generic_api_key: is required',
  ])
  assert.deepEqual(await s.app.db.rows(sql`select id from connected_accounts`), [])
  assert.deepEqual(await s.app.db.rows(sql`select short_id from authorization_flows`), [])
})

test('create: with masking disabled, the response has the credentials as they were sent', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [sampleTool()] })
  await s.call(updateProjectConfig, { body: { mask_secret_keys_in_connected_account: false } })
  const { body } = await s.connect(await s.addAuthConfig('API_KEY'), {
    data: { generic_api_key: 'k_live_123456' },
  })
  assert.equal(credentialsIn(body.connectionData)['generic_api_key'], 'k_live_123456')
})
