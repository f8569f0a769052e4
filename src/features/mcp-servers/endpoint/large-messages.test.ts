import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createMcpServer } from '../../../contract/mcp-servers/index.ts'
import { createSession } from '../../../contract/sessions/index.ts'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { HEADERS, type Rpc } from '#fixtures/mcp-endpoint.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'

const SAVE = sampleTool({
  slug: 'SHOP_SAVE',
  effect: 'create',
  input: {
    type: 'object',
    properties: { rows: { type: 'array' }, note: { type: 'string' }, data: { type: 'object' } },
    required: ['rows'],
    additionalProperties: false,
  },
  request: { method: 'POST', path: '/rows', body: ['rows', 'note', 'data'] },
})
const ROWS = JSON.stringify(Array.from({ length: 9_000 }, (_, n) => ({ n, text: 'é'.repeat(15), ok: true })))
const MODERN_META = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
})
const MODERN_HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'SHOP_SAVE',
}

/** Returns a call of SHOP_SAVE. `rest` follows the arguments. */
const message = (args: string, rest = ''): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"SHOP_SAVE","arguments":${args}${rest}}}`

async function startRowApp(t: TestContext) {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [SAVE] })
  const configId = await s.addAuthConfig('API_KEY')
  await s.addAccount(configId, 'API_KEY', { generic_api_key: 'key-12345' })
  const server = await s.call(createMcpServer, { body: { name: 'Rows', auth_config_ids: [configId] } })
  const session = await s.call(createSession, {
    body: { user_id: 'u1', preload: { tools: ['SHOP_SAVE'] } } as never,
  })
  const serverPath = `/v3/mcp/${server.body.id}?user_id=u1`
  const headers: Record<string, string> = { ...HEADERS, 'x-api-key': s.keys.projectApiKey }
  const post = (payload: string | Buffer, more: Record<string, string> = {}, url = serverPath) =>
    s.app.http.inject({ method: 'POST', url, headers: { ...headers, ...more }, payload })
  return { ...s, post, headers, serverPath, sessionPath: `/tool_router/${session.body.session_id}/mcp` }
}

/** Opens a connection on which a part of a request is sent. */
async function sendPart(s: Awaited<ReturnType<typeof startRowApp>>, announced: number, text: string) {
  const { port } = s.app.http.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const lines = Object.entries({ host: 'localhost', ...s.headers, 'content-length': String(announced) })
  const received = once(s.app.http.server, 'request')
  socket.write(
    `POST ${s.serverPath} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`,
  )
  await received
  return socket
}

test('MCP: large arguments reach the application as those of a small message, in all revisions', async (t) => {
  const s = await startRowApp(t)
  const args = (rows: string) =>
    `{ "rows":[0],"rows": ${rows}, "__proto__":{"rows":${rows}}, "note":"\\u00e9",` +
    `"data":{"constructor":{"prototype":1},"__proto__":{"rows":${rows}}} }`
  for (const path of [s.serverPath, s.sessionPath])
    for (const [headers, rest] of [
      [{}, ''],
      [MODERN_HEADERS, `,"_meta":${MODERN_META}`],
    ] as const) {
      const sent: string[] = []
      for (const rows of ['[]', ROWS]) {
        const reply = await s.post(message(args(rows), rest), headers, path)
        assert.equal(reply.json<Rpc>().result?.structuredContent.successful, true, reply.body)
        sent.push(s.stub.requests.at(-1)!.body)
      }
      const [small, large] = sent
      assert.equal(
        large,
        small!.replaceAll('[]', () => ROWS),
        path,
      )
    }
})

test('MCP: large messages have the errors of small ones', async (t) => {
  const s = await startRowApp(t)
  for (const text of [
    (rows: string) => message(`{"note":"x\\u0000","rows":${rows}}`),
    (rows: string) => message(`{"note":${'['.repeat(200)}${']'.repeat(200)},"rows":${rows}}`),
    (rows: string) => message(`{"rows":${rows}`),
    (rows: string) => message(rows),
    (rows: string) => message(`{"note":7,"rows":${rows}}`),
    (rows: string) => message(`{"rows":${rows},"other":1}`),
    (rows: string) => message(`{"rows":${rows}}`).replace('SHOP_SAVE', 'SHOP_NOTHING'),
    (rows: string) => message(`{"rows":${rows}}`).replace('"id":1,', '"id":{},'),
    (rows: string) => `[${message(`{"note":7,"rows":${rows}}`)},7]`,
    (rows: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":${rows}}}`,
  ]) {
    const outcomes = []
    for (const rows of ['[]', ROWS]) {
      const reply = await s.post(text(rows))
      const body = JSON.stringify(reply.json()).replaceAll(/log_\w+/g, 'log')
      outcomes.push([reply.statusCode, body])
    }
    assert.deepEqual(outcomes[1], outcomes[0])
  }
  assert.equal(s.stub.requests.length, 0)
  const large = await s.post(message(`{"rows":${ROWS}}`), { 'x-api-key': 'ak_wrong' })
  assert.equal(large.statusCode, 401)
  const text = await s.post(message(`{"rows":${ROWS}}`), { 'content-type': 'text/plain' })
  assert.deepEqual(
    text.statusCode,
    (await s.post(message('{}'), { 'content-type': 'text/plain' })).statusCode,
  )
})

