import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import {
  createConnectedAccount,
  deleteConnectedAccount,
  listConnectedAccounts,
  readConnectedAccount,
  setConnectedAccountStatus,
  updateConnectedAccount,
} from '../../../contract/connected-accounts/index.ts'
import { executeTool } from '../../../contract/tools/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import {
  API_KEY,
  BASIC,
  BEARER,
  CLIENT,
  oauth,
  connectedAccountHelpers,
  type ConnectedAccountsApp,
  startConnectedAccountsApp,
} from '#fixtures/connected-accounts.ts'

const list = async (s: ConnectedAccountsApp, query: Record<string, unknown> = {}) =>
  (await s.call(listConnectedAccounts, { query: query as never })).body
const ids = async (s: ConnectedAccountsApp, query: Record<string, unknown> = {}) =>
  (await list(s, query)).items.map(({ id }) => id)

test('accounts: a list filters by any value of a parameter and by all parameters together', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY, BASIC] })
  const [keys, basics] = [await s.addAuthConfig('API_KEY'), await s.addAuthConfig('BASIC')]
  const a = await s.addAccount(keys, 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const b = await s.addAccount(keys, 'API_KEY', { generic_api_key: 'kkkkkkkk' }, { user_id: 'u2' })
  const c = await s.addAccount(basics, 'BASIC', { username: 'x', password: 'y' })
  const shared = await s.addAccount(
    keys,
    'API_KEY',
    { generic_api_key: 'kkkkkkkk' },
    { experimental: { account_type: 'SHARED' } },
  )
  await s.call(setConnectedAccountStatus, { params: { nanoid: b }, body: { enabled: false } })
  for (const [query, expected] of [
    [{}, [c, b, a]],
    [{ user_ids: ['u1'] }, [c, a]],
    [{ user_ids: ['u1', 'u2', 'nobody'] }, [c, b, a]],
    [{ toolkit_slugs: ['SHOP'] }, [c, b, a]],
    [{ toolkit_slugs: ['gmail'] }, []],
    [{ statuses: ['INACTIVE'] }, [b]],
    [{ statuses: ['INACTIVE', 'ACTIVE'] }, [c, b, a]],
    [{ auth_config_ids: [basics] }, [c]],
    [{ connected_account_ids: [a, b] }, [b, a]],
    [{ connected_account_ids: [a, b], user_ids: ['u2'] }, [b]],
    [{ connected_account_ids: [shared] }, []],
    [{ account_type: 'SHARED' }, [shared]],
    [{ account_type: 'ALL' }, [shared, c, b, a]],
    [{ order_direction: 'asc' }, [a, b, c]],
    [{ order_by: 'updated_at' }, [b, c, a]],
    [{ order_by: 'updated_at', order_direction: 'asc' }, [a, c, b]],
  ] as const)
    assert.deepEqual([query, await ids(s, query)], [query, expected])
  assert.equal((await s.call(listConnectedAccounts, { query: { statuses: ['GONE'] } as never })).status, 400)
})

test('accounts: the pages of a list have each account once', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const made: string[] = []
  for (let i = 0; i < 5; i++)
    made.unshift(await s.addAccount(config, 'API_KEY', { generic_api_key: 'kkkkkkkk' }))
  const seen: string[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null && pages < 9; pages++) {
    const page = await list(s, { limit: 2, ...(cursor ? { cursor } : {}) })
    assert.deepEqual([page.total_items, page.total_pages], [5, 3])
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  }
  assert.deepEqual(seen, made)
})

