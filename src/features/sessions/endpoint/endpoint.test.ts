import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import fc from 'fast-check'
import { testApp } from '#fixtures/app.ts'
import { roundRobin } from '#fixtures/round-robin.ts'
import { upstream } from '#fixtures/upstream.ts'
import { catalogFromSources } from '../../../catalog/index.ts'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { updateProjectConfig } from '../../../contract/projects/index.ts'
import * as meta from '../../../contract/sessions/index.ts'
import * as work from '../../../contract/sessions/index.ts'
import { connectedAccountHelpers } from '#fixtures/connected-accounts.ts'

type Body = Record<string, unknown>
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const API_KEY = { scheme: 'API_KEY', apply: { headers: { 'x-key': '{generic_api_key}' } } }
const tool = (slug: string, more: Body = {}) => sampleTool({ slug, name: slug.toLowerCase(), ...more })
const EFFECTS = [
  ['GET', {}],
  ['MAKE', { effect: 'create', request: { method: 'POST', path: '/orders/{id}' } }],
  ['DROP', { effect: 'delete', request: { method: 'DELETE', path: '/orders/{id}' } }],
] as const
const toolkit = (slug: string, url: string, auth: Body) => ({
  ...sampleSource(
    { slug, name: slug, base_url: url, auth: [auth] },
    EFFECTS.map(([verb, more]) => tool(`${slug.toUpperCase()}_${verb}`, more)),
  ),
  slug,
})
const TOOLKITS = ['shop', 'free', 'mail'] as const
const TOOLS = TOOLKITS.flatMap((slug) => EFFECTS.map(([verb]) => `${slug.toUpperCase()}_${verb}`))

interface Rpc {
  result?: any
  error?: { code: number; message: string }
}

async function startEndpoint(t: TestContext) {
  const stub = await upstream(t, ({ path }) => ({ json: { id: path.split('/').at(-1) } }))
  const catalog = catalogFromSources([
    toolkit('shop', stub.url, API_KEY),
    toolkit('free', stub.url, { scheme: 'NO_AUTH' }),
    toolkit('mail', stub.url, API_KEY),
  ])
  const main = await testApp(t, { catalog })
  const http = roundRobin([main, await testApp(t, { sameDatabaseAs: main, catalog })])
  const s = { ...main, ...connectedAccountHelpers(main, main.call) }
  const call = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
  const key = { 'x-api-key': s.keys.projectApiKey }
  const shop = await s.addAuthConfig('API_KEY')
  await s.addAccount(shop, 'API_KEY', { generic_api_key: 'key-12345' })
  const open = async (body: Body = {}) => {
    const reply = await call(work.createSession, { body: { user_id: 'u1', ...body } as never })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.session_id
  }
  const post = (
    id: string,
    payload: unknown,
    headers: Record<string, string> = key,
    url = `/tool_router/${id}/mcp`,
  ) =>
    http.inject({
      method: 'POST',
      url,
      headers: { ...HEADERS, ...headers },
      payload: JSON.stringify(payload),
    })
  const rpc = async (id: string, method: string, params: unknown = {}): Promise<Rpc> =>
    (await post(id, { jsonrpc: '2.0', id: 1, method, params })).json()
  const run = (id: string, name: string, args: unknown = { id: '7' }) =>
    rpc(id, 'tools/call', { name, arguments: args })
  const names = async (id: string) =>
    (await rpc(id, 'tools/list')).result.tools.map(({ name }: { name: string }) => name)
  return { http, open, call, key, stub, s, run, rpc, post, names }
}

type Endpoint = Awaited<ReturnType<typeof startEndpoint>>

test('sessions: the MCP endpoint works across two replicas', async (t) => {
  const fixture = await startEndpoint(t)

  await t.test(
    'session MCP endpoint: the official client searches, runs tools and reads results at the returned URL',
    () => checkOfficialClient(fixture, t),
  )

  await t.test(
    'session MCP endpoint: a hidden tool is unknown, an unlisted tool names the meta tool to use, and a missing ' +
      'connection returns a link',
    () => checkHiddenTools(fixture),
  )

  await t.test(
    'session MCP endpoint: a missing, deleted or foreign session gets the same 404, and a key is required unless ' +
      'the project allows access without it',
    () => checkUnknownSessions(fixture),
  )

  await t.test(
    'session MCP endpoint: for random configurations, exactly the tools in search, lists and schemas can be run',
    () => checkRandomConfigurations(fixture),
  )
})