test('MCP: large bodies without a length are read, and compressed ones are rejected as small ones are', async (t) => {
  const s = await startRowApp(t)
  const url = await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const send = (body: string | Buffer | ReadableStream, more: Record<string, string> = {}) =>
    fetch(url + s.serverPath, {
      method: 'POST',
      headers: { ...s.headers, ...more },
      body,
      duplex: 'half',
    } as RequestInit)
  const chunked = await send(new Blob([message(`{"rows":${ROWS}}`)]).stream())
  assert.equal(((await chunked.json()) as Rpc).result?.structuredContent.successful, true)
  assert.equal(s.stub.requests.at(-1)!.body, `{"rows":${ROWS}}`)
  const outcomes = []
  for (const rows of ['[]', ROWS]) {
    // Without compression, so that the body stays large.
    const body = gzipSync(message(`{"rows":${rows}}`), { level: 0 })
    const reply = await send(body, { 'content-encoding': 'gzip' })
    outcomes.push([reply.status, await reply.text()])
  }
  assert.deepEqual(outcomes[1], outcomes[0])
  assert.match(String(outcomes[0]), /^400.*not JSON/)
})

test('attack: clients that disconnect within large messages stop nothing, and no tool runs', async (t) => {
  const s = await startRowApp(t)
  const text = message(`{"rows":${ROWS}}`)
  await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  for (let n = 0; n < 6; n++) {
    const socket = await sendPart(s, Buffer.byteLength(text), text.slice(0, 100_000))
    socket.destroy()
  }
  const reply = await s.post(text)
  assert.equal(reply.json<Rpc>().result?.structuredContent.successful, true)
  assert.equal(s.stub.requests.length, 1)
})

test('MCP: a call with large arguments can be cancelled', async (t) => {
  const s = await startRowApp(t)
  const called = Promise.withResolvers<void>()
  s.stub.answer = () => {
    called.resolve()
    return new Promise(() => {})
  }
  const headers = { 'mcp-session-id': 'session-1' }
  const reply = s.post(message(`{"rows":${ROWS}}`), headers)
  await called.promise
  await s.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}', headers)
  while (s.stub.left === 0) await new Promise((resolve) => setImmediate(resolve))
  assert.notEqual((await reply).json<Rpc>().result?.structuredContent.successful, true)
})

test('MCP: a meta tool passes large arguments on, and rejects those that it does not have a use for', async (t) => {
  const s = await startRowApp(t)
  const run = async (args: string) => {
    const text = message(args).replace('SHOP_SAVE', 'SERVICE_MULTI_EXECUTE_TOOL')
    return (await s.post(text, {}, s.sessionPath)).json<Rpc>().result
  }
  const tools = `[{"tool_slug":"SHOP_SAVE","arguments":{"rows":${ROWS}}}]`
  const passed = await run(
    `{"tools":${tools},"sync_response_to_workbench":false,"session":{"notes":${ROWS}}}`,
  )
  assert.equal(passed?.isError, false, JSON.stringify(passed))
  assert.equal(s.stub.requests.at(-1)!.body, `{"rows":${ROWS}}`)
  const rejected = await run(`{"tools":${ROWS},"sync_response_to_workbench":false}`)
  assert.match(rejected?.structuredContent.error, /^Invalid arguments: tools/)
  assert.equal(s.stub.requests.length, 1)
})