test('accounts: a read has all fields of the list item and params; v3.1 adds the requested scopes', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: (url) => [oauth(url, { scopes: { default: ['read', 'write'] } })],
    toolkit: { identity: { path: '/me' } },
  })
  const id = await s.addAccount(
    await s.addAuthConfig('OAUTH2', CLIENT),
    'OAUTH2',
    { status: 'ACTIVE', access_token: 'abcdefgh' },
    { alias: 'work' },
  )
  const item = (await list(s)).items[0]
  const { params, ...rest } = await s.readAccount(id)
  assert.deepEqual(rest, item)
  assert.deepEqual(params, { base_url: s.stub.url, headers: { authorization: 'Bear...' }, queryParams: {} })
  assert.deepEqual(
    [
      rest.test_request_endpoint,
      rest.alias,
      rest.toolkit,
      rest.auth_config.is_service_managed,
      rest.auth_config.auth_scheme,
      rest.is_disabled,
    ],
    [`${s.stub.url}/me`, 'work', { slug: 'shop' }, false, 'OAUTH2', false],
  )
  assert.match(String(rest.word_id), /^shop_[a-z]+-[a-z]+$/)
  assert.deepEqual(rest.deprecated, { labels: [], uuid: (await s.accountRow(id))['uuid'] })
  const newer = (
    await s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')(readConnectedAccount, {
      params: { nanoid: id },
    })
  ).body
  assert.deepEqual([newer.requested_scopes, newer.requested_user_scopes], [['read', 'write'], []])
})

test('accounts: every operation treats an account of another project like a missing one', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const stranger = await s.otherProject()
  const before = await s.accountRow(id)
  const ask = async (nanoid: string) => {
    const replies = [
      await stranger(readConnectedAccount, { params: { nanoid } }),
      await stranger(updateConnectedAccount, { params: { nanoid }, body: { alias: 'mine' } }),
      await stranger(setConnectedAccountStatus, { params: { nanoid }, body: { enabled: false } }),
      await stranger(deleteConnectedAccount, { params: { nanoid } }),
      await stranger(executeTool, {
        params: { tool_slug: 'SHOP_GET_ORDER' },
        body: { user_id: 'u1', connected_account_id: nanoid, arguments: { id: '1' } },
      }),
    ]
    return replies.map(({ status, body: { error } }) => [
      status,
      JSON.parse(JSON.stringify({ ...(error as object), request_id: null }).replaceAll(nanoid, 'ID')),
    ])
  }
  const theirs = await ask(id)
  assert.deepEqual(theirs, await ask('ca_000000000000'))
  assert.deepEqual(
    theirs.map(([status, error]) => [status, error.code]),
    Array.from({ length: 5 }, () => [404, 606]),
  )
  assert.deepEqual(
    (await stranger(listConnectedAccounts, { query: { connected_account_ids: [id], account_type: 'ALL' } }))
      .body.items,
    [],
  )
  assert.deepEqual(await s.accountRow(id), before)
  assert.equal(s.stub.requests.length, 0)
})

const update = (s: ConnectedAccountsApp, id: string, body: Record<string, unknown>) =>
  s.call(updateConnectedAccount, { params: { nanoid: id }, body: body as never })
const write = (s: ConnectedAccountsApp, id: string, authScheme: string, val: Record<string, unknown>) =>
  update(s, id, { connection: { state: { authScheme, val } } })

test('accounts: an update merges fields, null removes a field, and a masked value changes nothing', async (t) => {
  const fields = [{ name: 'region', display_name: 'Region', description: 'Where.', required: false }]
  const s = await startConnectedAccountsApp(t, {
    auth: [
      {
        ...API_KEY,
        apply: { headers: { 'x-key': '{generic_api_key}', 'x-region': '{region?}' } },
        fields: { connected_account_initiation: fields },
      },
    ],
  })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'first-key-1',
    region: 'eu',
  })
  const sent = async () => {
    await s.callTool()
    const { headers } = s.stub.requests.at(-1)!
    return [headers['x-key'], headers['x-region']]
  }
  assert.deepEqual((await write(s, id, 'api_key', { region: 'us' })).body, {
    success: true,
    id,
    status: 'ACTIVE',
  })
  assert.deepEqual(await sent(), ['first-key-1', 'us'])
  await write(s, id, 'API_KEY', { generic_api_key: 'second-key-1' })
  assert.deepEqual(await sent(), ['second-key-1', 'us'])
  const { credentials_version: version } = await s.accountRow(id)
  for (const mask of ['seco...', 'REDACTED']) await write(s, id, 'API_KEY', { generic_api_key: mask })
  assert.deepEqual(await sent(), ['second-key-1', 'us'])
  assert.equal((await s.accountRow(id))['credentials_version'], version)
  await write(s, id, 'API_KEY', { generic_api_key: 'seco...', region: null })
  assert.deepEqual(await sent(), ['second-key-1', undefined])
  await write(s, id, 'API_KEY', { api_key: 'third-key-1' })
  assert.deepEqual(await sent(), ['third-key-1', undefined])
  const rejected = await write(s, id, 'API_KEY', { generic_api_key: null })
  assert.deepEqual([rejected.status, rejected.body.error.code], [400, 305])
  assert.deepEqual(await sent(), ['third-key-1', undefined])
})

