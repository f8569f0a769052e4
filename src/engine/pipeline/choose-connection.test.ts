import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { deleteAuthConfig, setAuthConfigStatus } from '../../contract/auth-configs/index.ts'
import { setConnectedAccountStatus } from '../../contract/connected-accounts/index.ts'
import { ACCOUNT_STATUSES } from '../../contract/schemes.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { sql } from '../../platform/db/sql.ts'
import {
  API_KEY,
  oauth,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const tools = [
  sampleTool(),
  sampleTool({
    slug: 'SHOP_LIST',
    request: { method: 'GET', path: '/list' },
    input: { type: 'object', properties: {} },
  }),
  sampleTool({
    slug: 'SHOP_PING',
    no_auth: true,
    request: { method: 'GET', path: '/ping' },
    input: { type: 'object', properties: {} },
  }),
]
const keyed = async (
  s: ConnectedAccountsApp,
  n: string,
  more: Record<string, unknown> = {},
  config?: string,
) =>
  s.addAccount(
    config ?? (await s.addAuthConfig('API_KEY')),
    'API_KEY',
    { generic_api_key: `key-number-${n}` },
    more,
  )
const usedKey = (s: ConnectedAccountsApp) => s.stub.requests.at(-1)?.headers['x-key']

test('account: without user_id the error says that the default user was used', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const { status, body } = await s.callTool({ user_id: undefined })
  assert.equal(status, 404)
  assert.equal(
    body.error.message,
    'user_id is missing, so "default" was used, which has no active connected account of shop.',
  )
  assert.equal(
    body.error.suggested_fix,
    'Send user_id, or connect an account for "default" with POST /connected_accounts/link ' +
      '(patchbay connect shop --user default).',
  )
})

test('account: each unusable status has its error code, and nothing is sent', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await keyed(s, '1')
  for (const [status, http, code] of [
    ['EXPIRED', 410, 1820],
    ['INITIALIZING', 422, 1821],
    ['INITIATED', 422, 1821],
    ['FAILED', 422, 1821],
    ['INACTIVE', 422, 1821],
    ['REVOKED', 422, 1821],
  ] as const) {
    await s.app.db.run(sql`update connected_accounts set status = ${status}, status_reason = 'because'`)
    const reply = await s.callTool({ connected_account_id: id })
    assert.deepEqual(
      [status, reply.status, reply.body.error.code, reply.headers['x-should-retry']],
      [status, http, code, 'false'],
    )
    if (status === 'EXPIRED') assert.match(reply.body.error.message, /is in EXPIRED state: because$/)
    const picked = await s.callTool()
    // An account that was never usable, or whose connection failed, is not connected.
    const isKnown = ['EXPIRED', 'INACTIVE', 'REVOKED'].includes(status)
    assert.deepEqual([picked.status, picked.body.error.code], isKnown ? [http, code] : [404, 1810])
  }
  assert.deepEqual(s.stub.requests, [])
})

test('account: a call that names an account may leave out its owner, unless the project requires a user', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await keyed(s, '1')
  const ask = (user_id: string | undefined) => s.callTool({ connected_account_id: id, user_id })
  assert.equal((await ask(undefined)).body.successful, true, 'the default of a new project')
  assert.equal((await s.executionRows()).at(-1)?.['user_id'], 'u1', 'the owner is the acting user')
  await s.call(updateProjectConfig, { body: { is_2FA_enabled: true } })
  for (const [user, code] of [
    [undefined, 1811],
    ['u2', 1812],
    ['u1', undefined],
  ] as const)
    assert.deepEqual([user, (await ask(user)).body.error?.code], [user, code])
  assert.equal(
    (await s.callTool({ user_id: undefined, entity_id: 'u1', connected_account_id: id })).body.successful,
    true,
  )
  await s.call(updateProjectConfig, { body: { is_2FA_enabled: false } })
  for (const [user, code] of [
    [undefined, undefined],
    ['u2', 1812],
  ] as const)
    assert.deepEqual([user, (await ask(user)).body.error?.code], [user, code])
})

