import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { removePolicies } from '#fixtures/policies.ts'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import fc from 'fast-check'
import * as mcp from '../../../contract/mcp-servers/index.ts'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { testApp } from '#fixtures/app.ts'
import { roundRobin } from '#fixtures/round-robin.ts'
import { until } from '#fixtures/until.ts'
import { createPolicy, type PolicyDraft } from '../../../contract/policies/index.ts'
import { startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const tool = (slug: string, more: Record<string, unknown> = {}) =>
  sampleTool({ slug, name: slug.toLowerCase(), ...more })
const TOOLS = [
  tool('SHOP_GET_ORDER'),
  tool('SHOP_BUY', { effect: 'create', request: { method: 'POST', path: '/orders/{id}' } }),
  tool('SHOP_DROP', { effect: 'delete', request: { method: 'DELETE', path: '/orders/{id}' } }),
  ...Array.from({ length: 120 }, (_, n) => tool(`SHOP_T${String(n).padStart(3, '0')}`)),
]

interface Rpc {
  jsonrpc: string
  id: unknown
  result?: any
  error?: { code: number; message: string }
}

async function startEndpoint(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: [{ scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }],
    tools: TOOLS,
    answer: ({ path }) =>
      path.endsWith('/boom')
        ? { status: 500, json: { message: 'boom' } }
        : { json: { id: path.split('/').at(-1) } },
  })
  const { call, keys, addAuthConfig, addAccount: account } = s
  const http = roundRobin([s, await testApp(t, { sameDatabaseAs: s, catalog: s.catalog })])
  const address = await http.listen(t)
  const key = { 'x-api-key': keys.projectApiKey }
  const configId = await addAuthConfig('API_KEY')
  await account(configId, 'API_KEY', { generic_api_key: 'key-12345' })
  const { id } = (
    await call(mcp.createMcpServer, { body: { name: 'Shop helper', auth_config_ids: [configId] } })
  ).body
  const post = (
    payload: unknown,
    {
      url = `/v3/mcp/${id}?user_id=u1`,
      headers = {},
    }: { url?: string; headers?: Record<string, string> } = {},
  ) =>
    http.inject({
      method: 'POST',
      url,
      headers: { ...HEADERS, ...key, ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
  const rpc = async (
    method: string,
    params: unknown = {},
    where: Parameters<typeof post>[1] = {},
  ): Promise<Rpc> => {
    const reply = await post({ jsonrpc: '2.0', id: 1, method, params }, where)
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }
  const run = async (name: string, args: unknown = { id: '7' }, where: Parameters<typeof post>[1] = {}) =>
    (await rpc('tools/call', { name, arguments: args }, where)).result
  return { address, id, key, s, post, rpc, run, http, call, addAuthConfig, account, configId }
}

type Endpoint = Awaited<ReturnType<typeof startEndpoint>>

test('MCP servers: the MCP endpoint works across two replicas', async (t) => {
  const fixture = await startEndpoint(t)

  await t.test(
    'MCP servers: both official clients list every page, call a tool, and read the result as structure and text',
    () => checkOfficialClients(fixture),
  )

  await t.test(
    'MCP servers: every protocol revision is supported, and a newer one gets the newest supported one',
    () => checkRevisions(fixture),
  )

  await t.test(
    'MCP servers: an unknown tool or method is a protocol error, and a failed tool is a result',
    () => checkUnknownNames(fixture),
  )

  await t.test('MCP servers: access depends on the key, host, origin, identity and server id', () =>
    checkAccess(fixture),
  )

  await t.test('MCP servers: a malformed message gets a response and leaves no state', () =>
    checkMalformedMessages(fixture),
  )

  await t.test(
    'MCP servers: a call without an account returns a connect link, the connection tool returns it in advance, and accounts of other auth configs are not used',
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
    'MCP servers: the list uses the requested schema format, and deleting a server or disabling an auth config takes effect at once',
    () => checkFormats(fixture),
  )
})

async function checkOfficialClients({ address, id, key, s }: Endpoint): Promise<void> {
  const url = new URL(`${address}/v3/mcp/${id}?user_id=u1`)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: key } }) as never)
  const first = await client.listTools()
  const second = await client.listTools({ cursor: first.nextCursor })
  assert.deepEqual([first.tools.length, second.tools.length, second.nextCursor], [100, 23, undefined])
  const names = [...first.tools, ...second.tools].map(({ name }) => name)
  assert.deepEqual(names, TOOLS.map(({ slug }) => slug as string).sort())
  const listed = first.tools.find(({ name }) => name === 'SHOP_DROP')!
  assert.deepEqual(listed.annotations, {
    title: 'shop_drop',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  })
  assert.deepEqual([listed.inputSchema.type, listed.inputSchema.required], ['object', ['id']])
  const heard: number[] = []
  const result = await client.callTool({ name: 'SHOP_GET_ORDER', arguments: { id: '7' } }, undefined, {
    onprogress: ({ progress }) => heard.push(progress),
  })
  const { log_id: logId, ...structured } = result.structuredContent as Record<string, unknown>
  assert.deepEqual(
    [structured, /^log_/.test(String(logId)), result.isError, heard.length > 0],
    [{ successful: true, data: { id: '7' }, error: null }, true, false, true],
  )
  assert.deepEqual(JSON.parse((result.content as { text: string }[])[0]!.text), result.structuredContent)
  assert.equal(s.stub.requests.at(-1)?.headers['x-key'], 'key-12345')
  await client.close()
}

