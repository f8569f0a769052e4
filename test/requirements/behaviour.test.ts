import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type ConnectedAccountsApp, requestsTo } from '#fixtures/connected-accounts.ts'
import { type Call, requestsOf, type Send, startSampleApp } from './sample-app.ts'

interface Stage {
  s: ConnectedAccountsApp
  send: Send
  call: Call
  /** An auth config with an API key. */
  authConfig: string
  /** An ACTIVE account of user-1. */
  account: string
}

test('requirements: rules of the specification that no other test checks', async (t) => {
  const s = await startSampleApp(t)
  const authConfig = await s.addAuthConfig('API_KEY')
  const account = await s.addAccount(authConfig, 'API_KEY', { generic_api_key: 'k' }, { user_id: 'user-1' })
  const stage: Stage = { s, ...requestsOf(s), authConfig, account }

  await t.test('versions: every version in a response has the form YYYYMMDD_NN', () => checkVersions(stage))
  await t.test('execute: entity_id is read as user_id, and user_id has priority', () => checkEntityId(stage))
  await t.test('execute: without a version the first version of v3 runs, and the newest of v3.1', () =>
    checkDefaultVersion(stage),
  )
  await t.test('execute: allow_tracing is accepted, null included, and changes nothing', () =>
    checkAllowTracing(stage),
  )
  await t.test('MCP servers: the id of a server is a UUID', () => checkServerId(stage))
  await t.test(
    'MCP servers: names have 4 to 30 letters, digits, spaces and hyphens, at creation and update',
    () => checkServerNames(stage),
  )
  await t.test(
    'MCP servers: lists are sorted by updated_at, newest first, with ten servers a page from page 1',
    () => checkServerList(stage),
  )
  await t.test('sessions: tags as a list are the enabled tags', () => checkTagList(stage))
  await t.test('sessions: the MCP URL is that of the called version, on the origin of the API', () =>
    checkSessionUrl(stage),
  )
  await t.test('sessions: connected_accounts is a text a toolkit in v3 and a list in v3.1', () =>
    checkSessionAccounts(stage),
  )
  await t.test('files: toolkit_slug and tool_slug filter the list, and pages follow each other', () =>
    checkFileList(stage),
  )
  await t.test('webhook subscriptions: an update without a field is rejected', () => checkEmptyUpdate(stage))
  await t.test('migration: the legacy id of an account, an auth config and a trigger is converted', () =>
    checkLegacyIds(stage),
  )
  await t.test('unknown fields: v3 ignores them, and session routes of v3.1 reject them by name', () =>
    checkUnknownFields(stage),
  )
  await t.test('deprecated fields: both versions have the deprecated objects', () =>
    checkDeprecatedObjects(stage),
  )
  await t.test('delete: an account that was deleted cannot be used for a call', () =>
    checkDeletedAccount(stage),
  )
  await t.test(
    'delete: an account and a webhook subscription return success true, and a second time 404',
    () => checkDeletions(stage),
  )
})

const execute = ({ send }: Stage, body: object, version: 'v3' | 'v3.1' = 'v3') =>
  send('POST', '/tools/execute/SHOP_GET_ORDER', { arguments: { id: '7' }, ...body }, { version })

async function checkVersions({ call }: Stage): Promise<void> {
  const [tool, toolkit, trigger] = [
    await call('GET', '/tools/SHOP_GET_ORDER'),
    await call('GET', '/toolkits/shop'),
    await call('GET', '/triggers_types/SHOP_NEW_ORDER'),
  ]
  const versions = [
    tool.version,
    ...tool.available_versions,
    tool.deprecated.version,
    toolkit.meta.version,
    ...toolkit.meta.available_versions,
    trigger.version,
  ]
  assert.ok(versions.length >= 8)
  for (const version of versions) assert.match(version, /^\d{8}_\d{2}$/)
}

async function checkEntityId(stage: Stage): Promise<void> {
  assert.equal((await execute(stage, { entity_id: 'user-1' })).body.successful, true)
  const { status, body } = await execute(stage, { entity_id: 'user-1', user_id: 'user-2' })
  assert.deepEqual([status, body.error.message.includes('user-2')], [404, true])
}

async function checkDefaultVersion(stage: Stage): Promise<void> {
  const count = (path: string) => requestsTo(stage.s, path).length
  const before = [count('/first/7'), count('/orders/7')]
  for (const version of ['v3', 'v3.1'] as const)
    assert.equal((await execute(stage, { user_id: 'user-1' }, version)).body.successful, true)
  assert.deepEqual([count('/first/7'), count('/orders/7')], [before[0]! + 1, before[1]! + 1])
}

async function checkAllowTracing(stage: Stage): Promise<void> {
  const plain = (await execute(stage, { user_id: 'user-1' })).body
  for (const allow_tracing of [true, false, null]) {
    const { status, body } = await execute(stage, { user_id: 'user-1', allow_tracing })
    assert.deepEqual([status, { ...body, log_id: '' }], [200, { ...plain, log_id: '' }])
  }
}

