import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  BaseAgenticProvider,
  Composio,
  type CustomTool,
  experimental_createTool as createTool,
  SessionPreset,
  type Tool,
} from '@composio/core'
import { z } from 'zod'
import { upstream } from '../fixtures/upstream.ts'
import { connectParse, stockSdk } from './stock-sdk.ts'

type Run = (slug: string, input: Record<string, unknown>) => Promise<{ data: any }>
/** Hands out tools that run where the package decides. */
class Runnable extends BaseAgenticProvider<unknown, unknown, unknown> {
  readonly name = 'runnable'
  wrapTool(tool: Tool, run: unknown) {
    return { slug: tool.slug, run: (input: Record<string, unknown>) => (run as Run)(tool.slug, input) }
  }
  wrapTools(tools: Tool[], run: unknown) {
    return tools.map((tool) => this.wrapTool(tool, run))
  }
}

interface Wrapped {
  function: { name: string; parameters: { type: string } }
}

async function startSdk(t: TestContext) {
  const parse = await upstream(t, ({ path }) => ({ json: { objectId: path.split('/').at(-1), score: 7 } }))
  const sdk = await stockSdk(t)
  const { composio } = sdk
  const { authConfigId } = await connectParse(sdk, parse.url, 'ada')
  const object = { class_name: 'Game', object_id: 'g1' }
  const doubled = createTool('DOUBLE', {
    name: 'Double',
    description: 'Doubles a number.',
    inputParams: z.object({ n: z.number() }),
    execute: async ({ n }: { n: number }) => ({ doubled: 2 * n }),
  }) as CustomTool
  return { composio, authConfigId, object, sdk, doubled }
}

type Sdk = Awaited<ReturnType<typeof startSdk>>

test('every method of sessions works as it is', async (t) => {
  const fixture = await startSdk(t)

  await t.test('create, use, update, delete', () => checkLifecycle(fixture))

  await t.test('toolkits, tools, execute, search, proxyExecute, authorize, ensureConnected', () =>
    checkMethods(fixture),
  )

  await t.test('direct tools, and the MCP address', () => checkDirectTools(fixture))

  await t.test('custom tools run in the process of the caller, alone and within a batch', () =>
    checkCustomTools(fixture),
  )
})

async function checkLifecycle({ composio, authConfigId }: Sdk): Promise<void> {
  const session = await composio.sessions.create('ada', {
    toolkits: ['parse', 'utilities'],
    tools: { parse: { enable: ['PARSE_GET_OBJECT'] } },
    tags: { disable: ['destructiveHint'] },
    authConfigs: { parse: authConfigId },
    manageConnections: { enable: true, callbackUrl: 'https://app.example.com/done' },
    multiAccount: { enable: true },
    mcp: true,
  })
  assert.match(session.sessionId, /^trs_/)
  assert.deepEqual(
    [
      session.configVersion,
      session.warnings,
      session.sandbox?.enable,
      session.config.multi_account?.require_explicit_selection,
      /COMPOSIO_SEARCH_TOOLS/.test(session.experimental.assistivePrompt ?? ''),
    ],
    [1, [], true, true, true],
  )
  const used = await composio.sessions.use(session.sessionId)
  assert.deepEqual([used.sessionId, used.configVersion], [session.sessionId, 1])
  await session.update({ toolkits: ['utilities'], tools: {} as never })
  assert.deepEqual(
    [session.configVersion, (await session.toolkits()).items.map(({ slug }) => slug)],
    [2, ['utilities']],
  )
  assert.deepEqual(await session.delete(), { sessionId: session.sessionId, deleted: true })
  await assert.rejects(composio.sessions.use(session.sessionId), /404/)
}

