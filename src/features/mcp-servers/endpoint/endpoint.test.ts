import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import fc from 'fast-check'
import * as mcp from '../../../contract/mcp-servers/index.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'
import { startEndpoint, type Endpoint, TOOLS, type Rpc, HEADERS } from '#fixtures/mcp-endpoint.ts'

test('MCP servers: protocol, access and malformed messages', async (t) => {
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

  await t.test('MCP servers: a message has the same response alone and in a batch', () =>
    checkSingleMessages(fixture),
  )

  await t.test('MCP servers: access depends on the key, host, origin, identity and server id', () =>
    checkAccess(fixture),
  )

  await t.test('MCP servers: a malformed message gets a response and leaves no state', () =>
    checkMalformedMessages(fixture),
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

/** A batch takes the HTTP transport of the SDK, and a message alone does not. */
async function checkSingleMessages({ post }: Endpoint): Promise<void> {
  const read = async (payload: object | string, headers = {}) => {
    const { statusCode, headers: received, body } = await post(payload, { headers })
    const withoutLogId = body.replaceAll(/log_[\w-]+/g, 'log_x')
    return [statusCode, received['content-type'], withoutLogId]
  }
  for (const [method, params] of [
    ['tools/call', { name: 'SHOP_GET_ORDER', arguments: { id: '7' } }],
    ['tools/call', { name: 'SHOP_GET_ORDER', arguments: { id: 'boom' } }],
    ['tools/call', { name: 'SHOP_GET_ORDER' }],
    ['tools/call', { name: 'SHOP_NOTHING', arguments: {} }],
    ['tools/call', { name: 7, arguments: [] }],
    ['tools/call', undefined],
    ['tools/list', {}],
    ['tools/list', { cursor: 'no cursor' }],
    ['ping', {}],
  ] as const)
    for (const id of [1, 'one']) {
      const message = { jsonrpc: '2.0', id, method, params }
      assert.deepEqual(await read(message), await read([message]), JSON.stringify(message))
    }
  const hostile =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"SHOP_GET_ORDER",' +
    '"__proto__":{"name":"SHOP_DROP"},"arguments":{"id":"7","__proto__":{"id":"8"},"constructor":{}}}}'
  assert.deepEqual(await read(hostile), await read(`[${hostile}]`))
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  for (const [status, headers] of [
    [406, { accept: 'application/json' }],
    [406, { accept: 'text/event-stream' }],
    [400, { 'mcp-protocol-version': '2001-01-01' }],
  ] as const) {
    assert.equal((await read(ping, headers))[0], status, JSON.stringify(headers))
    assert.deepEqual(await read(ping, headers), await read([ping], headers), JSON.stringify(headers))
  }
  assert.deepEqual(await read({ jsonrpc: '2.0', method: 'ping' }), [202, undefined, ''])
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
}