async function checkRevisions({ post }: Endpoint): Promise<void> {
  for (const [asked, spoken] of [
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ]) {
    const reply = await post({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    })
    const { result } = reply.json<Rpc>()
    assert.deepEqual(
      [result.protocolVersion, result.capabilities, result.serverInfo.name, result.instructions],
      [spoken, { tools: {} }, 'Shop helper', 'Tools of Shop.'],
    )
    assert.ok(reply.headers['mcp-session-id'])
  }
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const modern = await post(
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'SHOP_GET_ORDER', arguments: { id: '9' }, _meta: meta },
    },
    {
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'SHOP_GET_ORDER',
      },
    },
  )
  assert.deepEqual(modern.json<Rpc>().result?.structuredContent.data, { id: '9' }, modern.body)
  const listen = await post(
    { jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params: { _meta: meta } },
    { headers: { 'mcp-protocol-version': '2026-07-28' } },
  )
  assert.deepEqual([listen.json<Rpc>().error?.code, listen.json<Rpc>().id], [-32601, 'l'])
}

async function checkUnknownNames({ rpc, run }: Endpoint): Promise<void> {
  assert.equal((await rpc('tools/call', { name: 'SHOP_NOTHING', arguments: {} })).error?.code, -32602)
  assert.equal((await rpc('resources/list')).error?.code, -32601)
  assert.equal((await rpc('tools/list', { cursor: 'no cursor' })).error?.code, -32602)
  const failing = await run('shop_get_order', { id: 'boom' })
  assert.deepEqual(
    [failing.isError, failing.structuredContent.successful, typeof failing.structuredContent.error],
    [true, false, 'string'],
  )
  const wrong = await run('SHOP_GET_ORDER', {})
  assert.deepEqual([wrong.isError, /id/.test(wrong.structuredContent.error)], [true, true])
}