async function checkMethods({ composio, authConfigId, object }: Sdk): Promise<void> {
  const session = await composio.sessions.create('ada', {
    toolkits: ['parse', 'utilities', 'hackernews'].slice(0, 2),
  })
  const { items } = await session.toolkits({ toolkits: ['parse', 'utilities'] })
  assert.deepEqual(
    items
      .map(({ slug, isNoAuth, connection }) => [
        slug,
        isNoAuth,
        connection?.isActive ?? false,
        connection?.authConfig?.id,
      ])
      .sort(),
    [
      ['parse', false, true, authConfigId],
      ['utilities', true, false, undefined],
    ],
  )
  const tools = (await session.tools()) as unknown as Wrapped[]
  assert.deepEqual(
    tools.map((one) => [one.function.name, one.function.parameters.type]),
    ['SEARCH_TOOLS', 'GET_TOOL_SCHEMAS', 'MULTI_EXECUTE_TOOL', 'MANAGE_CONNECTIONS'].map((name) => [
      `COMPOSIO_${name}`,
      'object',
    ]),
  )
  const got = await session.execute('PARSE_GET_OBJECT', object)
  assert.deepEqual([got.data['objectId'], got.error, /^log_/.test(got.logId)], ['g1', null, true])
  const failed = await session.execute('PARSE_GET_OBJECT', {})
  assert.ok(failed.error)
  const found = await session.search({ query: 'what time is it in a time zone', toolkits: ['utilities'] })
  assert.deepEqual([found.success, found.results[0]?.toolkits], [true, ['utilities']])
  const batch = await session.execute('COMPOSIO_MULTI_EXECUTE_TOOL', {
    tools: [{ tool_slug: 'PARSE_GET_OBJECT', arguments: object }],
    sync_response_to_workbench: false,
  })
  assert.equal((batch.data as any).results[0].response.data.objectId, 'g1', JSON.stringify(batch))
  const sent = await session.proxyExecute({ toolkit: 'parse', endpoint: '/classes/Game/g2', method: 'GET' })
  assert.deepEqual([sent.status, (sent.data as { objectId: string }).objectId], [200, 'g2'])
  const request = await session.authorize('parse', { callbackUrl: 'https://app.example.com/done' })
  assert.match(request.redirectUrl ?? '', /\/link\/lk_/)
  assert.deepEqual((await session.ensureConnected('parse')).wasConnected, true)
}

async function checkDirectTools({ composio, sdk, object }: Sdk): Promise<void> {
  const session = (await composio.sessions.create('ada', {
    sessionPreset: SessionPreset.DIRECT_TOOLS,
    tools: { parse: ['PARSE_GET_OBJECT'] },
    toolkits: ['parse'],
    mcp: true,
  } as never)) as any
  assert.deepEqual(
    ((await session.tools()) as Wrapped[]).map((one) => one.function.name),
    ['PARSE_GET_OBJECT'],
  )
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(new URL(session.mcp.url).pathname, sdk.baseURL), {
      requestInit: { headers: session.mcp.headers },
    }) as never,
  )
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    ['PARSE_GET_OBJECT'],
  )
  assert.equal(
    ((await client.callTool({ name: 'PARSE_GET_OBJECT', arguments: object })) as any).structuredContent.data
      .objectId,
    'g1',
  )
  await client.close()
}

async function checkCustomTools({ composio, doubled, sdk, object }: Sdk): Promise<void> {
  const session = await composio.sessions.create('ada', {
    toolkits: ['parse'],
    experimental: { customTools: [doubled] },
  })
  assert.deepEqual(
    session.customTools().map(({ slug }) => slug),
    ['LOCAL_DOUBLE'],
  )
  assert.deepEqual((await session.execute('LOCAL_DOUBLE', { n: 21 })).data, { doubled: 42 })
  const agentic = new Composio({
    apiKey: sdk.keys.projectApiKey,
    baseURL: sdk.baseURL,
    allowTracking: false,
    disableVersionCheck: true,
    provider: new Runnable() as never,
  })
  const tools = (await (
    await agentic.sessions.use(session.sessionId, { customTools: [doubled] })
  ).tools()) as ReturnType<Runnable['wrapTools']>
  const batch = await tools
    .find(({ slug }) => slug === 'COMPOSIO_MULTI_EXECUTE_TOOL')!
    .run({
      tools: [
        { tool_slug: 'LOCAL_DOUBLE', arguments: { n: 4 } },
        { tool_slug: 'PARSE_GET_OBJECT', arguments: object },
      ],
      sync_response_to_workbench: false,
    })
  assert.deepEqual(
    batch.data.results.map(({ response }: any) => response.data.doubled ?? response.data.objectId),
    [8, 'g1'],
    JSON.stringify(batch),
  )
  const again = await composio.sessions.use(session.sessionId, { customTools: [doubled] })
  assert.deepEqual((await again.execute('DOUBLE', { n: 1 })).data, { doubled: 2 })
  const found = await again.search({ query: 'double a number' })
  assert.ok(JSON.stringify(found).includes('LOCAL_DOUBLE'), JSON.stringify(found))
}