const createServer = ({ send, authConfig }: Stage, name: string) =>
  send('POST', '/mcp/servers/custom', { name, auth_config_ids: [authConfig] })

async function checkServerId(stage: Stage): Promise<void> {
  const { status, body } = await createServer(stage, 'Orders')
  assert.equal(status, 201)
  assert.match(body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
}

async function checkServerNames(stage: Stage): Promise<void> {
  const { id } = (await createServer(stage, 'Names')).body
  const rename = (name: string) => stage.send('PATCH', `/mcp/${id}`, { name })
  for (const name of ['abcd', 'a'.repeat(30), 'Orders 2 - eu'])
    assert.deepEqual(
      [(await createServer(stage, name)).status, (await rename(name)).status],
      [201, 200],
      name,
    )
  for (const name of ['abc', 'a'.repeat(31), 'orders_eu', 'orders!', 'Büro'])
    assert.deepEqual(
      [(await createServer(stage, name)).status, (await rename(name)).status],
      [400, 400],
      name,
    )
}

async function checkServerList(stage: Stage): Promise<void> {
  const ids: string[] = []
  for (let number = 1; number <= 12; number++)
    ids.push((await createServer(stage, `Server ${number}`)).body.id)
  const first = ids[0] as string
  await stage.call('PATCH', `/mcp/${first}`, { name: 'Changed last' })
  const list = async (query: string) => stage.call('GET', `/mcp/servers?name=server${query}`)
  const newest = await stage.call('GET', '/mcp/servers')
  assert.deepEqual(
    [newest.items.length, newest.current_page, newest.items[0].id],
    [10, 1, first],
    'ten items, page 1, the last change first',
  )
  const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name)
  assert.deepEqual(names(await list('&limit=2')), ['Server 12', 'Server 11'])
  assert.deepEqual(names(await list('&limit=2&page_no=2')), ['Server 10', 'Server 9'])
  assert.deepEqual(names(await list('&limit=2&order_direction=asc')), ['Server 2', 'Server 3'])
}

const session = ({ call }: Stage, body: object, version: 'v3' | 'v3.1' = 'v3') =>
  call('POST', '/tool_router/session', { user_id: 'user-1', ...body }, { version })

async function checkTagList(stage: Stage): Promise<void> {
  const { config } = await session(stage, { tags: ['readOnlyHint'] })
  assert.deepEqual(config.tags, (await session(stage, { tags: { enable: ['readOnlyHint'] } })).config.tags)
  assert.deepEqual(config.tags.enabled, ['readOnlyHint'])
}

async function checkSessionUrl(stage: Stage): Promise<void> {
  const origin = 'http://localhost:3900'
  for (const [version, path] of [
    ['v3', 'tool_router/v3/'],
    ['v3.1', 'tool_router/'],
  ] as const) {
    const { session_id: id, mcp } = await session(stage, {}, version)
    assert.deepEqual(mcp.url, `${origin}/${path}${id}/mcp`)
    for (const url of [`/tool_router/v3/${id}/mcp`, `/tool_router/${id}/mcp`]) {
      const reply = await stage.s.app.http.inject({
        method: 'POST',
        url,
        headers: {
          'x-api-key': stage.s.keys.projectApiKey,
          accept: 'application/json, text/event-stream',
        },
        payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
      })
      assert.equal(reply.statusCode, 200, `${url}: ${reply.body}`)
    }
  }
}

async function checkSessionAccounts(stage: Stage): Promise<void> {
  const { account } = stage
  const older = await session(stage, { connected_accounts: { shop: account } })
  assert.deepEqual(older.config.connected_accounts, { shop: account })
  const newer = await session(stage, { connected_accounts: { shop: [account] } }, 'v3.1')
  assert.deepEqual(newer.config.connected_accounts, { shop: [account] })
}

async function upload({ s, call }: Stage, toolkit_slug: string, tool_slug: string, content: string) {
  const { new_presigned_url: url } = await call('POST', '/files/upload/request', {
    toolkit_slug,
    tool_slug,
    filename: 'a.txt',
    mimetype: 'text/plain',
    md5: createHash('md5').update(content).digest('hex'),
  })
  const { pathname, search } = new URL(url)
  const headers = { 'content-type': 'text/plain' }
  const reply = await s.app.http.inject({ method: 'PUT', url: pathname + search, headers, payload: content })
  assert.ok(reply.statusCode < 300, reply.body)
}

