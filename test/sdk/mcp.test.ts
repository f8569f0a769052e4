import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { upstream } from '../fixtures/upstream.ts'
import { connectParse, stockSdk } from './stock-sdk.ts'

/** A client of the MCP server at a path of the instance under test. */
async function connectClient(url: string, apiKey: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { 'x-api-key': apiKey } },
    }) as never,
  )
  return client
}

test('MCP servers are made, listed, changed and deleted, and the address that is generated is called', async (t) => {
  const parse = await upstream(t, () => ({ json: { objectId: 'g1', score: 7 } }))
  // The address that is handed out is the public one; here it is the test's own.
  const sdk = await stockSdk(t)
  const { authConfigId } = await connectParse(sdk, parse.url, 'ada')
  const { mcp } = sdk.composio
  const server = await mcp.create('Game scores', {
    toolkits: ['utilities', { toolkit: 'parse', authConfigId }],
    allowedTools: ['PARSE_GET_OBJECT', 'UTILITIES_GET_CURRENT_TIME'],
  })
  assert.deepEqual(
    [server.name, server.allowedTools, server.authConfigIds],
    ['Game scores', ['PARSE_GET_OBJECT', 'UTILITIES_GET_CURRENT_TIME'], [authConfigId]],
  )

  const page = await mcp.list({ toolkits: ['parse'] } as never)
  assert.deepEqual([page.items.map(({ id }) => id), page.currentPage, page.totalPages], [[server.id], 1, 1])
  assert.deepEqual((await mcp.get(server.id)).toolkits, ['parse', 'utilities'])
  assert.equal((await mcp.update(server.id, { name: 'Scores' })).name, 'Scores')

  const instance = await server.generate('ada')
  assert.deepEqual(
    [instance.type, instance.userId, instance.authConfigs],
    ['streamable_http', 'ada', [authConfigId]],
  )
  const { pathname, search } = new URL(instance.url)
  assert.equal(search, '?include_composio_helper_actions=true&user_id=ada')
  const client = await connectClient(`${sdk.baseURL}${pathname}${search}`, sdk.keys.projectApiKey)
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    ['COMPOSIO_MANAGE_CONNECTIONS', 'PARSE_GET_OBJECT', 'UTILITIES_GET_CURRENT_TIME'],
  )
  const managed = await client.callTool({
    name: 'COMPOSIO_MANAGE_CONNECTIONS',
    arguments: { toolkits: ['parse', 'utilities'] },
  })
  assert.deepEqual((managed.structuredContent as { data: { summary: object } }).data.summary, {
    total_toolkits: 2,
    active_connections: 2,
    initiated_connections: 0,
    failed_connections: 0,
  })
  const got = await client.callTool({
    name: 'PARSE_GET_OBJECT',
    arguments: { class_name: 'Game', object_id: 'g1' },
  })
  assert.deepEqual(
    [got.isError, parse.requests.at(-1)?.path],
    [false, '/classes/Game/g1'],
    JSON.stringify(got),
  )
  await client.close()

  assert.deepEqual(await mcp.delete(server.id), { id: server.id, deleted: true })
  assert.deepEqual((await mcp.list({} as never)).items, [])
})
