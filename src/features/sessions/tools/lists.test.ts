import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as work from '../../../contract/sessions/index.ts'
import { startSessionTools, type SessionTools, type Body } from '#fixtures/session-tools.ts'

test('session tools: lists, links and proxy requests over HTTP', async (t) => {
  const fixture = await startSessionTools(t)
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
  await checkToolkits({ open, call, newer, second })
}

async function checkToolkits({
  open,
  call,
  newer,
  second,
}: Pick<SessionTools, 'open' | 'call' | 'newer' | 'second'>): Promise<void> {
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
    [session, { toolkit: 'shop', speed: 1 }, 400, 'HTTP_BadRequest'],
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
