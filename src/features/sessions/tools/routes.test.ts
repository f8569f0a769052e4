import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setConnectedAccountStatus } from '../../../contract/connected-accounts/index.ts'
import { updateAuthConfig } from '../../../contract/auth-configs/index.ts'
import { usageEntity } from '../../../contract/logs/index.ts'
import * as meta from '../../../contract/sessions/index.ts'
import * as work from '../../../contract/sessions/index.ts'
import { catalogFromSources } from '../../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { testApp } from '#fixtures/app.ts'
import { client } from '#fixtures/client.ts'
import { roundRobin } from '#fixtures/round-robin.ts'
import { upstream } from '#fixtures/upstream.ts'
import { connectedAccountHelpers } from '#fixtures/connected-accounts.ts'

type Body = Record<string, unknown>
const API_KEY = { scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }
const tool = (slug: string, more: Body = {}) => sampleTool({ slug, name: slug.toLowerCase(), ...more })

async function startSessionTools(t: TestContext) {
  const stub = await upstream(t, ({ path, headers }) =>
    path.endsWith('/large')
      ? { json: { items: Array.from({ length: 3_000 }, (_, n) => ({ n, name: `item ${n}` })) } }
      : path.endsWith('/boom')
        ? { status: 422, json: { message: 'boom' } }
        : { json: { id: path.split('/').at(-1), key: headers['x-key'] } },
  )
  const catalog = catalogFromSources([
    sampleSource({ base_url: stub.url, auth: [API_KEY] }, [
      tool('SHOP_GET_ORDER'),
      tool('SHOP_BUY', { effect: 'create', request: { method: 'POST', path: '/orders/{id}' } }),
      tool('SHOP_DROP', { effect: 'delete', request: { method: 'DELETE', path: '/orders/{id}' } }),
    ]),
    {
      ...sampleSource({ slug: 'mail', name: 'Mail', base_url: stub.url, auth: [API_KEY] }, [
        tool('MAIL_READ'),
      ]),
      slug: 'mail',
    },
    {
      ...sampleSource({ slug: 'free', name: 'Free', base_url: stub.url, auth: [{ scheme: 'NO_AUTH' }] }, [
        tool('FREE_READ'),
      ]),
      slug: 'free',
    },
  ])
  const main = await testApp(t, { catalog })
  const s = { ...main, ...connectedAccountHelpers(main, main.call) }
  // Of two servers each takes its turn.
  const call = client(
    roundRobin([main, await testApp(t, { sameDatabaseAs: main, catalog })]),
    { 'x-api-key': s.keys.projectApiKey },
    'v3.1',
  )
  const [first, second] = [await s.addAuthConfig('API_KEY'), await s.addAuthConfig('API_KEY')]
  const account = (config: string, key: string, connection: Body = {}) =>
    s.addAccount(config, 'API_KEY', { generic_api_key: key }, connection)
  const [older, newer] = [
    await account(first, 'key-older', { alias: 'old' }),
    await account(second, 'key-newer'),
  ]
  const shared = await account(first, 'key-shared', {
    user_id: 'u2',
    experimental: { account_type: 'SHARED', acl_config_for_shared: { allowed_user_ids: ['u1'] } },
  })
  const open = async (body: Body = {}) => {
    const reply = await call(work.createSession, { body: { user_id: 'u1', ...body } as never })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.session_id
  }
  const execute = (session_id: string, body: Body) =>
    call(work.executeInSession, {
      params: { session_id },
      body: { arguments: { id: '7' }, ...body } as never,
    })
  const keyOf = async (session: string, more: Body = {}) => {
    const { status, body } = await execute(session, { tool_slug: 'SHOP_GET_ORDER', ...more })
    return status === 200
      ? (body.data as Body)['key']
      : `${status} ${(body as any).error.slug} ${(body as any).error.message}`
  }
  return { open, first, older, shared, newer, keyOf, s, second, execute, call }
}

type SessionTools = Awaited<ReturnType<typeof startSessionTools>>

