import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import {
  createCustomMcpServer,
  createMcpInstance,
  createMcpServer,
} from '../../../contract/mcp-servers/index.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'

const CLOCK = 'UTILITIES_GET_CURRENT_TIME'

test('MCP servers: allowed tools narrow their toolkit, are added to others, and alone are all tools', async (t) => {
  const s = await testApp(t)
  const send = async (id: string, method: string, params: object = {}) => {
    const reply = await s.app.http.inject({
      method: 'POST',
      url: `/v3/mcp/${id}?user_id=ada`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-api-key': s.keys.projectApiKey,
      },
      payload: { jsonrpc: '2.0', id: 1, method, params },
    })
    return reply.json()
  }
  const serverWith = async (body: object) => {
    const { body: server } = await s.call(createCustomMcpServer, { body: { name: 'Clock', ...body } })
    const { result } = await send(server.id, 'tools/list')
    const names = result.tools.map(({ name }: { name: string }) => name) as string[]
    const ofToolkit = (prefix: string) => names.filter((name) => name.startsWith(prefix))
    return { id: server.id, utilities: ofToolkit('UTILITIES_'), news: ofToolkit('HACKERNEWS_').length }
  }
  const { news: allNews } = await serverWith({ toolkits: ['hackernews'] })
  assert.ok(allNews > 1)
  const added = await serverWith({ toolkits: ['hackernews'], allowed_tools: [CLOCK] })
  assert.deepEqual([added.utilities, added.news], [[CLOCK], allNews])
  const narrowed = await serverWith({ toolkits: ['hackernews', 'utilities'], allowed_tools: [CLOCK] })
  assert.deepEqual([narrowed.utilities, narrowed.news], [[CLOCK], allNews])
  const alone = await serverWith({ allowed_tools: [CLOCK] })
  assert.deepEqual([alone.utilities, alone.news], [[CLOCK], 0])
  for (const { id } of [added, narrowed, alone]) {
    const clock = await send(id, 'tools/call', { name: CLOCK, arguments: { timezone: 'UTC' } })
    assert.equal(clock.result.isError, false)
    const other = await send(id, 'tools/call', {
      name: 'UTILITIES_CALCULATE',
      arguments: { expression: '1' },
    })
    assert.equal(other.error.code, -32602)
  }
})

test('MCP instances: the URL of an instance works as it is, also for a user id with reserved characters', async (t) => {
  const s = await testApp(t)
  const { body: server } = await s.call(createCustomMcpServer, {
    body: { name: 'Clock', toolkits: ['utilities'] },
  })
  const { body } = await s.call(createMcpInstance, {
    params: { server_id: server.id },
    body: { user_id: 'ada&bob=1@example.com' },
  })
  assert.equal(new URL(body.mcp_url).searchParams.get('user_id'), 'ada&bob=1@example.com')
  const reply = await s.app.http.inject({
    method: 'POST',
    url: body.mcp_url.slice('http://localhost:3900'.length),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': s.keys.projectApiKey,
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  assert.equal(reply.statusCode, 200, reply.body)
})

test('MCP servers: a URL with an account alone acts as its owner, unless the project requires the user', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [{ scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }],
    answer: () => ({ json: { id: '7' } }),
  })
  const configId = await s.addAuthConfig('API_KEY')
  const accountId = await s.addAccount(
    configId,
    'API_KEY',
    { generic_api_key: 'key-of-ada' },
    { user_id: 'ada' },
  )
  const { body: server } = await s.call(createMcpServer, {
    body: { name: 'Shop helper', auth_config_ids: [configId] },
  })
  const tool = s.catalog.toolkit('shop')!.tools[0]!.slug
  const run = async () => {
    const reply = await s.app.http.inject({
      method: 'POST',
      url: `/v3/mcp/${server.id}?connected_account_id=${accountId}`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-api-key': s.keys.projectApiKey,
      },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: { id: '7' } },
      },
    })
    return reply.json().result
  }
  await s.call(updateProjectConfig, { body: { is_2FA_enabled: false } })
  assert.equal((await run()).isError, false)
  assert.equal(s.stub.requests.at(-1)?.headers['x-key'], 'key-of-ada')
  const sent = s.stub.requests.length
  await s.call(updateProjectConfig, { body: { is_2FA_enabled: true } })
  const { isError, structuredContent } = await run()
  assert.equal(isError, true)
  assert.match(structuredContent.error, /without the user_id/)
  assert.equal(s.stub.requests.length, sent)
})