async function checkAccess({ id, s, post, http, call, key }: Endpoint): Promise<void> {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const at = (query: string, path = `/v3/mcp/${id}`) => ({ url: `${path}?${query}` })
  const other = await s.otherProject()
  const foreign = (await other(mcp.createCustomMcpServer, { body: { name: 'Theirs' } })).body.id
  for (const [where, status, slug] of [
    [{ headers: { 'x-api-key': 'ak_wrong' } }, 401, 'APIKey_InvalidAPIKey'],
    [{ headers: { origin: 'https://evil.example' } }, 403, 'Mcp_AddressRefused'],
    [{ headers: { host: 'evil.example' } }, 403, 'Mcp_AddressRefused'],
    [{ headers: { origin: 'http://localhost:3900' } }, 200, undefined],
    [{ headers: { origin: 'http://127.0.0.1:81', host: '127.0.0.1:81' } }, 200, undefined],
    [{ headers: { origin: 'http://127.0.0.1:82', host: '127.0.0.1:81' } }, 403, 'Mcp_AddressRefused'],
    [{ headers: { origin: 'http://evil.example', host: 'evil.example' } }, 403, 'Mcp_AddressRefused'],
    [{ headers: { origin: 'null', host: '' } }, 403, 'Mcp_AddressRefused'],
    [{ headers: { host: '10.0.0.7:3900' } }, 200, undefined],
    [{ headers: { host: '[::1]:3900' } }, 200, undefined],
    [at(''), 400, 'Mcp_IdentityRequired'],
    [at('user_id=%00'), 400, 'HTTP_BadRequest'],
    [at(`user_id=${'u'.repeat(300)}`), 400, 'HTTP_BadRequest'],
    [at('user_id=u1&dialect=latin'), 400, 'HTTP_BadRequest'],
    [at('user_id=u1', `/v3/mcp/${foreign}`), 404, 'Mcp_ServerNotFound'],
    [at('user_id=u1', '/v3/mcp/nothing'), 404, 'Mcp_ServerNotFound'],
    [at('user_id=u1', `/api/v3/mcp/${id}/mcp`), 200, undefined],
    [at('user_id=u1', `/api/v3.1/mcp/${id}/mcp`), 200, undefined],
    [at('user_id=u1', `/api/v3/mcp/${id}/sse`), 410, 'Mcp_TransportGone'],
  ] as const) {
    const reply = await post(list, where)
    assert.deepEqual([reply.statusCode, reply.json().error?.slug], [status, slug], JSON.stringify(where))
  }
  const bare = (url: string) => http.inject({ method: 'POST', url, headers: HEADERS, payload: list })
  assert.deepEqual(
    [
      (await bare(`/v3/mcp/${id}?user_id=u1`)).statusCode,
      (await bare('/v3/mcp/6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55?user_id=u1')).statusCode,
    ],
    [401, 401],
  )
  await call(updateProjectConfig, { body: { require_mcp_api_key: false } })
  assert.deepEqual(
    [
      (await bare(`/v3/mcp/${id}?user_id=u1`)).statusCode,
      (await bare('/v3/mcp/6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55?user_id=u1')).statusCode,
    ],
    [200, 401],
  )
  await call(updateProjectConfig, { body: { require_mcp_api_key: true } })
  for (const method of ['GET', 'DELETE'] as const)
    assert.equal(
      (
        await http.inject({
          method,
          url: `/v3/mcp/${id}?user_id=u1`,
          headers: { ...key, accept: 'text/event-stream' },
        })
      ).statusCode,
      405,
    )
}