test('session tools: tools, toolkits, links and proxy requests over HTTP', async (t) => {
  const fixture = await startSessionTools(t)

  await t.test(
    "session tools: the account is the named one, else one of the configured auth config, else the user's latest",
    () => checkChosenAccount(fixture),
  )

  await t.test('session tools: a call returns the tool result, and a hidden tool is not found', () =>
    checkResults(fixture),
  )

  await t.test(
    'session tools: with offload, a large result is stored in the mount and its beginning is returned',
    () => checkOffload(fixture),
  )

  await t.test(
    'session tools: meta tools run through three endpoints, and their calls are logged under them',
    () => checkMetaTools(fixture),
  )

  await t.test(
    'session tools: lists contain meta tools and preloaded tools, and toolkits with their connections',
    () => checkLists(fixture),
  )

  await t.test(
    'session tools: a connect link uses the auth config of the project, for visible toolkits without a pinned account',
    () => checkConnectLink(fixture),
  )

  await t.test('session tools: a proxy request uses the account of the session', () => checkProxy(fixture))
})

async function checkChosenAccount({
  open,
  first,
  older,
  shared,
  newer,
  keyOf,
  s,
  second,
}: SessionTools): Promise<void> {
  const many = { multi_account: { enable: true, require_explicit_selection: true } }
  const strict = await open(many)
  for (const [session, more, expected] of [
    [await open(), {}, 'key-newer'],
    [await open({ auth_configs: { shop: first } }), {}, 'key-older'],
    [await open({ connected_accounts: { shop: older } }), {}, 'key-older'],
    [await open({ connected_accounts: { shop: [shared] } }), {}, 'key-shared'],
    [await open(), { account: 'old' }, 'key-older'],
    [await open(), { account: older }, 'key-older'],
    [strict, { account: newer }, 'key-newer'],
  ] as const)
    assert.equal(await keyOf(session, more), expected)
  assert.match(
    String(await keyOf(strict)),
    /^400 ToolRouterV2_AccountRequired Several accounts are connected for shop; pass "account" with one of: \S+, \S+ \(old\)$/,
  )
  assert.match(
    String(await keyOf(await open(), { account: shared })),
    /^400 ToolRouterV2_AccountRequired/,
    'a shared account only where the session names it',
  )
  assert.match(String(await keyOf(await open({ user_id: 'u3' }))), /^400 ToolRouterV2_NoActiveConnection/)
  const pinned = await open({ connected_accounts: { shop: older } })
  await s.call(setConnectedAccountStatus, { params: { nanoid: older }, body: { enabled: false } })
  assert.match(
    String(await keyOf(pinned)),
    /^400 ToolRouterV2_NoActiveConnection .* is INACTIVE, not ACTIVE/,
    'no other takes the place of what is named',
  )
  await s.call(setConnectedAccountStatus, { params: { nanoid: older }, body: { enabled: true } })
  await s.call(updateAuthConfig, {
    params: { nanoid: second },
    body: { type: 'custom', is_enabled_for_tool_router: false } as never,
  })
  assert.equal(await keyOf(await open()), 'key-older', 'an auth config that is not for sessions is not used')
  await s.call(updateAuthConfig, {
    params: { nanoid: second },
    body: { type: 'custom', is_enabled_for_tool_router: true } as never,
  })
}