test('accounts: an update rejects credentials of another scheme, and tokens that a provider issues', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: (url) => [API_KEY, oauth(url)] })
  const key = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const tokens = await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'aaaaaaaa',
  })
  for (const [id, scheme, code] of [
    [key, 'BASIC', 10400],
    [tokens, 'OAUTH2', 600],
  ] as const) {
    const before = await s.accountRow(id)
    const { status, body } = await write(s, id, scheme, { generic_api_key: 'other', access_token: 'other' })
    assert.deepEqual([status, body.error.code], [400, code])
    assert.deepEqual(await s.accountRow(id), before)
  }
})

test('accounts: an update sets an alias, rejects a used one, and clears it with an empty string', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const a = await s.addAccount(config, 'API_KEY', { generic_api_key: 'kkkkkkkk' }, { alias: 'one' })
  const b = await s.addAccount(config, 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const result = await update(s, b, { alias: 'one' })
  assert.deepEqual([result.status, result.body.error.code], [409, 601])
  assert.equal((await update(s, b, { alias: 'two' })).status, 200)
  assert.equal((await s.readAccount(b)).alias, 'two')
  assert.equal((await update(s, a, {})).status, 200)
  assert.equal((await s.readAccount(a)).alias, 'one')
  await update(s, a, { alias: '' })
  assert.equal((await s.readAccount(a)).alias, null)
  assert.equal((await update(s, b, { alias: 'one' })).status, 200)
})

test('accounts: an update merges the ACL, and rejects one on a PRIVATE account', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const rejected = await update(s, id, { experimental: { acl_config_for_shared: { allow_all_users: true } } })
  assert.deepEqual([rejected.status, rejected.body.error.code], [400, 602])
  await update(s, id, {
    experimental: {
      account_type: 'SHARED',
      acl_config_for_shared: { allowed_user_ids: ['a'], not_allowed_user_ids: ['b'] },
    },
  })
  await update(s, id, {
    experimental: { acl_config_for_shared: { allow_all_users: true, allowed_user_ids: [] } },
  })
  assert.deepEqual((await s.accountRow(id))['acl'], {
    allow_all_users: true,
    allowed_user_ids: [],
    not_allowed_user_ids: ['b'],
  })
  await update(s, id, { experimental: { account_type: 'PRIVATE' } })
  assert.deepEqual(
    [(await s.accountRow(id))['account_type'], (await s.accountRow(id))['acl']],
    ['PRIVATE', null],
  )
})

test('accounts: new credentials reactivate an EXPIRED account, without failures; a disabled one stays', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [BEARER] })
  const id = await s.addAccount(await s.addAuthConfig('BEARER_TOKEN'), 'BEARER_TOKEN', {
    token: 'old-token-1',
  })
  await s.app.db.run(
    sql`update connected_accounts set status = 'EXPIRED', status_reason = 'dead', auth_failures = 3,
        token_expires_at = now() - interval '1 day', refresh_lease = 'x',
        refresh_lease_until = now() + interval '1 day'`,
  )
  assert.equal((await write(s, id, 'BEARER_TOKEN', { token: 'old-...' })).body.status, 'EXPIRED')
  assert.equal((await write(s, id, 'BEARER_TOKEN', { token: 'new-token-1' })).body.status, 'ACTIVE')
  const row = await s.accountRow(id)
  assert.deepEqual(
    [
      row['status'],
      row['status_reason'],
      row['auth_failures'],
      row['token_expires_at'],
      row['refresh_lease'],
      row['refresh_lease_until'],
    ],
    ['ACTIVE', null, 0, null, null, null],
  )
  assert.equal((await s.callTool()).body.successful, true)
  await s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled: false } })
  assert.equal((await write(s, id, 'BEARER_TOKEN', { token: 'newer-token-1' })).body.status, 'INACTIVE')
})

