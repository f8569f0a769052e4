import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { createConnectedAccount, listConnectedAccounts } from '../../contract/connected-accounts/index.ts'
import * as mcp from '../../contract/mcp-servers/index.ts'
import { exampleCatalog } from '#fixtures/auth-configs.ts'

async function startMcpServers(t: TestContext) {
  const { app, call, otherProject, as, keys } = await testApp(t, { catalog: exampleCatalog() })
  const config = async (slug: string, by = call) =>
    (
      await by(createAuthConfig, {
        body: {
          toolkit: { slug },
          auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} },
        },
      })
    ).body.auth_config.id
  const [shop, mail] = [await config('shop'), await config('mail')]
  const account = async (id: string, user_id: string) =>
    (
      await call(createConnectedAccount, {
        body: {
          auth_config: { id },
          connection: {
            user_id,
            state: { authScheme: 'API_KEY', val: { generic_api_key: 'k-1234567', subdomain: 'mine' } },
          },
        } as never,
      })
    ).body.id
  const create = async (body: Record<string, unknown>) =>
    call(mcp.createMcpServer, { body: { name: 'Shop helper', auth_config_ids: [shop], ...body } as never })
  const missing = '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55'
  const made = (await create({ no_auth_apps: ['free'], allowed_tools: ['shop_get_order'] })).body
  return { made, shop, call, create, config, otherProject, mail, account, missing, app, keys, as }
}

type McpServers = Awaited<ReturnType<typeof startMcpServers>>

test('MCP servers: servers, instances and URLs over HTTP', async (t) => {
  const fixture = await startMcpServers(t)

  await t.test('MCP servers: a server has the specified fields and the toolkits of its auth configs', () =>
    checkFields(fixture),
  )

  await t.test(
    'MCP servers: creating a custom server returns six fields, and a server with only tools gets their toolkits',
    () => checkCustomServer(fixture),
  )

  await t.test('MCP servers: unknown toolkits, tools and auth configs are rejected', () =>
    checkUnknownNames(fixture),
  )

  await t.test('MCP servers: a list has numbered pages, filters and a sort order', () => checkList(fixture))

  await t.test('MCP servers: an update changes only the fields in the request, and replaces lists', () =>
    checkUpdate(fixture),
  )

  await t.test(
    'MCP servers: an instance needs an account for every auth config, and deleting it deletes these accounts',
    () => checkInstances(fixture),
  )

  await t.test('MCP servers: one URL is generated for each account and each user', () => checkUrls(fixture))

  await t.test('MCP servers: an unknown, deleted, malformed or foreign id gets the same 404 everywhere', () =>
    checkUnknownIds(fixture),
  )
})

async function checkFields({ made, shop, call }: McpServers): Promise<void> {
  const url = `http://localhost:3900/v3/mcp/${made.id}`
  const { updated_at, created_at, commands, ...rest } = made
  assert.deepEqual(rest, {
    id: made.id,
    name: 'Shop helper',
    auth_config_ids: [shop],
    allowed_tools: ['SHOP_GET_ORDER'],
    mcp_url: url,
    toolkits: ['free', 'shop'],
    toolkit_icons: {
      free: 'http://localhost:3900/logos/free.svg',
      shop: 'http://localhost:3900/logos/shop.svg',
    },
    server_instance_count: 0,
    managed_auth_via_service: true,
  })
  assert.deepEqual(
    [Date.parse(updated_at) > 0, Date.parse(created_at) > 0, Object.keys(commands)],
    [true, true, ['cursor', 'claude', 'windsurf']],
  )
  // The user signs in with OAuth, so that a command works without a key and a user id.
  for (const command of Object.values(commands)) {
    assert.ok(command.includes(`"${url}"`))
    assert.ok(!command.includes('$'), command)
  }
  assert.deepEqual((await call(mcp.readMcpServer, { params: { id: made.id } })).body, {
    ...made,
    deleted: false,
  })
}

async function checkCustomServer({ call }: McpServers): Promise<void> {
  const { status, body } = await call(mcp.createCustomMcpServer, {
    body: { name: 'Mail reader', custom_tools: ['MAIL_READ'] },
  })
  assert.deepEqual(
    [status, Object.keys(body)],
    [201, ['id', 'name', 'auth_config_ids', 'allowed_tools', 'mcp_url', 'commands']],
  )
  const read = (await call(mcp.readMcpServer, { params: { id: body.id } })).body
  assert.deepEqual(
    [read.toolkits, read.allowed_tools, read.managed_auth_via_service],
    [['mail'], ['MAIL_READ'], true],
  )
}