async function checkOfficialClient({ http, open, call, key, stub }: Endpoint, t: TestContext): Promise<void> {
  const address = await http.listen(t)
  const id = await open({ preload: { tools: ['SHOP_GET'] } })
  const { mcp } = (await call(work.readSession, { params: { session_id: id } })).body
  const url = new URL(new URL(mcp.url).pathname, address)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: key } }) as never)
  assert.match(client.getInstructions() ?? '', /Start every task with SERVICE_SEARCH_TOOLS/)
  const { tools } = await client.listTools()
  const rest = (await call(work.sessionTools, { params: { session_id: id } })).body.items
  assert.deepEqual(
    tools.map(({ name }) => name),
    rest.map(({ slug }) => slug),
    'as GET tools lists them',
  )
  assert.equal(tools.find(({ name }) => name === 'SERVICE_GET_TOOL_SCHEMAS')?.annotations?.readOnlyHint, true)
  const found = await client.callTool({
    name: 'SERVICE_SEARCH_TOOLS',
    arguments: { queries: [{ use_case: 'get an order from the shop' }], session: { generate_id: true } },
  })
  const { successful, data, log_id: logId } = found.structuredContent as any
  assert.deepEqual(
    [successful, /^log_/.test(logId), found.isError, data.results[0].toolkits.includes('shop')],
    [true, true, false, true],
  )
  assert.deepEqual(JSON.parse((found.content as { text: string }[])[0]!.text), found.structuredContent)
  const batch = await client.callTool({
    name: 'SERVICE_MULTI_EXECUTE_TOOL',
    arguments: {
      tools: [{ tool_slug: 'SHOP_GET', arguments: { id: '9' } }],
      sync_response_to_workbench: false,
      session_id: data.session.id,
    },
  })
  assert.deepEqual(
    (batch.structuredContent as any).data.results[0].response.data,
    { id: '9' },
    JSON.stringify(batch),
  )
  const direct = await client.callTool({ name: 'SHOP_GET', arguments: { id: '7' } })
  assert.deepEqual(
    [(direct.structuredContent as any).data, stub.requests.at(-1)?.headers['x-key']],
    [{ id: '7' }, 'key-12345'],
  )
  await client.close()
}