test('account: the most recently connected account is used, and the first by id among equal ones', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const ids = [await keyed(s, '1'), await keyed(s, '2'), await keyed(s, '3')]
  const used = async () => {
    await s.callTool()
    return (await s.executionRows()).at(-1)?.['connected_account_id']
  }
  assert.equal(await used(), ids[2])
  await s.app.db.run(
    sql`update connected_accounts set connected_at = now() + interval '1 minute' where id = ${ids[0]}`,
  )
  assert.equal(await used(), ids[0])
  await s.app.db.run(sql`update connected_accounts set connected_at = now()`)
  assert.equal(await used(), [...ids].sort()[0])
})

test('account: accounts of other users and of disabled or deleted auth configs are not chosen', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  await keyed(s, '1', { user_id: 'u2' })
  await keyed(s, '2', {
    user_id: 'u2',
    experimental: { account_type: 'SHARED', acl_config_for_shared: { allow_all_users: true } },
  })
  assert.deepEqual([(await s.callTool()).status, (await s.callTool()).body.error.code], [404, 1810])
  const config = await s.addAuthConfig('API_KEY')
  const id = await keyed(s, '3', {}, config)
  assert.equal((await s.callTool()).body.successful, true)
  await s.call(setAuthConfigStatus, { params: { nanoid: config, status: 'DISABLED' } })
  assert.deepEqual(
    [(await s.callTool()).body.error.code, (await s.callTool({ connected_account_id: id })).body.error.code],
    [1821, 1821],
  )
  await s.call(setAuthConfigStatus, { params: { nanoid: config, status: 'ENABLED' } })
  await s.call(deleteAuthConfig, { params: { nanoid: config } })
  await s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled: true } })
  assert.deepEqual(
    [(await s.callTool()).body.error.code, (await s.callTool({ connected_account_id: id })).body.error.code],
    [1810, 1821],
  )
  assert.equal(s.stub.requests.length, 1)
})

test('account: access to a SHARED account follows owner, deny list, allow_all_users, allow list', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await keyed(s, '1', { user_id: 'owner', experimental: { account_type: 'SHARED' } })
  for (const [acl, user, allowed] of [
    [{}, 'owner', true],
    [{ not_allowed_user_ids: ['owner'] }, 'owner', true],
    [{}, 'ann', false],
    [{ allowed_user_ids: ['ann'] }, 'ann', true],
    [{ allowed_user_ids: ['bob'] }, 'ann', false],
    [{ allow_all_users: true }, 'ann', true],
    [{ allow_all_users: true, not_allowed_user_ids: ['ann'] }, 'ann', false],
    [{ allowed_user_ids: ['ann'], not_allowed_user_ids: ['ann'] }, 'ann', false],
    [{ allow_all_users: false, allowed_user_ids: [] }, 'ann', false],
  ] as const) {
    await s.app.db.run(sql`update connected_accounts set acl = ${JSON.stringify(acl)}`)
    const { status, body } = await s.callTool({ connected_account_id: id, user_id: user })
    assert.deepEqual(
      [acl, user, status, body.error?.code],
      [acl, user, ...(allowed ? [200, undefined] : [403, 1822])],
    )
  }
})

test('account: a denied tool is 403 / 1823, another toolkit 400, an unknown tool or version 404 / 2401', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools })
  const config = await s.addAuthConfig(
    'API_KEY',
    {},
    { tool_access_config: { tools_available_for_execution: ['SHOP_LIST'] } },
  )
  const id = await keyed(s, '1', {}, config)
  assert.deepEqual(
    [(await s.callTool()).status, (await s.callTool({ connected_account_id: id })).body.error.code],
    [403, 1823],
  )
  assert.equal((await s.callTool({ arguments: {} }, 'shop_list')).body.successful, true)
  await s.app.db.run(sql`update connected_accounts set toolkit_slug = 'other'`)
  const other = await s.callTool({ connected_account_id: id, arguments: {} }, 'SHOP_LIST')
  assert.deepEqual(
    [other.status, other.body.error.code, other.body.error.errors],
    [400, 10400, ['Error in payload.connected_account_id: belongs to other, the tool to shop']],
  )
  for (const [slug, body] of [
    ['SHOP_FLY', {}],
    ['SHOP_LIST', { version: '20990101_00' }],
  ] as const) {
    const {
      status,
      body: { error },
    } = await s.callTool(body, slug)
    assert.deepEqual([status, error.code, error.slug], [404, 2401, 'Tool_ToolNotFound'])
  }
  assert.equal(s.stub.requests.length, 1)
})

