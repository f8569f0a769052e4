import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { z } from 'zod'
import { McpServer as ModernServer } from '@modelcontextprotocol/server'
import { catalogFromSources, type Catalog } from '../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { BEARER, CLIENT, connectedAccountHelpers } from '#fixtures/connected-accounts.ts'
import { modernServer, peer, sdkServer } from '#fixtures/mcp-client.ts'
import { testApp } from '#fixtures/app.ts'
import { upstream } from '#fixtures/upstream.ts'

type Json = Record<string, any>

const TOOLS = ['echo', 'json', 'list', 'image', 'structured', 'fail', 'count', 'slow', 'wish', 'nothing']
const ANY = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'Any.' },
    size: { type: 'integer', description: 'Any.' },
  },
}
const mcpTools = (headers: Json = {}) =>
  TOOLS.map((tool) =>
    sampleTool({
      slug: `SHOP_${tool.toUpperCase()}`,
      name: tool,
      input: ANY,
      request: undefined,
      mcp: { tool, ...headers },
    }),
  )
const catalogOf = (url: string, auth: Json[] = [{ scheme: 'NO_AUTH' }], headers?: Json): Catalog =>
  catalogFromSources([
    sampleSource(
      { base_url: url, auth },
      mcpTools(headers).map((tool) => ({ ...tool, request: undefined })),
    ),
  ])
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

async function startSampleServer(t: TestContext) {
  const server = await sdkServer(t, (it) => {
    it.registerTool('echo', { inputSchema: { text: z.string().optional() } }, (args) =>
      text(args.text ?? '42'),
    )
    it.registerTool('json', {}, () => text('{"a":[1]}'))
    it.registerTool('list', {}, () => text('[1,2]'))
    it.registerTool('image', {}, () => ({
      content: [
        { type: 'text', text: 'A picture.', _meta: { x: 1 } },
        { type: 'image', data: 'AAE=', mimeType: 'image/png' },
      ],
    }))
    it.registerTool('structured', { outputSchema: { total: z.number() } }, () => ({
      content: [
        { type: 'text', text: '{"total":3}' },
        { type: 'resource_link', uri: 'https://a.example/r', name: 'r' },
      ],
      structuredContent: { total: 3 },
    }))
    it.registerTool('fail', {}, () => ({ ...text('The date must be in the future.'), isError: true }))
    it.registerTool('nothing', {}, () => ({ content: [] }))
  })
  const main = await testApp(t, { catalog: catalogOf(server.url) })
  const { callTool: run, executionRows: logs } = connectedAccountHelpers(main, main.call)
  const outcome = async (name: string, args: Json = {}) => {
    const { status, body } = await run({ arguments: args }, `SHOP_${name.toUpperCase()}`)
    assert.equal(status, 200, JSON.stringify(body))
    return [body.successful, body.successful ? body.data : body.error]
  }
  return { outcome, logs }
}

test('mcp: the result of the server is the data of the tool', async (t) => {
  const { outcome, logs } = await startSampleServer(t)
  for (const [name, args, expected] of [
    ['echo', { text: 'hi' }, { value: 'hi' }],
    ['echo', {}, { value: '42' }],
    ['json', {}, { a: [1] }],
    ['list', {}, { items: [1, 2] }],
    ['nothing', {}, {}],
    [
      'image',
      {},
      {
        content: [
          { type: 'text', text: 'A picture.' },
          { type: 'image', data: 'AAE=', mimeType: 'image/png' },
        ],
      },
    ],
    [
      'structured',
      {},
      { total: 3, content: [{ type: 'resource_link', uri: 'https://a.example/r', name: 'r' }] },
    ],
  ] as [string, Json, Json][])
    assert.deepEqual([name, await outcome(name, args)], [name, [true, expected]])
  assert.deepEqual(await outcome('fail'), [false, 'The date must be in the future.'])
  const [successful, message] = await outcome('wish')
  assert.deepEqual([successful, /wish/.test(String(message))], [false, true])
  assert.deepEqual(
    (await logs())
      .filter(({ successful }) => !successful)
      .map(({ tool_slug, status_code }) => [tool_slug, status_code]),
    [
      ['SHOP_FAIL', 200],
      ['SHOP_WISH', 200],
    ],
  )
})

test('mcp: a session is of one user, starts again after the server ended it, and ends if not stored', async (t) => {
  const sessions = new Map()
  const server = await sdkServer(
    t,
    (it) => {
      let count = 0
      it.registerTool('count', {}, () => text(`{"count":${++count}}`))
    },
    { sessions },
  )
  const main = await testApp(t, { catalog: catalogOf(server.url) })
  const { callTool: run } = connectedAccountHelpers(main, main.call)
  const count = async (user?: string) =>
    ((await run({ arguments: {}, user_id: user }, 'SHOP_COUNT')).body.data as Json)['count']
  assert.deepEqual([await count('u1'), await count('u1'), await count('u2')], [1, 2, 1])
  const dry = (await run({ arguments: {}, response: { dry_run: true } }, 'SHOP_COUNT')).body.data as Json
  assert.deepEqual(
    [dry['request'].body.method, dry['request'].body.params, dry['request'].headers['mcp-session-id']],
    ['tools/call', { name: 'count', arguments: {} }, '[secret]'],
  )
  const before = server.seen.length
  sessions.clear()
  assert.deepEqual([await count('u1'), await count('u1')], [1, 2])
  assert.deepEqual(server.said().slice(before), [
    'tools/call',
    'initialize',
    'notifications/initialized',
    'tools/call',
    'tools/call',
  ])
  assert.ok(!server.said().includes('DELETE'))
  assert.deepEqual([await count(), await count()], [1, 1])
  while (server.said().filter((what) => what === 'DELETE').length < 2)
    await new Promise((resolve) => setImmediate(resolve))
})

