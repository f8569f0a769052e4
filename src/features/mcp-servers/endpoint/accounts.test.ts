import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removePolicies } from '#fixtures/policies.ts'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import fc from 'fast-check'
import * as mcp from '../../../contract/mcp-servers/index.ts'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import { until } from '#fixtures/until.ts'
import { type PolicyDraft, createPolicy } from '../../../contract/policies/index.ts'
import { startEndpoint, type Endpoint, type Rpc } from '#fixtures/mcp-endpoint.ts'

test('MCP servers: accounts, elicitations and cancellation', async (t) => {
  const fixture = await startEndpoint(t)
  await t.test(
    'MCP servers: a call without an account returns a connect link, the connection tool returns it in advance, and ' +
      'accounts of other auth configs are not used',
    () => checkConnectLinks(fixture),
  )

  await t.test(
    'MCP servers: a client with URL elicitation gets the connect URL as an elicitation, another client as text',
    () => checkElicitation(fixture),
  )

  await t.test(
    'MCP servers: cancelling or disconnecting a call aborts the request to the application, on any replica',
    () => checkCancellation(fixture),
  )

  await t.test(
    'MCP servers: an account in the URL is used for its toolkit, with the permissions of its owner',
    () => checkAccountInUrl(fixture),
  )

  await t.test('MCP servers: for random configurations, exactly the listed tools can be called', () =>
    checkRandomConfigurations(fixture),
  )

  await t.test(
    'MCP servers: the list uses the requested schema format, and deleting a server or disabling an auth config ' +
      'takes effect at once',
    () => checkFormats(fixture),
  )
})

async function checkConnectLinks({
  run,
  id,
  http,
  rpc,
  addAuthConfig,
  account,
  call,
}: Endpoint): Promise<void> {
  const needed = await run('SHOP_GET_ORDER', { id: '7' }, { url: `/v3/mcp/${id}?user_id=new` })
  const link = needed.structuredContent.data.redirect_url
  assert.deepEqual(
    [needed.isError, /^http:\/\/localhost:3900\/link\/lk_/.test(link), needed.content[0].text.includes(link)],
    [true, true, true],
  )
  assert.equal((await http.inject({ url: new URL(link).pathname })).statusCode, 200)
  const where = { url: `/v3/mcp/${id}?user_id=u1&include_service_helper_actions=true` }
  assert.equal((await rpc('tools/list', {}, where)).result.tools[0].name, 'SERVICE_MANAGE_CONNECTIONS')
  assert.equal(
    (await rpc('tools/call', { name: 'SERVICE_MANAGE_CONNECTIONS', arguments: { toolkits: ['shop'] } })).error
      ?.code,
    -32602,
  )
  const managed = await run('SERVICE_MANAGE_CONNECTIONS', { toolkits: ['SHOP', 'nope'] }, where)
  assert.deepEqual(
    [
      managed.structuredContent.data.results.shop.status,
      managed.structuredContent.data.results.nope.status,
      managed.structuredContent.data.summary.total_toolkits,
    ],
    ['active', 'failed', 2],
  )
  const initiated = await run(
    'SERVICE_MANAGE_CONNECTIONS',
    { toolkits: ['shop'] },
    { url: where.url.replace('u1', 'u9') },
  )
  assert.match(initiated.structuredContent.data.results.shop.redirect_url, /\/link\/lk_/)
  const token = await addAuthConfig('BEARER_TOKEN')
  const { auth_config_ids: own } = (await call(mcp.readMcpServer, { params: { id } })).body
  await call(mcp.updateMcpServer, { params: { id }, body: { auth_config_ids: [...own, token] } })
  const choice = await run('SHOP_GET_ORDER', { id: '7' }, { url: `/v3/mcp/${id}?user_id=chooser` })
  const choicePage = await http.inject({ url: new URL(choice.structuredContent.data.redirect_url).pathname })
  for (const way of ['Enter an API key', 'Enter an access token'])
    assert.ok(choicePage.body.includes(way), way)
  await call(mcp.updateMcpServer, { params: { id }, body: { auth_config_ids: own } })
  const elsewhere = await addAuthConfig('API_KEY')
  await account(elsewhere, 'API_KEY', { generic_api_key: 'key-67890' }, { user_id: 'u3' })
  assert.equal((await run('SHOP_GET_ORDER', { id: '7' }, { url: `/v3/mcp/${id}?user_id=u3` })).isError, true)
  await call(mcp.updateMcpServer, { params: { id }, body: { managed_auth_via_service: false } })
  assert.deepEqual(
    (await run('SHOP_GET_ORDER', { id: '7' }, { url: `/v3/mcp/${id}?user_id=u3` })).structuredContent.data,
    {},
  )
}

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'SHOP_GET_ORDER', arguments: { id: '7' } },
}