async function checkResults({ open, execute, s }: SessionTools): Promise<void> {
  const session = await open({
    toolkits: { disable: ['mail'] },
    tools: { shop: { disable: ['SHOP_DROP'] } },
  })
  const fine = await execute(session, { tool_slug: 'free_read' })
  assert.deepEqual(
    [fine.status, fine.body.data, fine.body.error, fine.headers['x-should-retry']],
    [200, { id: '7' }, null, 'false'],
  )
  assert.match(fine.body.log_id, /^log_/)
  const failed = await execute(session, { tool_slug: 'SHOP_GET_ORDER', arguments: { id: 'boom' } })
  assert.deepEqual(
    [failed.status, typeof failed.body.data, Array.isArray(failed.body.data), typeof failed.body.error],
    [200, 'object', false, 'string'],
  )
  for (const [slug, status, error] of [
    ['SHOP_DROP', 404, 'Tool_ToolNotFound'],
    ['MAIL_READ', 404, 'Tool_ToolNotFound'],
    ['SHOP_NOTHING', 404, 'Tool_ToolNotFound'],
    ['LOCAL_THING', 400, 'ToolRouterV2_LocalTool'],
    ['SERVICE_REMOTE_WORKBENCH', 400, 'ToolRouterV2_MetaToolDisabled'],
  ] as const) {
    const reply = await execute(session, { tool_slug: slug })
    assert.deepEqual(
      [reply.status, (reply.body as any).error.slug, reply.headers['x-should-retry']],
      [status, error, 'false'],
      slug,
    )
  }
  const logged = (await s.executionRows()).filter(({ session_id: id }) => id === session)
  assert.deepEqual(logged.map(({ tool_slug: slug }) => slug).sort(), ['FREE_READ', 'SHOP_GET_ORDER'])
}

async function checkOffload({ execute, open, s }: SessionTools): Promise<void> {
  const large = async (body: Body, more: Body = {}) =>
    (await execute(await open(body), { tool_slug: 'FREE_READ', arguments: { id: 'large' }, ...more })).body
      .data as any
  const wants = { enable_auto_workbench_offload: true }
  const preview = await large({}, wants)
  assert.deepEqual(
    [
      preview._truncated,
      preview.items.length < 3_000,
      /^\/mnt\/files\/\.service\/output\/execute_\w+\.json$/.test(preview.remote_file_info.file_path),
    ],
    [true, true, true],
  )
  const { pathname, search } = new URL(preview.remote_file_info.url)
  assert.equal((await s.app.http.inject({ url: pathname + search })).json().items.length, 3_000)
  for (const whole of [
    await large({}),
    await large({ workbench: { enable: false } }, wants),
    await large({ workbench: { auto_offload_threshold: 1_000_000 } }, wants),
  ])
    assert.equal(whole.items.length, 3_000)
}

async function checkMetaTools({ open, execute, call, s }: SessionTools): Promise<void> {
  const session = await open({ search: { enable: false } })
  const batch = {
    tools: [
      { tool_slug: 'FREE_READ', arguments: { id: '1' } },
      { tool_slug: 'MAIL_READ', arguments: { id: '2' } },
    ],
    sync_response_to_workbench: false,
  }
  const both = [
    (await execute(session, { tool_slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch })).body,
    (
      await call(meta.executeMeta, {
        params: { session_id: session },
        body: { slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch },
      })
    ).body,
  ] as any[]
  for (const { data, error, log_id: parent } of both) {
    assert.deepEqual(
      [error, data.success_count, data.error_count, data.results[0].response.data],
      ['1 out of 2 tools failed', 1, 1, { id: '1' }],
    )
    assert.deepEqual(
      (await s.executionRows())
        .filter(({ parent_id: id }) => id === parent)
        .map(({ tool_slug: slug, session_id: id }) => [slug, id]),
      [['FREE_READ', session]],
    )
  }
  const hidden = await call(meta.executeMeta, {
    params: { session_id: session },
    body: { slug: 'SERVICE_SEARCH_TOOLS', arguments: {} },
  })
  assert.deepEqual([hidden.status, (hidden.body as any).error.slug], [400, 'ToolRouterV2_MetaToolDisabled'])
  const search = async (body: Body) =>
    call(meta.searchInSession, {
      params: { session_id: session },
      body: { queries: [{ use_case: 'get an order of the shop' }], ...body } as never,
    }) as Promise<{ status: number; body: any }>
  const found = (await search({})).body
  assert.deepEqual(
    [
      found.success,
      found.results[0].index,
      found.results[0].primary_tool_slugs.includes('SHOP_GET_ORDER'),
      found.tool_schemas.SHOP_GET_ORDER?.hasFullSchema,
    ],
    [true, 1, true, true],
  )
  const mail = { toolkits: ['mail'], queries: [{ use_case: 'read mail' }] }
  assert.deepEqual((await search(mail)).body.results[0].toolkits, ['mail'])
  assert.equal((await search({ toolkits: ['nowhere'] })).status, 400)
  assert.match(
    (
      await call(meta.executeMeta, {
        params: { session_id: session },
        body: { slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: { tools: 3 } },
      })
    ).body.error ?? '',
    /tools/,
    'bad arguments are an answer',
  )
  const usage = (
    await s.call(usageEntity, {
      params: { entity_type: 'sessions' },
      body: { filters: { session_id: [session] }, group_by: 'user_id' },
    })
  ).body
  assert.deepEqual([usage.total_quantity, usage.groups.map(({ key }) => key)], ['1', ['u1']])
}