async function checkUnknownNames({ create, config, otherProject }: McpServers): Promise<void> {
  for (const [body, status, said] of [
    [{ auth_config_ids: ['ac_nothing'] }, 404, /Auth config ac_nothing/],
    [{ allowed_tools: ['SHOP_NOTHING'] }, 400, /payload\.allowed_tools: there is no tool SHOP_NOTHING/],
    [{ no_auth_apps: ['nowhere'] }, 400, /payload\.no_auth_apps: there is no toolkit nowhere/],
    [{ name: 'abc' }, 400, /payload\.name/],
    [{ name: 'a'.repeat(31) }, 400, /payload\.name/],
    [{ name: 'semi;colon' }, 400, /payload\.name/],
  ] as const) {
    const reply = await create(body)
    assert.deepEqual(
      [reply.status, said.test(JSON.stringify(reply.body))],
      [status, true],
      JSON.stringify(reply.body),
    )
  }
  const foreign = await config('shop', await otherProject())
  assert.equal((await create({ auth_config_ids: [foreign] })).status, 404)
}

async function checkList({ create, mail, call, made }: McpServers): Promise<void> {
  const third = (await create({ name: 'Third one', auth_config_ids: [mail] })).body
  const names = async (query: Record<string, unknown>) =>
    (await call(mcp.listMcpServers, { query } as never)).body.items.map(({ name }) => name)
  assert.deepEqual(await names({}), ['Third one', 'Mail reader', 'Shop helper'])
  assert.deepEqual(await names({ order_by: 'created_at', order_direction: 'asc' }), [
    'Shop helper',
    'Mail reader',
    'Third one',
  ])
  assert.deepEqual(await names({ name: 'HELP' }), ['Shop helper'])
  assert.deepEqual(await names({ toolkits: ['MAIL'] }), ['Third one', 'Mail reader'])
  assert.deepEqual(await names({ auth_config_ids: [mail, 'ac_x'] }), ['Third one'])
  const { body } = await call(mcp.listMcpServers, { query: { limit: 2, page_no: 2 } })
  assert.deepEqual([body.items.length, body.total_pages, body.current_page], [1, 2, 2])
  assert.deepEqual(
    (await call(mcp.listMcpServersForApp, { params: { app_key: 'shop' } })).body.items.map(({ id }) => id),
    [made.id],
  )
  const forShop = async (toolkits: string[]) => {
    const reply = await call(mcp.listMcpServersForApp, { params: { app_key: 'shop' }, query: { toolkits } })
    return reply.body.items.length
  }
  assert.deepEqual([await forShop(['mail']), await forShop(['mail', 'FREE'])], [0, 1])
  assert.equal((await call(mcp.listMcpServersForApp, { params: { app_key: 'nowhere' } })).status, 404)
  assert.equal((await call(mcp.listMcpServers, { query: { limit: 0 } })).status, 400)
  await call(mcp.deleteMcpServer, { params: { id: third.id } })
}

async function checkUpdate({ call, made, shop, mail }: McpServers): Promise<void> {
  const change = async (body: Record<string, unknown>) =>
    (await call(mcp.updateMcpServer, { params: { id: made.id }, body } as never)).body
  assert.deepEqual(
    [await change({ name: 'Renamed' })].map(({ name, toolkits, allowed_tools, deleted }) => [
      name,
      toolkits,
      allowed_tools,
      deleted,
    ]),
    [['Renamed', ['free', 'shop'], ['SHOP_GET_ORDER'], false]],
  )
  const { toolkits, allowed_tools, auth_config_ids, managed_auth_via_service } = await change({
    toolkits: [],
    allowed_tools: [],
    auth_config_ids: [shop, mail],
    managed_auth_via_service: false,
  })
  assert.deepEqual(
    [toolkits, allowed_tools, auth_config_ids, managed_auth_via_service],
    [['mail', 'shop'], [], [shop, mail], false],
  )
  assert.equal(
    (await change({ deleted_at: '2026-01-01', project_id: 'proj_x', '': null } as never)).name,
    'Renamed',
  )
  assert.equal(((await change({ name: 'no' })) as never as { error: { status: number } }).error.status, 400)
}