type ElicitationRpc = Rpc & { error: { data: any } }

async function checkElicitation(fixture: Endpoint): Promise<void> {
  const { id, call, post } = fixture
  const where = { url: `/v3/mcp/${id}?user_id=visitor` }
  await call(mcp.updateMcpServer, { params: { id }, body: { managed_auth_via_service: true } })
  const startSession = async (capabilities: object) => {
    const clientInfo = { name: 'x', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
    const reply = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, where)
    return { ...where, headers: { 'mcp-session-id': String(reply.headers['mcp-session-id']) } }
  }
  for (const capabilities of [
    {},
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: { url: true } },
  ]) {
    const reply = await post(CALL, await startSession(capabilities))
    assert.equal(reply.json<Rpc>().result.isError, true, JSON.stringify(capabilities))
  }
  const session = await startSession({ elicitation: { url: {} } })
  const { error } = (await post(CALL, session)).json<ElicitationRpc>()
  const [visit] = error.data.elicitations
  assert.deepEqual(
    [
      error.code,
      visit.mode,
      /^http:\/\/localhost:3900\/link\/lk_/.test(visit.url),
      /^ca_/.test(visit.elicitationId),
      visit.message,
    ],
    [
      -32042,
      'url',
      true,
      true,
      'Shop is not connected for this user. Connect it here, then call the tool again.',
    ],
  )
  await checkInputRequests(fixture, where)
  await checkApprovalElicitation(fixture, session)
}

/** Protocol version 2026-07-28 has no sessions: a result asks for the input, and the client calls again. */
async function checkInputRequests(
  { post, account, configId }: Endpoint,
  where: { url: string },
): Promise<void> {
  const modern = async (capabilities: object, more: object = {}) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'SHOP_GET_ORDER',
    }
    const message = { ...CALL, params: { ...CALL.params, ...more, _meta } }
    return (await post(message, { ...where, headers })).json<Rpc>().result
  }
  const asked = await modern({ elicitation: { url: {} } })
  const [[key, request]] = Object.entries(asked.inputRequests) as [[string, any]]
  assert.deepEqual(
    [asked.resultType, request.method, request.params.mode, request.params.url.includes('/link/lk_')],
    ['input_required', 'elicitation/create', 'url', true],
  )
  assert.equal((await modern({})).isError, true)
  assert.equal(
    (await modern({ elicitation: { url: {} } }, { inputResponses: { [key]: { action: 'accept' } } })).isError,
    true,
    'one that answered is not asked again',
  )
  await account(configId, 'API_KEY', { generic_api_key: 'key-of-visitor' }, { user_id: 'visitor' })
  assert.equal((await modern({ elicitation: { url: {} } })).isError, false)
}

