import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import {
  createAuthConfig,
  deleteAuthConfig,
  listAuthConfigs,
  readAuthConfig,
  setAuthConfigStatus,
  updateAuthConfig,
} from '../../contract/auth-configs/index.ts'
import { createConnectedAccount, setConnectedAccountStatus } from '../../contract/connected-accounts/index.ts'
import { listProjectKeys, updateProjectConfig } from '../../contract/projects/index.ts'
import { stableUuid } from '../../platform/ids.ts'
import { legacyToolkitId } from '../toolkits/index.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'

const shopApp = (t: TestContext) => testApp(t, { catalog: exampleCatalog() })
type Custom = { name?: string; toolkit?: string; authScheme?: string } & Record<string, unknown>

async function make(
  { call }: Pick<TestApp, 'call'>,
  { toolkit = 'shop', ...auth }: Custom = {},
): Promise<string> {
  const { status, body } = await call(createAuthConfig, {
    body: {
      toolkit: { slug: toolkit },
      auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', ...auth },
    } as never,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.auth_config.id
}

const OWN_APP = {
  authScheme: 'OAUTH2',
  name: 'Own shop app',
  credentials: {
    client_id: 'my-client-id',
    client_secret: 's3cret-value',
    scopes: ['orders'],
    user_scopes: 'a,b',
    oauth_redirect_uri: 'https://int.example.com/cb',
    developer_token: 'dev-token',
    unknown_thing: 'hidden!',
  },
  proxy_config: { proxy_url: 'https://egress.example.com', proxy_auth_key: 'pk_12345' },
  shared_credentials: {
    base_url: 'https://api.shop.example',
    api_password: 12345678,
    short: 'abcd',
    nested: { token: 'nested-secret' },
  },
  restrict_to_following_tools: ['SHOP_GET_ORDER'],
}
/** `OWN_APP` in a response. */
const PRESENTED = {
  type: 'custom',
  name: 'Own shop app',
  auth_scheme: 'OAUTH2',
  is_service_managed: false,
  status: 'ENABLED',
  no_of_connections: 0,
  is_enabled_for_tool_router: true,
  toolkit: {
    slug: 'shop',
    logo: 'http://localhost:3900/logos/shop.svg',
    auth_guide_url: 'https://docs.shop.example',
    auth_hint_url: null,
  },
  credentials: {
    client_id: 'my-client-id',
    client_secret: 's3cr...',
    scopes: ['orders'],
    user_scopes: 'a,b',
    oauth_redirect_uri: 'https://int.example.com/cb',
    developer_token: 'dev-...',
    unknown_thing: 'hidd...',
  },
  redirect_uri: 'https://int.example.com/cb',
  proxy_config: { proxy_url: 'https://egress.example.com', proxy_auth_key: 'pk_1...' },
  shared_credentials: {
    base_url: 'https://api.shop.example',
    api_password: '1234...',
    short: '...',
    nested: { token: 'nest...' },
  },
  restrict_to_following_tools: ['SHOP_GET_ORDER'],
  tool_access_config: {
    tools_for_connected_account_creation: [],
    tools_available_for_execution: ['SHOP_GET_ORDER'],
  },
}
const SUBDOMAIN_FIELD = {
  name: 'subdomain',
  displayName: 'Store',
  type: 'string',
  description: 'xyz in xyz.shop.example.',
  required: true,
  default: null,
  is_secret: false,
}

test('a read shows every field, secrets by their first four characters', async (t) => {
  const app = await shopApp(t)
  const id = await make(app, OWN_APP)
  const { status, body } = await app.call(readAuthConfig, { params: { nanoid: id } })
  assert.equal(status, 200)
  const {
    uuid,
    created_at: created,
    last_updated_at: updated,
    created_by: by,
    expected_input_fields: expected,
    deprecated_params: deprecated,
    ...rest
  } = body
  assert.deepEqual(rest, { ...PRESENTED, id })
  assert.match(uuid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.deepEqual([created, new Date(created).toISOString()], [updated, created])
  const keys = await app.org(listProjectKeys, { params: { nano_id: app.keys.projectId } })
  assert.equal(by, keys.body.items[0]?.id)
  assert.deepEqual(expected, [SUBDOMAIN_FIELD])
  assert.deepEqual(deprecated, {
    default_connector_id: uuid,
    member_uuid: stableUuid(`creator:${by}`),
    toolkit_id: legacyToolkitId('shop'),
    expected_input_fields: expected,
  })
})

test('secrets are masked whatever the project setting, on both versions and in lists', async (t) => {
  const app = await shopApp(t)
  const id = await make(app, {
    authScheme: 'OAUTH2',
    credentials: { client_id: 'my-client-id', client_secret: 's3cret-value' },
  })
  await app.call(updateProjectConfig, { body: { mask_secret_keys_in_connected_account: false } })
  for (const call of [app.call, app.as({ 'x-api-key': app.keys.projectApiKey }, 'v3.1')]) {
    const masked = { client_id: 'my-client-id', client_secret: 's3cr...' }
    assert.deepEqual((await call(readAuthConfig, { params: { nanoid: id } })).body.credentials, masked)
    assert.deepEqual((await call(listAuthConfigs)).body.items[0]?.credentials, masked)
  }
})

test('a user is asked for what is not shared: an empty shared value does not count', async (t) => {
  const app = await shopApp(t)
  const asked = async (shared?: Record<string, string>) => {
    const id = await make(app, { shared_credentials: shared })
    return (await app.call(readAuthConfig, { params: { nanoid: id } })).body.expected_input_fields.map(
      ({ name }) => name,
    )
  }
  assert.deepEqual(await asked(), ['generic_api_key', 'subdomain'])
  assert.deepEqual(await asked({ subdomain: 'acme' }), ['generic_api_key'])
  assert.deepEqual(await asked({ subdomain: '', other: 'x' }), ['generic_api_key', 'subdomain'])
})

test('only ACTIVE connections are counted', async (t) => {
  const app = await shopApp(t)
  const id = await make(app)
  const counted = async () =>
    (await app.call(readAuthConfig, { params: { nanoid: id } })).body.no_of_connections
  const connect = (user: string) =>
    app.call(createConnectedAccount, {
      body: {
        auth_config: { id },
        connection: {
          user_id: user,
          state: { authScheme: 'API_KEY', val: { generic_api_key: 'k', subdomain: 'acme' } },
        },
      },
    })
  const [one] = [await connect('a'), await connect('b')]
  assert.equal(await counted(), 2)
  await app.call(setConnectedAccountStatus, {
    params: { nanoid: one.body.id },
    body: { enabled: false } as never,
  })
  assert.equal(await counted(), 1)
  const oauth = await make(app, { authScheme: 'OAUTH2', credentials: { client_id: 'c', client_secret: 's' } })
  const pending = await app.call(createConnectedAccount, {
    body: { auth_config: { id: oauth }, connection: { user_id: 'a', data: { subdomain: 'acme' } } },
  })
  assert.equal(pending.body.status, 'INITIALIZING')
  assert.equal((await app.call(readAuthConfig, { params: { nanoid: oauth } })).body.no_of_connections, 0)
})

test('another project cannot see, change, switch or delete it, and cannot tell that it exists', async (t) => {
  const app = await shopApp(t)
  const id = await make(app, { name: 'Ours' })
  const them = await app.otherProject()
  assert.deepEqual((await them(listAuthConfigs, { query: { show_disabled: true } })).body.items, [])
  for (const attempt of [
    (nanoid: string) => them(readAuthConfig, { params: { nanoid } }),
    (nanoid: string) =>
      them(updateAuthConfig, { params: { nanoid }, body: { type: 'custom', name: 'Theirs' } }),
    (nanoid: string) => them(setAuthConfigStatus, { params: { nanoid, status: 'DISABLED' } }),
    (nanoid: string) => them(deleteAuthConfig, { params: { nanoid } }),
  ]) {
    const [ours, none] = [await attempt(id), await attempt('ac_none')]
    assert.deepEqual(
      [ours.status, ours.body.error.slug, ours.body.error.code],
      [404, 'Auth_Config_NotFound', 302],
    )
    assert.deepEqual(
      [ours.status, ours.body.error.message.replace(id, 'ac_none')],
      [none.status, none.body.error.message],
    )
  }
  const { body } = await app.call(readAuthConfig, { params: { nanoid: id } })
  assert.deepEqual([body.name, body.status], ['Ours', 'ENABLED'])
})

test('an id of another kind is rejected before anything is looked up', async (t) => {
  const { call } = await shopApp(t)
  for (const nanoid of ['ca_7hQ2vLk9TmXa', 'nope', 'ac_', `ac_${'x'.repeat(65)}`]) {
    const { status, body } = await call(readAuthConfig, { params: { nanoid } })
    assert.deepEqual([status, body.error.code], [400, 10400], nanoid)
    assert.match(body.error.errors[0] ?? '', /^Error in params\.nanoid: /)
  }
})

test('lists are newest first and paged, and each filter leaves what it names', async (t) => {
  const app = await shopApp(t)
  const ids = {
    shop: await make(app, { name: 'Shop one' }),
    mail: await make(app, { name: 'MAIL 100%', toolkit: 'mail' }),
    off: await make(app, { name: 'shop off' }),
    last: await make(app, { name: 'last' }),
  }
  await app.call(setAuthConfigStatus, { params: { nanoid: ids.off, status: 'DISABLED' } })
  const list = async (query: Record<string, unknown>, call = app.call) => {
    const { status, body } = await call(listAuthConfigs, { query: query as never })
    assert.equal(status, 200, JSON.stringify(body))
    return body.items.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0])
  }
  assert.deepEqual(await list({}), ['last', 'mail', 'shop'])
  assert.deepEqual(await list({ show_disabled: true }), ['last', 'off', 'mail', 'shop'])
  assert.deepEqual(await list({ show_disabled: false }), ['last', 'mail', 'shop'])
  assert.deepEqual(await list({ toolkit_slug: ['MAIL', 'nowhere'] }), ['mail'])
  assert.deepEqual(await list({ toolkit_slug: 'mail,shop' }), ['last', 'mail', 'shop'])
  assert.deepEqual(await list({ search: 'SHOP' }), ['shop'])
  assert.deepEqual(await list({ search: '0%' }), ['mail'])
  assert.deepEqual(await list({ search: '_' }), [], 'what stands for any character in SQL stands for itself')
  assert.deepEqual(await list({ is_service_managed: false }), ['last', 'mail', 'shop'])
  assert.deepEqual(await list({ is_service_managed: true }), [])
  assert.deepEqual(await list({ deprecated_status: 'DISABLED' }), ['off'])
  assert.deepEqual(await list({ deprecated_status: 'enabled', show_disabled: true }), [
    'last',
    'mail',
    'shop',
  ])
  assert.deepEqual(await list({ deprecated_app_id: legacyToolkitId('mail') }), ['mail'])
  assert.deepEqual(await list({ deprecated_app_id: legacyToolkitId('mail'), toolkit_slug: 'shop' }), [])
  assert.deepEqual(await list({ deprecated_app_id: 'unknown' }), [])
  const newer = app.as({ 'x-api-key': app.keys.projectApiKey }, 'v3.1')
  assert.deepEqual(
    [await list({ search: ids.mail.slice(0, 12) }, newer), await list({ search: ids.mail.slice(0, 12) })],
    [['mail'], []],
  )

  const { body: first } = await app.call(listAuthConfigs, { query: { limit: 2 } })
  assert.deepEqual(
    { ...first, items: first.items.length, next_cursor: first.next_cursor?.slice(0, 4) },
    { items: 2, next_cursor: 'Mi0y', total_pages: 2, current_page: 1, total_items: 3 },
  )
  const { body: second } = await app.call(listAuthConfigs, { query: { cursor: 'Mi0y', limit: 1000 } })
  assert.deepEqual(
    { ...second, items: second.items.map(({ id }) => id) },
    { items: [ids.shop], next_cursor: null, total_pages: 2, current_page: 2, total_items: 3 },
  )
})

test('a filter that is no value of its kind is rejected with its name', async (t) => {
  const { call } = await shopApp(t)
  for (const [name, value] of [
    ['is_service_managed', 'maybe'],
    ['show_disabled', 'maybe'],
    ['deprecated_status', 'GONE'],
    ['limit', '0'],
    ['limit', 'x'],
    ['cursor', 'nonsense'],
  ]) {
    const { status, body } = await call(listAuthConfigs, { query: { [name as string]: value } as never })
    assert.equal(status, 400, name)
    assert.match(body.error.errors[0] ?? '', new RegExp(`^Error in query\\.${name}: `))
  }
})