async function checkInstances({ call, made, config, account, shop, mail }: McpServers): Promise<void> {
  const instance = (user_id: string) =>
    call(mcp.createMcpInstance, { params: { server_id: made.id }, body: { user_id } })
  const accounts = async (user: string) =>
    (await call(listConnectedAccounts, { query: { user_ids: [user] } })).body.items.map(({ id }) => id).sort()
  const other = await config('mail')
  await account(shop, 'u/1')
  const refused = await instance('u/1')
  assert.deepEqual(
    [
      refused.status,
      refused.body.error.slug,
      refused.body.error.message.includes(mail),
      refused.body.error.message.includes(shop),
    ],
    [403, 'Mcp_NotConnected', true, false],
  )
  await account(mail, 'u/1')
  const [otherAccount, theirs] = [await account(other, 'u/1'), await account(mail, 'u2')]
  const { status, body } = await instance('u/1')
  assert.deepEqual(
    [status, body.instance_id, body.mcp_server_id, body.id === 'u/1'],
    [201, 'u/1', made.id, false],
  )
  assert.deepEqual(
    [
      (await instance('u/1')).status,
      (await call(mcp.readMcpServer, { params: { id: made.id } })).body.server_instance_count,
    ],
    [409, 1],
  )
  const listed = (
    await call(mcp.listMcpInstances, { params: { server_id: made.id }, query: { search: 'U/' } })
  ).body
  assert.deepEqual(listed, {
    instances: [body],
    server_id: made.id,
    server_name: 'Renamed',
    total_pages: 1,
    current_page: 1,
  })
  assert.equal(
    (await call(mcp.listMcpInstances, { params: { server_id: made.id }, query: { search: 'nobody' } })).body
      .instances.length,
    0,
  )
  const gone = () => call(mcp.deleteMcpInstance, { params: { server_id: made.id, instance_id: 'u/1' } })
  assert.deepEqual((await gone()).body, {
    message: 'The instance was deleted.',
    deleted_connected_accounts: 2,
  })
  assert.deepEqual(
    [await accounts('u/1'), await accounts('u2'), (await gone()).body.error.slug],
    [[otherAccount], [theirs], 'Mcp_InstanceNotFound'],
  )
}

async function checkUrls({ call, made }: McpServers): Promise<void> {
  const generate = async (body: Record<string, unknown>) =>
    (await call(mcp.generateMcpUrls, { body: { mcp_server_id: made.id, ...body } } as never)).body
  const url = made.mcp_url
  assert.deepEqual(
    await generate({
      user_ids: ['u 1', 'u2'],
      connected_account_ids: ['ca_1', 'ca_2'],
      managed_auth_by_service: true,
    }),
    {
      mcp_url: url,
      connected_account_urls: ['ca_1', 'ca_2'].map(
        (id) => `${url}?include_service_helper_actions=true&connected_account_ids=${id}&user_id=u%201,u2`,
      ),
      user_ids_url: ['u%201', 'u2'].map(
        (user) =>
          `${url}?include_service_helper_actions=true&connected_account_ids=ca_1,ca_2&user_id=${user}`,
      ),
    },
  )
  assert.deepEqual(await generate({ user_ids: ['u1'] }), {
    mcp_url: url,
    connected_account_urls: [],
    user_ids_url: [`${url}?user_id=u1`],
  })
  assert.deepEqual(await generate({}), { mcp_url: url, connected_account_urls: [], user_ids_url: [] })
}

async function checkUnknownIds({
  otherProject,
  create,
  call,
  missing,
  app,
  keys,
  as,
}: McpServers): Promise<void> {
  const foreign = (await (await otherProject())(mcp.createCustomMcpServer, { body: { name: 'Theirs' } })).body
    .id
  const { id: deleted } = (await create({})).body
  assert.deepEqual((await call(mcp.deleteMcpServer, { params: { id: deleted } })).body, {
    id: deleted,
    deleted: true,
  })
  for (const id of [missing, deleted, foreign, 'x', "'; --"]) {
    for (const reply of [
      await call(mcp.readMcpServer, { params: { id } }),
      await call(mcp.updateMcpServer, { params: { id }, body: { name: 'Mine now' } }),
      await call(mcp.deleteMcpServer, { params: { id } }),
      await call(mcp.generateMcpUrls, { body: { mcp_server_id: id } }),
      await call(mcp.listMcpInstances, { params: { server_id: id } }),
      await call(mcp.createMcpInstance, { params: { server_id: id }, body: { user_id: 'u' } }),
      await call(mcp.deleteMcpInstance, { params: { server_id: id, instance_id: 'u' } }),
    ])
      assert.deepEqual(
        [reply.status, reply.body.error.slug, reply.body.error.message],
        [404, 'Mcp_ServerNotFound', `MCP server ${id} not found`],
      )
  }
  assert.equal(
    (
      await app.http.inject({
        url: '/api/v3.1/mcp/servers',
        headers: { 'x-api-key': keys.projectApiKey },
      })
    )
      .json()
      .items.some((one: { id: string }) => one.id === deleted),
    false,
  )
  assert.equal((await as({})(mcp.listMcpServers)).status, 401)
}