async function checkHiddenTools({ s, open, run, rpc }: Endpoint): Promise<void> {
  await s.addAuthConfig('API_KEY')
  const id = await open({
    toolkits: { enable: ['shop', 'free'] },
    preload: { tools: ['FREE_GET', 'SHOP_GET'] },
    user_id: 'u2',
    manage_connections: { enable: true },
  })
  assert.equal((await run(id, 'MAIL_GET')).error?.code, -32602)
  assert.equal((await run(id, 'SERVICE_WAIT_FOR_CONNECTIONS', { toolkits: ['shop'] })).error?.code, -32602)
  assert.match(
    (await run(id, 'SHOP_DROP')).result.structuredContent.error,
    /Run it with SERVICE_MULTI_EXECUTE_TOOL/,
  )
  assert.deepEqual(
    [(await run(id, 'free_get')).result.structuredContent.data, (await run(id, 'SHOP_GET')).result.isError],
    [{ id: '7' }, true],
  )
  const { data, error } = (await run(id, 'SHOP_GET')).result.structuredContent
  assert.ok(
    /^http:\/\/localhost:3900\/link\/lk_/.test(data.redirect_url) && error.includes(data.redirect_url),
    error,
  )
  const quiet = await open({
    toolkits: { enable: ['shop'] },
    preload: { tools: ['SHOP_GET'] },
    user_id: 'u2',
    manage_connections: { enable: false },
    execute: { enable_multi_execute: false },
  })
  assert.doesNotMatch(JSON.stringify(await run(quiet, 'SHOP_GET')), /\/link\//)
  assert.match((await run(quiet, 'SHOP_DROP')).result.structuredContent.error, /not preloaded/)
  assert.deepEqual(
    [
      (await run(quiet, 'SERVICE_MULTI_EXECUTE_TOOL', { tools: [] })).error?.code,
      (await rpc(quiet, 'tools/list', { cursor: '???' })).error?.code,
    ],
    [-32602, -32602],
  )
}

async function checkUnknownSessions({ open, call, s, post, key, http }: Endpoint): Promise<void> {
  const [id, gone] = [await open(), await open()]
  await call(work.deleteSession, { params: { session_id: gone } })
  const theirs = (await (await s.otherProject())(work.createSession, { body: { user_id: 'u1' } })).body
    .session_id
  const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  for (const one of [gone, theirs, 'trs_000000000000', 'abc', '%00', 'x'.repeat(200)]) {
    const reply = await post(one, ping)
    assert.ok(reply.statusCode === 404 || one === '%00', `${one}: ${reply.statusCode}`)
    if (reply.statusCode === 404) assert.equal(reply.json().error.slug, 'ToolRouterV2_SessionNotFound')
  }
  const without = await post(id, ping, {})
  assert.deepEqual(
    [without.statusCode, String(without.headers['www-authenticate']).startsWith('Bearer')],
    [401, true],
  )
  assert.equal((await post(id, ping, { 'x-api-key': 'ak_wrong' })).statusCode, 401)
  await s.call(updateProjectConfig, { body: { require_mcp_api_key: false } })
  assert.equal((await post(id, ping, {})).statusCode, 200)
  await s.call(updateProjectConfig, { body: { require_mcp_api_key: true } })
  assert.equal(
    (await post(id, ping, key, `/tool_router/v3/${id}/mcp?user_id=u9`)).statusCode,
    200,
    'the older address; who acts is what the session says',
  )
  assert.equal(
    (await http.inject({ method: 'GET', url: `/tool_router/${id}/mcp`, headers: { ...HEADERS, ...key } }))
      .statusCode,
    405,
  )
  assert.equal((await post(id, ping, { ...key, origin: 'https://evil.example' })).statusCode, 403)
}

/** Filters of sessions: toolkits, tools and tags, each allowed or denied, alone or together. */
function randomFilters() {
  const hints = fc.uniqueArray(
    fc.constantFrom('readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint', 'createHint'),
    { maxLength: 2 },
  )
  const tags = fc.oneof(hints, fc.record({ enable: hints, disable: hints }, { requiredKeys: [] }))
  const toolkits = fc.subarray([...TOOLKITS])
  const listsOf = (slug: string) => {
    const own = fc.subarray(TOOLS.filter((name) => name.startsWith(slug.toUpperCase())))
    return fc.oneof(fc.record({ enable: own }), fc.record({ disable: own }), fc.record({ tags }))
  }
  return fc.record(
    {
      toolkits: fc.oneof(fc.record({ enable: toolkits }), fc.record({ disable: toolkits })),
      tools: fc.record(
        { shop: listsOf('shop'), free: listsOf('free'), mail: listsOf('mail') },
        { requiredKeys: [] },
      ),
      tags,
      preload: fc.constantFrom('some', 'none'),
    },
    { requiredKeys: [] },
  )
}

async function checkRandomConfigurations(fixture: Endpoint): Promise<void> {
  const { open, call, stub } = fixture
  await fc.assert(
    fc.asyncProperty(randomFilters(), async ({ preload, ...filters }) => {
      const id = await open(filters)
      const { data } = await runMeta(fixture, id, 'SERVICE_GET_TOOL_SCHEMAS', { tool_slugs: TOOLS })
      const visible = new Set(Object.keys(data.tool_schemas ?? {}))
      if (preload === 'some' && visible.size)
        await call(work.updateSession, {
          params: { session_id: id },
          body: { preload: { tools: [...visible].slice(0, 2) } },
        })
      for (const slug of await shownSlugs(fixture, id))
        assert.ok(visible.has(slug), `${slug} is shown in one place and hidden in another`)
      const before = stub.requests.length
      await checkRejectedCalls(
        fixture,
        id,
        TOOLS.filter((slug) => !visible.has(slug)),
      )
      assert.equal(stub.requests.length, before, 'nothing was sent')
      const connected = [...visible].find((slug) => !slug.startsWith('MAIL'))
      if (connected === undefined) return
      const { status } = await call(work.executeInSession, {
        params: { session_id: id },
        body: { tool_slug: connected, arguments: { id: '1' } },
      })
      assert.equal(status, 200, connected)
    }),
    { numRuns: 15, seed: 20_261_121 },
  )
}

async function runMeta({ call }: Endpoint, id: string, slug: string, args: Body): Promise<any> {
  const { body } = await call(meta.executeMeta, {
    params: { session_id: id },
    body: { slug, arguments: args } as never,
  })
  return body
}

/** The tools that the search and the tool list of the session name. */
async function shownSlugs({ call, names }: Endpoint, id: string): Promise<string[]> {
  const useCases = ['get, make or drop an order', 'drop in shop', 'free mail']
  const { body } = await call(meta.searchInSession, {
    params: { session_id: id },
    body: { queries: useCases.map((use_case) => ({ use_case })) },
  })
  const search = body as any
  return [
    ...search.results.flatMap((one: any) => [...one.primary_tool_slugs, ...one.related_tool_slugs]),
    ...Object.keys(search.tool_schemas),
    ...(await names(id)).filter((name: string) => !name.startsWith('SERVICE_')),
  ]
}

/** Checks that hidden tools return an error from a batch, the execute endpoint and MCP. */
async function checkRejectedCalls(fixture: Endpoint, id: string, hidden: string[]): Promise<void> {
  const { data } = await runMeta(fixture, id, 'SERVICE_MULTI_EXECUTE_TOOL', {
    tools: hidden.map((tool_slug) => ({ tool_slug, arguments: { id: '1' } })),
    sync_response_to_workbench: false,
  })
  for (const { error } of data.results ?? []) assert.ok(error)
  for (const slug of hidden) {
    const direct = await fixture.call(work.executeInSession, {
      params: { session_id: id },
      body: { tool_slug: slug, arguments: { id: '1' } },
    })
    assert.deepEqual([direct.status, (await fixture.run(id, slug)).error?.code], [404, -32602], slug)
  }
}
