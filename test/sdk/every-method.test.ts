import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { upstream } from '../fixtures/upstream.ts'
import { connectParse, stockSdk } from './stock-sdk.ts'

/** Parts of the SDK, and their methods that its type declarations do not mark as private or internal. */
const METHODS = {
  authConfigs: 'list create get update delete updateStatus enable disable',
  connectedAccounts:
    'list initiate link waitForConnection get delete refresh updateStatus enable disable updateAcl update',
  mcp: 'create list get delete update generate',
  toolkits: 'get getAuthConfigCreationFields getConnectedAccountInitiationFields listCategories authorize',
  tools:
    'getRawComposioTools getRawToolRouterSessionTools getRawComposioToolBySlug get execute executeSessionTool ' +
    'getToolsEnum getInput proxyExecute',
  triggers:
    'setWebhookSubscription listActive create update delete disable enable listTypes getType listEnum subscribe ' +
    'unsubscribe parse verifyWebhook',
} as const
/** Methods of the classes that are called by the SDK itself, or send no request. */
const INTERNAL = new Set([
  'constructor',
  ...['clientWithoutRetries', 'getClient', 'getToolkits', 'getToolkitBySlug', 'getAuthConfigFields'],
  ...[
    'transformToolCases',
    'transformToolExecuteResponse',
    'applyDefaultSchemaModifiers',
    'applySchemaModifiers',
  ],
  ...['applyBeforeExecuteModifiers', 'applyAfterExecuteModifiers', 'applyFileUploadModifiers'],
  ...['wrapToolsForProvider', 'wrapToolsForToolRouter', 'createExecuteFnForProviders', 'createExecuteToolFn'],
  ...['createExecuteToolFnForToolRouter', 'executeComposioTool', 'executeWithTool', 'parseToolExecuteParams'],
  ...[
    'shouldSendTriggerAfterFilters',
    'tryParseVersionedPayload',
    'parsePusherPayload',
    'parseWebhookPayload',
  ],
  ...['normalizeV1Payload', 'normalizeV2Payload', 'normalizeV3Payload', 'verifyWebhookSignature'],
  'validateWebhookTimestamp',
])

test('SDK: every public method of the package is called by a test, and new methods are noticed', async (t) => {
  const { composio } = await stockSdk(t)
  const code = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
    .join('\n')
  for (const [part, names] of Object.entries(METHODS)) {
    const methods = Object.getOwnPropertyNames(
      Object.getPrototypeOf(composio[part as keyof typeof METHODS]),
    ).filter((name) => !INTERNAL.has(name))
    assert.deepEqual(methods.sort(), names.split(' ').sort(), part)
    for (const name of methods)
      assert.ok(code.includes(`${part}.${name}(`), `no test calls ${part}.${name}()`)
  }
})

async function startSdk(t: TestContext) {
  const parse = await upstream(t, ({ path }) => ({ json: { objectId: path.split('/').at(-1), score: 7 } }))
  const sdk = await stockSdk(t)
  const { authConfigId } = await connectParse(sdk, parse.url, 'ada')
  return { sdk, composio: sdk.composio, authConfigId, parse }
}

test('SDK: a tool of a session is executed by the id of the session, and its tools are listed', async (t) => {
  const { composio, parse } = await startSdk(t)
  const { sessionId } = await composio.create('ada', { toolkits: ['parse'] })
  const tools = await composio.tools.getRawToolRouterSessionTools(sessionId)
  assert.ok(tools.some(({ slug }) => slug === 'COMPOSIO_MULTI_EXECUTE_TOOL'))
  const { data, successful } = await composio.tools.executeSessionTool('PARSE_GET_OBJECT', {
    sessionId,
    arguments: { class_name: 'Game', object_id: 'g1' },
  })
  assert.deepEqual([data['objectId'], successful], ['g1', true])
  assert.equal(parse.requests.at(-1)?.path, '/classes/Game/g1')
})

test('SDK: updateStatus of an auth config disables and enables it', async (t) => {
  const { composio, authConfigId } = await startSdk(t)
  for (const status of ['DISABLED', 'ENABLED'] as const) {
    await composio.authConfigs.updateStatus(status, authConfigId)
    assert.equal((await composio.authConfigs.get(authConfigId)).status, status)
  }
})

test('SDK: the URL that mcp.generate returns is called by an MCP client', async (t) => {
  const { sdk, composio, authConfigId } = await startSdk(t)
  const server = await composio.mcp.create('Scores', {
    toolkits: [{ toolkit: 'parse', authConfigId }],
    allowedTools: ['PARSE_GET_OBJECT'],
  })
  const { url } = await composio.mcp.generate('ada', server.id, { manuallyManageConnections: true })
  const { pathname, search } = new URL(url)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${sdk.baseURL}${pathname}${search}`), {
      requestInit: { headers: { 'x-api-key': sdk.keys.projectApiKey } },
    }) as never,
  )
  const called = await client.callTool({
    name: 'PARSE_GET_OBJECT',
    arguments: { class_name: 'Game', object_id: 'g1' },
  })
  assert.match(JSON.stringify(called.content), /g1/)
  await client.close()
})