async function checkFileList(stage: Stage): Promise<void> {
  await upload(stage, 'shop', 'SHOP_GET_ORDER', 'a')
  await upload(stage, 'shop', 'SHOP_LIST_ORDERS', 'b')
  await upload(stage, 'mail', 'MAIL_SEND', 'c')
  const page = async (query: string) => stage.call('GET', `/files/list?${query}`)
  const tools = async (query: string) =>
    (await page(query)).items.map(({ tool_slug: slug }: { tool_slug: string }) => slug).sort()
  assert.deepEqual(await tools(''), ['MAIL_SEND', 'SHOP_GET_ORDER', 'SHOP_LIST_ORDERS'])
  assert.deepEqual(await tools('toolkit_slug=shop'), ['SHOP_GET_ORDER', 'SHOP_LIST_ORDERS'])
  assert.deepEqual(await tools('tool_slug=MAIL_SEND'), ['MAIL_SEND'])
  assert.deepEqual(await tools('toolkit_slug=mail&tool_slug=SHOP_GET_ORDER'), [])
  const first = await page('limit=2')
  const second = await page(`limit=2&cursor=${first.next_cursor}`)
  assert.deepEqual([first.items.length, second.items.length, second.total_items], [2, 1, 3])
  assert.equal(second.next_cursor, null)
}

const subscribe = ({ call }: Stage, host: string) =>
  call('POST', '/webhook_subscriptions', {
    webhook_url: `https://${host}.example/events`,
    enabled_events: ['service.trigger.message'],
  })

async function checkEmptyUpdate(stage: Stage): Promise<void> {
  const { id } = await subscribe(stage, 'updates')
  const before = await stage.call('GET', `/webhook_subscriptions/${id}`)
  const { status, body } = await stage.send('PATCH', `/webhook_subscriptions/${id}`, {})
  assert.deepEqual([status, body.error.status], [400, 400])
  assert.deepEqual(await stage.call('GET', `/webhook_subscriptions/${id}`), before)
}

async function checkLegacyIds(stage: Stage): Promise<void> {
  const { call, account, authConfig } = stage
  const trigger = await call('POST', '/trigger_instances/SHOP_NEW_ORDER/upsert', {
    connected_account_id: account,
  })
  const uuids = [
    ['CONNECTED_ACCOUNT', (await call('GET', `/connected_accounts/${account}`)).deprecated.uuid, account],
    ['AUTH_CONFIG', (await call('GET', `/auth_configs/${authConfig}`)).uuid, authConfig],
    ['TRIGGER_INSTANCE', trigger.deprecated.uuid, trigger.trigger_id],
  ]
  for (const [type, uuid, id] of uuids)
    assert.deepEqual(
      await call('GET', `/migration/get-nanoid?uuid=${uuid}&type=${type}`),
      { nanoid: id },
      type,
    )
}

async function checkUnknownFields(stage: Stage): Promise<void> {
  const { send } = stage
  const body = { user_id: 'user-1', no_such_field: 1 }
  assert.equal((await send('POST', '/tool_router/session', body)).status, 201)
  const rejected = await send('POST', '/tool_router/session', body, { version: 'v3.1' })
  assert.equal(rejected.status, 400)
  assert.match(JSON.stringify(rejected.body.error), /no_such_field/)
  assert.equal((await send('PATCH', '/org/project/config', { no_such_field: 1 })).status, 200)
}

async function checkDeprecatedObjects({ call, account, authConfig }: Stage): Promise<void> {
  for (const version of ['v3', 'v3.1'] as const) {
    const read = (path: string) => call('GET', path, undefined, { version })
    assert.ok((await read('/tools/SHOP_GET_ORDER')).deprecated, version)
    assert.ok((await read('/toolkits/shop')).deprecated, version)
    assert.ok((await read(`/connected_accounts/${account}`)).deprecated, version)
    assert.ok((await read(`/auth_configs/${authConfig}`)).deprecated_params, version)
  }
}

async function checkDeletedAccount(stage: Stage): Promise<void> {
  const user_id = 'user-3'
  const id = await stage.s.addAccount(stage.authConfig, 'API_KEY', { generic_api_key: 'k' }, { user_id })
  assert.equal((await execute(stage, { user_id })).body.successful, true)
  await stage.call('DELETE', `/connected_accounts/${id}`)
  const sent = stage.s.stub.requests.length
  const replies = [
    await execute(stage, { user_id }),
    await execute(stage, { user_id, connected_account_id: id }),
  ]
  assert.deepEqual(
    replies.map(({ status }) => status),
    [404, 404],
  )
  assert.equal(stage.s.stub.requests.length, sent, 'nothing was sent')
}

async function checkDeletions(stage: Stage): Promise<void> {
  const { id } = await subscribe(stage, 'deletions')
  for (const path of [`/connected_accounts/${stage.account}`, `/webhook_subscriptions/${id}`]) {
    assert.deepEqual((await stage.send('DELETE', path)).body, { success: true }, path)
    const statuses = [(await stage.send('DELETE', path)).status, (await stage.send('GET', path)).status]
    assert.deepEqual(statuses, [404, 404], path)
  }
}
