import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createMCPClient } from '@ai-sdk/mcp'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { testApp } from '#fixtures/app.ts'
import { createCustomMcpServer } from '../../src/contract/mcp-servers/index.ts'
import { createSession } from '../../src/contract/sessions/index.ts'
import { ROOT } from '../docs/markdown.ts'

const TOOLS = ['UTILITIES_CALCULATE', 'UTILITIES_GET_CURRENT_TIME']
const RESULT = { data: { result: 42 }, successful: true, error: null }

/** An MCP server with two tools, and the URL of a user at a listening application. */
async function startMcpServer(t: TestContext) {
  const { app, keys, call } = await testApp(t)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const { status, body } = await call(createCustomMcpServer, {
    body: { name: 'sums', toolkits: ['utilities'], allowed_tools: TOOLS } as never,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return {
    call,
    baseUrl,
    url: `${baseUrl}/v3/mcp/${body.id}?user_id=ada`,
    headers: { 'x-api-key': keys.projectApiKey },
  }
}

const withoutLogId = ({ log_id: logId, ...result }: Record<string, unknown>) => {
  assert.match(String(logId), /^log_/)
  return result
}

test('MCP clients: the client of the AI SDK lists the tools of an MCP server and calls one', async (t) => {
  const { url, headers } = await startMcpServer(t)
  const client = await createMCPClient({ transport: { type: 'http', url, headers } })
  t.after(() => client.close())
  const tools = await client.tools()
  assert.deepEqual(Object.keys(tools).toSorted(), TOOLS)
  const options = { toolCallId: 'call_1', messages: [], context: {} } as never
  const { structuredContent, isError } = (await tools['UTILITIES_CALCULATE']!.execute(
    { expression: '6 * 7' },
    options,
  )) as { structuredContent: Record<string, unknown>; isError: boolean }
  assert.deepEqual([withoutLogId(structuredContent), isError], [RESULT, false])
})

test('MCP clients: the client of the AI SDK lists the meta tools of a session', async (t) => {
  const { call, baseUrl, headers } = await startMcpServer(t)
  const { status, body } = await call(createSession, { body: { user_id: 'ada' } as never })
  assert.equal(status, 201, JSON.stringify(body))
  const url = `${baseUrl}${new URL(body.mcp.url).pathname}`
  const client = await createMCPClient({ transport: { type: 'http', url, headers } })
  t.after(() => client.close())
  assert.ok(Object.keys(await client.tools()).includes('SERVICE_SEARCH_TOOLS'))
})

test('MCP clients: mcp-remote bridges an MCP server to a local client, with the arguments of the guide', async (t) => {
  const { url, headers } = await startMcpServer(t)
  const folder = await mkdtemp(join(tmpdir(), 'mcp-remote-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(ROOT, 'node_modules/.bin/mcp-remote'), url, '--header', 'x-api-key:${PATCHBAY_KEY}'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        MCP_REMOTE_CONFIG_DIR: folder,
        PATCHBAY_KEY: headers['x-api-key'],
      },
      stderr: 'ignore',
    }),
  )
  t.after(() => client.close())
  const { tools } = await client.listTools()
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), TOOLS)
  const { structuredContent } = await client.callTool({
    name: 'UTILITIES_CALCULATE',
    arguments: { expression: '6 * 7' },
  })
  assert.deepEqual(withoutLogId(structuredContent as Record<string, unknown>), RESULT)
})