test('account: a tool that needs no account runs without one, and with the account that the call names', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools })
  assert.deepEqual(
    [(await s.callTool({ user_id: 'nobody', arguments: {} }, 'SHOP_PING')).body.successful, usedKey(s)],
    [true, undefined],
  )
  const id = await keyed(s, '1')
  assert.deepEqual(
    [
      (await s.callTool({ connected_account_id: id, arguments: {} }, 'SHOP_PING')).body.successful,
      usedKey(s),
    ],
    [true, 'key-number-1'],
  )
})

test('account: connection data of the call overrides auth parameters, and both override accounts', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await keyed(s, '1')
  const custom_connection_data = {
    authScheme: 'api_key',
    toolkitSlug: 'SHOP',
    val: { api_key: 'key-of-the-data' },
  }
  const custom_auth_params = {
    parameters: [
      { name: 'X-Key', in: 'header', value: 'key-of-params' },
      { name: 'v', in: 'query', value: 2 },
      { name: 'deep', in: 'query', value: true },
    ],
  }
  await s.callTool({ custom_connection_data, custom_auth_params })
  assert.equal(usedKey(s), 'key-of-the-data')
  await s.callTool({ custom_auth_params })
  assert.deepEqual([usedKey(s), s.stub.requests.at(-1)?.url], ['key-of-params', '/orders/7?v=2&deep=true'])
  await s.callTool({ custom_auth_params: {} })
  assert.equal(usedKey(s), 'key-number-1')
  assert.deepEqual(
    (await s.executionRows()).map((row) => row['connected_account_id']),
    [null, null, id],
  )
  assert.equal(
    (await s.callTool({ user_id: 'nobody', custom_auth_params: { parameters: [], body: {} } })).body.error
      .code,
    1810,
  )
})

test('account: auth parameters can set a base URL and body fields; an invalid header is 400', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [sampleTool({ request: { method: 'POST', path: '/orders/{id}', body: { a: 1 } } })],
  })
  const reply = await s.callTool({
    custom_auth_params: { base_url: `${s.stub.url}/elsewhere/`, body: { key: 'k' } },
  })
  assert.equal(reply.body.successful, true)
  assert.deepEqual(
    [s.stub.requests[0]?.path, JSON.parse(s.stub.requests[0]?.body ?? '')],
    ['/elsewhere/orders/7', { a: 1, key: 'k' }],
  )
  for (const [name, value, at] of [
    ['bad name', 'x', 'name'],
    ['x-a', 'a\r\nx-b: c', 'value'],
    ['x-a', '☃', 'value'],
  ] as const) {
    const { status, body } = await s.callTool({
      custom_auth_params: { parameters: [{ name, in: 'header', value }] },
    })
    assert.equal(status, 400)
    assert.match(
      body.error.errors[0] ?? '',
      new RegExp(`^Error in payload\\.custom_auth_params\\.parameters\\.0\\.${at}: `),
    )
  }
  assert.equal(s.stub.requests.length, 1)
})