test('accounts: an account can be disabled and enabled with a reason, but not in other statuses', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const id = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const set = (enabled: boolean) =>
    s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled } })
  for (const [enabled, status] of [
    [false, 'INACTIVE'],
    [false, 'INACTIVE'],
    [true, 'ACTIVE'],
    [true, 'ACTIVE'],
  ] as const) {
    assert.deepEqual((await set(enabled)).body, { success: true })
    const presented = await s.readAccount(id)
    assert.deepEqual(
      [presented.status, presented.status_reason, presented.state.val],
      [status, 'Changed by the user.', { status, generic_api_key: 'kkkk...' }],
    )
    assert.equal((await s.callTool()).status, enabled ? 200 : 422)
    assert.equal(
      (await s.callTool({ connected_account_id: id })).body.error?.code,
      enabled ? undefined : 1821,
    )
  }
  for (const status of ['INITIALIZING', 'INITIATED', 'FAILED', 'EXPIRED', 'REVOKED']) {
    await s.app.db.run(sql`update connected_accounts set status = ${status}`)
    for (const enabled of [true, false]) {
      const { status: http, body } = await set(enabled)
      assert.deepEqual([status, http, body.error.code], [status, 400, 600])
      const nextStep = status.startsWith('INIT')
        ? 'Wait until the user has finished connecting'
        : `Reconnect it with POST /connected_accounts/${id}/refresh`
      assert.ok(body.error.suggested_fix.startsWith(nextStep), body.error.suggested_fix)
    }
    assert.equal((await s.accountRow(id))['status'], status)
  }
})

test('accounts: a deleted account is not found by any operation; its row stays without credentials', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const id = await s.addAccount(config, 'API_KEY', { generic_api_key: 'kkkkkkkk' }, { alias: 'work' })
  const { credentials: before } = await s.accountRow(id)
  assert.deepEqual((await s.call(deleteConnectedAccount, { params: { nanoid: id } })).body, { success: true })
  const params = { nanoid: id }
  for (const reply of [
    await s.call(readConnectedAccount, { params }),
    await s.call(deleteConnectedAccount, { params }),
    await s.call(setConnectedAccountStatus, { params, body: { enabled: true } }),
    await update(s, id, { alias: 'x' }),
    await write(s, id, 'API_KEY', { generic_api_key: 'again-12' }),
    await s.callTool({ connected_account_id: id }),
  ])
    assert.deepEqual([reply.status, reply.body.error.code], [404, 606])
  assert.deepEqual([(await s.callTool()).body.error.code, await ids(s, { account_type: 'ALL' })], [1810, []])
  const row = await s.accountRow(id)
  assert.ok(row['deleted_at'] instanceof Date)
  assert.ok((row['credentials'] as Buffer).length < (before as Buffer).length)
  assert.equal(s.stub.requests.length, 0)
  assert.equal(
    (await s.connect(config, { user_id: 'u1', alias: 'work', data: { generic_api_key: 'kkkkkkkk' } })).status,
    201,
  )
})

test('accounts: accounts of a disabled auth config report is_disabled', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const id = await s.addAccount(config, 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  await s.call(setAuthConfigStatus, { params: { nanoid: config, status: 'DISABLED' } })
  const presented = await s.readAccount(id)
  assert.deepEqual(
    [presented.is_disabled, presented.auth_config.is_disabled, presented.status],
    [true, true, 'ACTIVE'],
  )
})

test('accounts: an account cannot be created with the auth config of another project', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const stranger = await s.otherProject()
  const theirs = await connectedAccountHelpers(s, stranger).addAuthConfig('API_KEY')
  const { status, body } = await s.call(createConnectedAccount, {
    body: { auth_config: { id: theirs }, connection: { data: { generic_api_key: 'kkkkkkkk' } } },
  })
  assert.deepEqual([status, body.error.code], [404, 302])
})