async function checkLists({ call, open, newer, second }: SessionTools): Promise<void> {
  const names = async (body: Body, query: Body = {}) =>
    (
      await call(work.sessionTools, { params: { session_id: await open(body) }, query: query as never })
    ).body.items.map(({ slug }) => slug)
  const all = [
    'SERVICE_SEARCH_TOOLS',
    'SERVICE_GET_TOOL_SCHEMAS',
    'SERVICE_MULTI_EXECUTE_TOOL',
    'SERVICE_MANAGE_CONNECTIONS',
  ]
  assert.deepEqual(await names({}), all)
  assert.deepEqual(
    await names({
      manage_connections: { enable_wait_for_connections: true },
      search: { enable: false },
      preload: { tools: ['shop_get_order', 'FREE_READ'] },
    }),
    [
      'SERVICE_MULTI_EXECUTE_TOOL',
      'SERVICE_MANAGE_CONNECTIONS',
      'SERVICE_WAIT_FOR_CONNECTIONS',
      'FREE_READ',
      'SHOP_GET_ORDER',
    ],
  )
  const direct = {
    manage_connections: { enable: false },
    workbench: { enable: false },
    preload: { tools: 'all' },
    search: { enable: false },
    execute: { enable_multi_execute: false },
  }
  assert.deepEqual(
    await names({ ...direct, tags: ['readOnlyHint'], toolkits: { enable: ['shop', 'free'] } }),
    ['FREE_READ', 'SHOP_GET_ORDER'],
  )
  const session = await open({
    toolkits: { enable: ['shop', 'free'] },
    preload: { tools: ['SHOP_GET_ORDER'] },
  })
  const { items } = (
    await call(work.sessionTools, { params: { session_id: session }, query: { limit: 500 } })
  ).body
  for (const one of items)
    assert.deepEqual(
      [(one.input_parameters as Body)['type'], Array.isArray(one.tags), typeof one.toolkit.name],
      ['object', true, 'string'],
      one.slug,
    )
  assert.equal(items[0]?.toolkit.slug, 'service')
  const toolkits = async (query: Body) =>
    (await call(work.sessionToolkits, { params: { session_id: session }, query: query as never })).body.items
  const [free, shop] = (await toolkits({})).sort((a, b) => (a.slug < b.slug ? -1 : 1))
  assert.deepEqual([free?.is_no_auth, free?.connected_account, free?.enabled], [true, null, true])
  assert.deepEqual(
    [
      shop?.slug,
      shop?.connected_account?.id,
      shop?.connected_account?.status,
      shop?.connected_account?.auth_config,
    ],
    ['shop', newer, 'ACTIVE', { id: second, auth_scheme: 'API_KEY', is_service_managed: false }],
  )
  assert.deepEqual(
    (await toolkits({ is_connected: true })).map(({ slug }) => slug),
    ['shop'],
  )
  assert.deepEqual(
    (await toolkits({ toolkits: 'mail,shop' })).map(({ slug, enabled }) => [slug, enabled]),
    [
      ['shop', true],
      ['mail', false],
    ],
  )
  assert.deepEqual(
    (await toolkits({ search: 'Free' })).map(({ slug }) => slug),
    ['free'],
  )
}