test('account: connection data of another toolkit, an unknown scheme, or without required values is 400', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [API_KEY, oauth(url)] })
  for (const [data, code] of [
    [{ authScheme: 'API_KEY', toolkitSlug: 'gmail', val: { generic_api_key: 'k' } }, 10400],
    [{ authScheme: 'BASIC', toolkitSlug: 'shop', val: {} }, 304],
    [{ authScheme: 'API_KEY', toolkitSlug: 'shop', val: {} }, 600],
    [{ authScheme: 'MAGIC', toolkitSlug: 'shop', val: {} }, 10400],
  ] as const) {
    const { status, body } = await s.callTool({ custom_connection_data: data })
    assert.deepEqual([data.toolkitSlug, status, body.error.code], [data.toolkitSlug, 400, code])
  }
  assert.equal(s.stub.requests.length, 0)
  assert.equal(
    (
      await s.callTool({
        custom_connection_data: {
          authScheme: 'BEARER_TOKEN',
          toolkitSlug: 'shop',
          val: { token: 'brought-along' },
        },
      })
    ).body.successful,
    true,
  )
  assert.equal(s.stub.requests[0]?.headers['authorization'], 'Bearer brought-along')
})

test('property: a named account is used only if ACTIVE, enabled, allowed the tool, and open to the user', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const id = await keyed(s, '1', {}, config)
  const users = fc.constantFrom('ann', 'bob', 'cid')
  const [allow_all_users, some] = [fc.boolean(), fc.uniqueArray(users)]
  const acl = fc.record(
    { allow_all_users, allowed_user_ids: some, not_allowed_user_ids: some },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        // Half of the cases are usable in every respect but one or none.
        status: fc.oneof(
          { weight: 3, arbitrary: fc.constant('ACTIVE') },
          fc.constantFrom(...ACCOUNT_STATUSES),
        ),
        enabled: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
        owner: users,
        caller: users,
        shared: fc.option(acl),
        allowed: fc.constantFrom([], ['SHOP_GET_ORDER'], ['SHOP_GET_ORDER', 'SHOP_OTHER'], ['SHOP_OTHER']),
        deleted: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
        byName: fc.boolean(),
      }),
      async ({ status, enabled, owner, caller, shared, allowed, deleted, byName }) => {
        await s.app.db.run(
          sql`update connected_accounts set status = ${status}, user_id = ${owner},
              account_type = ${shared ? 'SHARED' : 'PRIVATE'}, acl = ${shared && JSON.stringify(shared)},
              deleted_at = ${deleted ? new Date() : null}, connected_at = now() where id = ${id}`,
        )
        await s.app.db.run(
          sql`update auth_configs set status = ${enabled ? 'ENABLED' : 'DISABLED'},
              tools_available_for_execution = ${allowed} where id = ${config}`,
        )
        const before = s.stub.requests.length
        const { status: http, body } = await s.callTool({
          user_id: caller,
          ...(byName ? { connected_account_id: id } : {}),
        })
        const open =
          shared &&
          byName &&
          !shared.not_allowed_user_ids?.includes(caller) &&
          (shared.allow_all_users || shared.allowed_user_ids?.includes(caller))
        const may =
          !deleted &&
          status === 'ACTIVE' &&
          enabled &&
          (allowed.length === 0 || allowed.some((slug) => slug === 'SHOP_GET_ORDER')) &&
          (owner === caller || open)
        assert.equal(http === 200 && body.successful, Boolean(may))
        assert.equal(s.stub.requests.length - before, may ? 1 : 0)
      },
    ),
    { numRuns: 150 },
  )
})

test('account: a call with credentials of its own cannot name an account, too', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await keyed(s, '1')
  for (const more of [
    { custom_auth_params: { parameters: [{ name: 'x-key', in: 'header', value: 'k' }] } },
    { custom_connection_data: { authScheme: 'API_KEY', toolkitSlug: 'shop', val: { generic_api_key: 'k' } } },
  ]) {
    const { status, body } = await s.callTool({ connected_account_id: id, ...more } as never)
    assert.equal(status, 400)
    assert.match(
      body.error?.errors?.[0] ?? '',
      new RegExp(`^Error in payload.connected_account_id: cannot be combined with ${Object.keys(more)[0]}`),
    )
  }
  assert.deepEqual(s.stub.requests, [])
})
