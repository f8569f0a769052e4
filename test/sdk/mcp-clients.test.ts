import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMCPClient } from '@ai-sdk/mcp'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ROOT } from '../docs/markdown.ts'
import { RESULT, sessionUrl, startMcpServer, TOOLS, withoutLogId } from './mcp-client-server.ts'

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
  const server = await startMcpServer(t)
  const { headers } = server
  const client = await createMCPClient({
    transport: { type: 'http', url: await sessionUrl(server), headers },
  })
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