async function checkApprovalElicitation(
  { post, call, run, s }: Endpoint,
  session: { url: string; headers: Record<string, string> },
): Promise<void> {
  const purchases: PolicyDraft = {
    name: 'Purchases',
    outcome: 'ask',
    when: { tools: ['SHOP_BUY'] },
    approval_link: true,
  }
  await call(createPolicy, { body: purchases })
  await until('the policy is known everywhere', async () =>
    (await Promise.all([1, 2].map(() => run('SHOP_BUY')))).every((one) => one.isError),
  )
  const reply = await post({ ...CALL, params: { name: 'SHOP_BUY', arguments: { id: '7' } } }, session)
  const { error } = reply.json<ElicitationRpc>()
  const [approval] = error.data.elicitations
  assert.deepEqual(
    [error.code, /^http:\/\/localhost:3900\/approve\//.test(approval.url), approval.message],
    [-32042, true, 'shop_buy needs your approval: Purchases. Decide here, then call the tool again.'],
  )
  await removePolicies(s.app.db)
}

async function checkCancellation({ s, address, id, key, post }: Endpoint): Promise<void> {
  const waiting = Promise.withResolvers<never>()
  const before = s.stub.answer
  s.stub.answer = () => waiting.promise
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/v3/mcp/${id}?user_id=u1`), {
    requestInit: { headers: key },
  })
  await client.connect(transport as never)
  const started = async (options: object) => {
    const sent = s.stub.requests.length
    const ended = client
      .callTool({ name: 'SHOP_GET_ORDER', arguments: { id: 'slow' } }, undefined, options)
      .then(
        () => 'answered',
        () => 'ended',
      )
    await until('the application is asked', () => s.stub.requests.length > sent)
    return ended
  }
  for (let n = 1; n <= 2; n++) {
    const cancel = new AbortController()
    const ended = started({ signal: cancel.signal })
    await until(
      'the application is asked',
      () => s.stub.requests.filter(({ path }) => path.endsWith('slow')).length === n,
    )
    cancel.abort()
    await until('the application is left', () => s.stub.left === n)
    assert.equal(await ended, 'ended')
    // The next pair of requests goes to the servers the other way round.
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }
  const ended = started({ onprogress: () => {} })
  await until(
    'the application is asked',
    () => s.stub.requests.filter(({ path }) => path.endsWith('slow')).length === 3,
  )
  await client.close()
  await until('the application is left', () => s.stub.left === 3)
  assert.equal(await ended, 'ended')
  s.stub.answer = before
}

async function checkAccountInUrl({ account, configId, run, id, s }: Endpoint): Promise<void> {
  const mine = await account(configId, 'API_KEY', { generic_api_key: 'key-named' })
  await account(configId, 'API_KEY', { generic_api_key: 'key-later' })
  const runAt = async (query: string) => {
    const result = await run('SHOP_GET_ORDER', { id: '7' }, { url: `/v3/mcp/${id}?${query}` })
    return [
      result.isError,
      result.isError ? result.structuredContent.error : s.stub.requests.at(-1)?.headers['x-key'],
    ]
  }
  assert.deepEqual(await runAt(`user_id=u1&connected_account_ids=${mine}`), [false, 'key-named'])
  assert.deepEqual(await runAt(`user_id=u0,u1&connected_account_ids=${mine}`), [false, 'key-named'])
  assert.deepEqual(await runAt(`connected_account_id=${mine}`), [false, 'key-named'])
  for (const query of [
    `user_id=u2&connected_account_ids=${mine}`,
    'user_id=u1,u2',
    'user_id=u0,u1&connected_account_ids=ca_nothing',
  ])
    assert.equal((await runAt(query))[0], true, query)
}

async function checkRandomConfigurations({ addAuthConfig, account, call, rpc }: Endpoint): Promise<void> {
  const some = fc.subarray(['SHOP_GET_ORDER', 'SHOP_BUY', 'SHOP_DROP'])
  await fc.assert(
    fc.asyncProperty(some, some, async (allowed_tools, restrict) => {
      const narrow = await addAuthConfig('API_KEY', {}, { restrict_to_following_tools: restrict })
      await account(narrow, 'API_KEY', { generic_api_key: 'key-12345' })
      const server = (
        await call(mcp.createMcpServer, {
          body: { name: 'Narrow', auth_config_ids: [narrow], allowed_tools },
        })
      ).body.id
      const url = `/v3/mcp/${server}?user_id=u1`
      const listedNames = (await rpc('tools/list', {}, { url })).result.tools.map(
        ({ name }: { name: string }) => name,
      )
      for (const name of ['SHOP_GET_ORDER', 'SHOP_BUY', 'SHOP_DROP', 'SHOP_T000']) {
        const reply = await rpc('tools/call', { name, arguments: { id: '1' } }, { url })
        assert.equal(
          reply.result ? reply.result.isError : reply.error?.code,
          listedNames.includes(name) ? false : -32602,
          name,
        )
      }
    }),
    { numRuns: 8 },
  )
}

async function checkFormats({ rpc, id, call, configId, run, post }: Endpoint): Promise<void> {
  const strict = (
    await rpc('tools/list', {}, { url: `/v3/mcp/${id}?user_id=u1&dialect=openai_strict` })
  ).result.tools.find(({ name }: { name: string }) => name === 'SHOP_BUY')
  assert.equal(strict.inputSchema.additionalProperties, false)
  await call(setAuthConfigStatus, { params: { nanoid: configId, status: 'DISABLED' } })
  assert.equal((await run('SHOP_GET_ORDER')).isError, true)
  await call(mcp.deleteMcpServer, { params: { id } })
  assert.equal((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).statusCode, 404)
}