async function checkMalformedMessages({ post }: Endpoint): Promise<void> {
  for (const [text, code] of [
    ['{', -32700],
    ['', -32700],
    ['[]', -32600],
    ['7', -32600],
    ['[[]]', -32600],
    ['['.repeat(100_000), -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\\u0000"}}', -32600],
    [JSON.stringify(Array(51).fill({ jsonrpc: '2.0', method: 'ping' })), -32600],
  ] as const) {
    const reply = await post(text)
    assert.deepEqual([reply.statusCode, reply.json<Rpc>().error?.code], [400, code], text.slice(0, 20))
  }
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', null),
      id: fc.constantFrom(1, 'a', null, -1),
      method: fc.constantFrom(
        'tools/list',
        'tools/call',
        'initialize',
        'ping',
        'notifications/cancelled',
        'nothing',
      ),
      params: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue()),
      async (payload) => {
        const { statusCode, body } = await post(payload)
        assert.ok(statusCode < 500, `${statusCode} ${body}`)
      },
    ),
    { numRuns: 60, seed: 20261121 },
  )
  assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).statusCode, 202)
  const large = await post({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'SHOP_GET_ORDER', arguments: { id: 'x'.repeat(7_000_000) } },
  })
  assert.deepEqual([large.statusCode, large.json().error.slug], [413, 'HTTP_PayloadTooLarge'])
}

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
  const elsewhere = await addAuthConfig('API_KEY')
  await account(elsewhere, 'API_KEY', { generic_api_key: 'key-67890' }, { user_id: 'u3' })
  assert.equal((await run('SHOP_GET_ORDER', { id: '7' }, { url: `/v3/mcp/${id}?user_id=u3` })).isError, true)
  await call(mcp.updateMcpServer, { params: { id }, body: { managed_auth_via_service: false } })
  assert.deepEqual(
    (await run('SHOP_GET_ORDER', { id: '7' }, { url: `/v3/mcp/${id}?user_id=u3` })).structuredContent.data,
    {},
  )
}

async function checkElicitation({ id, call, post, account, configId, run, s }: Endpoint): Promise<void> {
  const where = { url: `/v3/mcp/${id}?user_id=visitor` }
  await call(mcp.updateMcpServer, { params: { id }, body: { managed_auth_via_service: true } })
  const hello = (capabilities: object) =>
    post(
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'x', version: '1' } },
      },
      where,
    )
  const called = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'SHOP_GET_ORDER', arguments: { id: '7' } },
  }
  for (const capabilities of [
    {},
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: { url: true } },
  ]) {
    const session = String((await hello(capabilities)).headers['mcp-session-id'])
    assert.equal(
      (await post(called, { ...where, headers: { 'mcp-session-id': session } })).json<Rpc>().result.isError,
      true,
      JSON.stringify(capabilities),
    )
  }
  const shows = String((await hello({ elicitation: { url: {} } })).headers['mcp-session-id'])
  const { error } = (await post(called, { ...where, headers: { 'mcp-session-id': shows } })).json<
    Rpc & { error: { data: any } }
  >()
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
  const modern = (capabilities: object, more: object = {}) =>
    post(
      {
        ...called,
        params: {
          ...called.params,
          ...more,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': capabilities,
          },
        },
      },
      {
        ...where,
        headers: {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'SHOP_GET_ORDER',
        },
      },
    )
  const asked = (await modern({ elicitation: { url: {} } })).json<Rpc>().result
  const [[key, request]] = Object.entries(asked.inputRequests) as [[string, any]]
  assert.deepEqual(
    [asked.resultType, request.method, request.params.mode, request.params.url.includes('/link/lk_')],
    ['input_required', 'elicitation/create', 'url', true],
  )
  assert.equal((await modern({})).json<Rpc>().result.isError, true)
  assert.equal(
    (
      await modern({ elicitation: { url: {} } }, { inputResponses: { [key]: { action: 'accept' } } })
    ).json<Rpc>().result.isError,
    true,
    'one that answered is not asked again',
  )
  await account(configId, 'API_KEY', { generic_api_key: 'key-of-visitor' }, { user_id: 'visitor' })
  assert.equal((await modern({ elicitation: { url: {} } })).json<Rpc>().result.isError, false)
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
  const waits = (
    await post(
      { ...called, params: { name: 'SHOP_BUY', arguments: { id: '7' } } },
      { ...where, headers: { 'mcp-session-id': shows } },
    )
  ).json<Rpc & { error: { data: any } }>()
  const [approval] = waits.error.data.elicitations
  assert.deepEqual(
    [waits.error.code, /^http:\/\/localhost:3900\/approve\//.test(approval.url), approval.message],
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