async function checkConnectLink({ call, open, s, second, older }: SessionTools): Promise<void> {
  const link = async (session_id: string, body: Body) =>
    call(work.linkInSession, { params: { session_id }, body: body as never })
  const session = await open({
    toolkits: { enable: ['shop', 'free', 'mail'] },
    experimental: { link_url_overwrite: 'https://connect.acme.example/' },
  })
  const { status, body, headers } = await link(session, {
    toolkit: 'SHOP',
    alias: 'work',
    experimental: { account_type: 'SHARED', acl_config_for_shared: { allow_all_users: true } },
  })
  assert.deepEqual(
    [status, headers['x-should-retry'], body.redirect_url, body.experimental],
    [
      201,
      'false',
      `https://connect.acme.example/link/${body.link_token}`,
      { account_type: 'SHARED', acl_config_for_shared: { allow_all_users: true } },
    ],
  )
  const row = await s.accountRow(body.connected_account_id)
  assert.deepEqual(
    [row['user_id'], row['auth_config_id'], row['alias'], row['account_type']],
    ['u1', second, 'work', 'SHARED'],
  )
  for (const [at, request, code, slug] of [
    [session, { toolkit: 'free' }, 400, 'Auth_Config_NoAuthApp'],
    [session, { toolkit: 'mail' }, 404, 'ToolRouterV2_NoAuthConfig'],
    [session, { toolkit: 'nowhere' }, 404, 'Toolkit_ToolkitNotFound'],
    [await open({ toolkits: { enable: ['free'] } }), { toolkit: 'shop' }, 404, 'Toolkit_ToolkitNotFound'],
    [
      await open({ connected_accounts: { shop: older } }),
      { toolkit: 'shop' },
      400,
      'ToolRouterV2_AccountPinned',
    ],
    [
      session,
      { toolkit: 'shop', alias: 'work', experimental: { acl_config_for_shared: {} } },
      400,
      'ConnectedAccount_AclOnlyForShared',
    ],
    [session, { toolkit: 'shop', alias: 'work' }, 409, 'ConnectedAccount_AliasConflict'],
    [session, { toolkit: 'shop', speed: 1 }, 400, 'ToolRouterV2_InvalidConfig'],
  ] as const) {
    const reply = await link(at, request)
    assert.deepEqual([reply.status, (reply.body as any).error.slug], [code, slug], JSON.stringify(request))
  }
}

async function checkProxy({ call, open, older, s }: SessionTools): Promise<void> {
  const proxy = async (session_id: string, body: Body) =>
    call(work.proxyInSession, {
      params: { session_id },
      body: { endpoint: '/orders/9', method: 'GET', ...body } as never,
    })
  const session = await open({ connected_accounts: { shop: older }, toolkits: { disable: ['mail'] } })
  const { status, body } = await proxy(session, { toolkit_slug: 'shop' })
  assert.deepEqual([status, body.status, body.data], [200, 200, { id: '9', key: 'key-older' }])
  assert.deepEqual(
    (await proxy(session, { toolkit_slug: 'shop', endpoint: '/boom' })).body.status,
    422,
    'the application’s status is an answer',
  )
  assert.equal((await s.executionRows()).at(-1)?.session_id, session)
  for (const [request, code, slug] of [
    [{ toolkit_slug: 'mail' }, 404, 'Toolkit_ToolkitNotFound'],
    [{ toolkit_slug: 'free' }, 400, 'Auth_Config_NoAuthApp'],
    [{ toolkit_slug: 'shop', endpoint: 'https://elsewhere.example/x' }, 400, 'ActionProxy_OriginMismatch'],
    [
      {
        toolkit_slug: 'shop',
        custom_connection_data: { authScheme: 'API_KEY', toolkitSlug: 'mail', val: {} },
      },
      400,
      'ToolRouterV2_InvalidConfig',
    ],
  ] as const) {
    const reply = await proxy(session, request)
    assert.deepEqual([reply.status, (reply.body as any).error.slug], [code, slug], JSON.stringify(request))
  }
}