test('mcp: the protocol of a server is detected once; arguments are sent in headers that it requires', async (t) => {
  const server = await modernServer(t, () => {
    const it = new ModernServer({ name: 'modern', version: '2' })
    it.registerTool(
      'echo',
      { inputSchema: z.object({ text: z.string().optional(), size: z.number().optional() }) },
      (args) => ({ content: [], structuredContent: args }),
    )
    return it
  })
  const main = await testApp(t, {
    catalog: catalogOf(server.url, undefined, { headers: { Word: 'text', Size: 'size' } }),
  })
  const { callTool: run } = connectedAccountHelpers(main, main.call)
  for (const args of [{ text: 'ü', size: 3 }, { size: 4 }])
    assert.deepEqual((await run({ arguments: args }, 'SHOP_ECHO')).body.data, args)
  assert.deepEqual(server.said(), ['server/discover', 'tools/call', 'tools/call'])
  assert.deepEqual(
    server.seen.slice(1).map(({ headers }) => [headers['mcp-param-word'], headers['mcp-param-size']]),
    [
      ['=?base64?w7w=?=', '3'],
      [undefined, '4'],
    ],
  )
})

test('mcp: rejected credentials are refreshed once, and a second rejection is counted', async (t) => {
  let tokens = 0
  const issuer = await upstream(t, () => ({ json: { access_token: `token-${++tokens}`, expires_in: 3600 } }))
  const accepts = { token: 'Bearer token-2' }
  const server = await sdkServer(
    t,
    (it) => {
      it.registerTool('echo', {}, () => text('in'))
    },
    {
      before: ({ headers }, response) =>
        headers.authorization === accepts.token ||
        (response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(), false),
    },
  )
  const main = await testApp(t, {
    catalog: catalogOf(server.url, [{ scheme: 'S2S_OAUTH2', token: { url: `${issuer.url}/token` } }, BEARER]),
  })
  const s = connectedAccountHelpers(main, main.call)
  const account = async (scheme: string, val: Json) =>
    s.addAccount(await s.addAuthConfig(scheme), scheme, val)
  const run = async (id: string) =>
    (await s.callTool({ arguments: {}, connected_account_id: id }, 'SHOP_ECHO')).body as Json
  const machine = await account('S2S_OAUTH2', CLIENT)
  assert.deepEqual([(await run(machine))['data'], tokens], [{ value: 'in' }, 2])
  assert.deepEqual([(await run(machine))['data'], tokens], [{ value: 'in' }, 2])
  accepts.token = 'Bearer other'
  const refused = await run(machine)
  assert.deepEqual([refused['successful'], refused['data']['status_code'], tokens], [false, 401, 3])
  assert.equal((await s.accountRow(machine))['auth_failures'], 1)
  accepts.token = 'Bearer my-token'
  const bearer = await account('BEARER_TOKEN', { token: 'my-token' })
  assert.deepEqual((await run(bearer))['data'], { value: 'in' })
  const wrong = await run(await account('BEARER_TOKEN', { token: 'wrong-token-123' }))
  assert.ok(!JSON.stringify(wrong).includes('wrong-token-123'))
})

test('mcp: errors of a server are failures of the tool; a server that is not reached is an API error', async (t) => {
  const answers: Record<string, (response: import('node:http').ServerResponse, id: unknown) => unknown> = {
    redirect: (response) => response.writeHead(308, { location: 'http://169.254.169.254/' }).end(),
    scope: (response) =>
      response
        .writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="files:write"' })
        .end(),
    url: (response, id) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          error: {
            code: -32042,
            message: 'Sign in.',
            data: { elicitations: [{ url: 'https://a.example/go' }] },
          },
        }),
      ),
    sse: (response) => response.writeHead(405).end(),
    big: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const more = () => {
        if (!response.destroyed) response.write('z'.repeat(1 << 16), more)
      }
      more()
    },
  }
  let kind = 'redirect'
  const server = await peer(t, (_request, response, body) =>
    answers[kind]!(response, (body as Json | undefined)?.['id']),
  )
  const main = await testApp(t, { catalog: catalogOf(server.url) })
  const { callTool: run } = connectedAccountHelpers(main, main.call)
  for (const [what, message] of [
    ['redirect', /not followed\. Import the server with that URL/],
    ['scope', /403 Client Error: Forbidden.*needs the scope files:write/],
    ['url', /Sign in\. The user has to visit https:\/\/a\.example\/go first/],
    ['sse', /405/],
    ['big', /larger than 10485760 bytes/],
  ] as const) {
    kind = what
    const { status, body } = await run({ arguments: {} }, 'SHOP_ECHO')
    assert.deepEqual([what, status, body.successful], [what, 200, false])
    assert.match(body.error!, message)
  }
  assert.equal(
    (
      await run(
        { arguments: {}, custom_auth_params: { base_url: 'http://127.0.0.1:1/mcp', parameters: [] } },
        'SHOP_ECHO',
      )
    ).status,
    502,
  )
})
