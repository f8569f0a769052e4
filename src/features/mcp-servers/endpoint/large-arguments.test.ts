import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createMcpServer } from '../../../contract/mcp-servers/index.ts'
import { createSession } from '../../../contract/sessions/index.ts'
import { startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { HEADERS, type Rpc } from '#fixtures/mcp-endpoint.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'

const MEGABYTES_10 = 10 * 1024 * 1024
const SAVE_TEXT = sampleTool({
  slug: 'SHOP_SAVE_TEXT',
  effect: 'create',
  input: {
    type: 'object',
    properties: { text: { type: 'string', description: 'Text of the document.' } },
    required: ['text'],
    additionalProperties: false,
  },
  request: { method: 'POST', path: '/texts', body: ['text'] },
})

/** Starts an application that saves texts, with an MCP server and a session for it. */
async function startTextApp(t: TestContext) {
  const s = await startConnectedAccountsApp(t, {
    auth: [{ scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }],
    tools: [SAVE_TEXT],
    answer: ({ body }) => ({ json: { characters: (JSON.parse(body) as { text: string }).text.length } }),
  })
  const configId = await s.addAuthConfig('API_KEY')
  await s.addAccount(configId, 'API_KEY', { generic_api_key: 'key-12345' })
  const server = await s.call(createMcpServer, { body: { name: 'Texts', auth_config_ids: [configId] } })
  const session = await s.call(createSession, { body: { user_id: 'u1' } })
  const callTool = (url: string, args: string) =>
    s.app.http.inject({
      method: 'POST',
      url,
      headers: { ...HEADERS, 'x-api-key': s.keys.projectApiKey },
      payload: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"SHOP_SAVE_TEXT","arguments":${args}}}`,
    })
  return {
    ...s,
    callTool,
    serverPath: `/v3/mcp/${server.body.id}?user_id=u1`,
    sessionPath: `/tool_router/${session.body.session_id}/mcp`,
  }
}

const argumentsOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

test('MCP servers: arguments of 10 MB reach the application whole, and larger bodies get a JSON-RPC error', async (t) => {
  const s = await startTextApp(t)
  const args = argumentsOf(MEGABYTES_10)
  assert.equal(Buffer.byteLength(args), MEGABYTES_10)
  const { result } = (await s.callTool(s.serverPath, args)).json<Rpc>()
  assert.deepEqual(
    [result.isError, result.structuredContent.data, s.stub.requests.at(-1)?.body.length],
    [false, { characters: MEGABYTES_10 - 11 }, MEGABYTES_10],
  )
  const sent = s.stub.requests.length
  for (const path of [s.serverPath, s.sessionPath]) {
    const rejected = await s.callTool(path, argumentsOf(MEGABYTES_10 + 64 * 1024))
    const { jsonrpc, id, error } = rejected.json<Rpc>()
    assert.deepEqual([rejected.statusCode, jsonrpc, id, error?.code], [413, '2.0', null, -32600], path)
    assert.match(error!.message, /larger than 10 MB.*POST \/files\/upload\/request/)
  }
  assert.equal(s.stub.requests.length, sent)
})
