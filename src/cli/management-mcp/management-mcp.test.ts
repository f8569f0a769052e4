import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type TestApp, testApp } from '#fixtures/app.ts'
import { routes } from '../../contract/index.ts'
import { createProjectKey } from '../../contract/projects/index.ts'
import type { Io } from '../io.ts'
import { findOperation } from './operations.ts'
import { createManagement } from './server.ts'
import { serveOnHttp } from './serve.ts'

const PROGRAM = join(import.meta.dirname, '../../../bin/patchbay.js')
const quiet = () => new Writable({ write: (_part, _encoding, done) => done() })

async function listen(t: TestContext): Promise<TestApp & { url: string }> {
  const product = await testApp(t)
  await product.app.http.listen({ host: '127.0.0.1', port: 0 })
  return {
    ...product,
    url: `http://127.0.0.1:${(product.app.http.server.address() as AddressInfo).port}`,
  }
}

function management({ url, keys }: { url: string; keys: TestApp['keys'] }, key?: string, isReadOnly = false) {
  const io: Io = { env: {}, stdout: quiet(), stderr: quiet(), cwd: '/' }
  return {
    io,
    connection: { url, apiKey: key ?? keys.projectApiKey },
    version: 'v3.1' as const,
    programVersion: '0.0.0-test',
    isReadOnly,
  }
}

const textOf = (outcome: unknown) => (outcome as { content: { text: string }[] }).content[0]?.text ?? ''
const isError = (outcome: unknown) => (outcome as { isError?: boolean }).isError === true

test('management: every operation can be found, described and called by its id', () => {
  for (const { id, streams } of routes) {
    const tool = findOperation(id, false)
    assert.equal(tool === undefined, Boolean(streams), id)
    if (tool) assert.ok(tool.description.length > 20, id)
  }
})

test('management: an agent creates an auth config, and finds, describes and calls a rarer operation', async (t) => {
  const { call } = createManagement(management(await listen(t)))
  const created = await call('auth_configs_create', {
    toolkit: { slug: 'github' },
    auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', name: 'by an agent' },
  })
  assert.ok(!isError(created), textOf(created))
  const { id } = (JSON.parse(textOf(created)) as { auth_config: { id: string } }).auth_config

  const found = await call('find_operations', { text: 'disable an auth config' })
  assert.match(textOf(found), /"authConfigs\.setStatus"/)
  const described = await call('describe_operation', { operation: 'authConfigs.setStatus' })
  assert.match(textOf(described), /"nanoid"/)
  const disabled = await call('call_operation', {
    operation: 'authConfigs.setStatus',
    inputs: { nanoid: id, status: 'DISABLED' },
  })
  assert.ok(!isError(disabled), textOf(disabled))
  const listed = await call('auth_configs_list', { show_disabled: true })
  assert.match(textOf(listed), /"status":"DISABLED"/)
})

test('management: mistakes are results that say what to correct', async (t) => {
  const { call } = createManagement(management(await listen(t)))
  const cases = [
    ['auth_configs_list', { colour: 'red' }, /authConfigs\.list has no input "colour"\. It has: /],
    ['toolkits_read', {}, /toolkits\.read needs slug/],
    [
      'call_operation',
      { operation: 'authConfigs.disable' },
      /There is no operation .* Did you mean .*authConfigs\./,
    ],
    ['call_operation', { operation: 'authConfigs.list', inputs: [] }, /inputs must be an object/],
    ['auth_configs_create', { toolkit: { slug: 'gitub' } }, /github/],
    ['find_operations', { text: '???' }, /No operation matches/],
  ] as const
  for (const [name, args, message] of cases) {
    const outcome = await call(name, args)
    assert.ok(isError(outcome), name)
    assert.match(textOf(outcome), message)
  }
  assert.equal(await call('constructor', {}), undefined)
})

test('management: the permissions of the key apply, and --read-only leaves out what changes something', async (t) => {
  const product = await listen(t)
  const reader = await product.org(createProjectKey, {
    params: { nano_id: product.keys.projectId },
    body: { name: 'reader', permissions: { tools: ['read'] } },
  })
  const limited = createManagement(management(product, reader.body.key))
  assert.ok(!isError(await limited.call('tools_list', { toolkit_slug: 'utilities' })))
  const denied = await limited.call('auth_configs_list', {})
  assert.ok(isError(denied))
  assert.match(textOf(denied), /auth_configs/)

  const readOnly = createManagement(management(product, undefined, true))
  assert.ok(readOnly.list().every(({ name }) => !/_(create|update|execute|import|upsert|link)$/.test(name)))
  assert.equal(await readOnly.call('auth_configs_create', {}), undefined)
  assert.ok(isError(await readOnly.call('call_operation', { operation: 'authConfigs.delete', inputs: {} })))
})

test('management: the official client works over standard input and output', async (t) => {
  const { url, keys } = await listen(t)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', 'serve', '--url', url],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        PATCHBAY_API_KEY: keys.projectApiKey,
      },
      cwd: '/',
    }),
  )
  t.after(() => client.close())
  assert.match(client.getInstructions() ?? '', /Patchbay project/)
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name, annotations }) => name === 'logs_search' || annotations?.readOnlyHint))
  const outcome = await client.callTool({ name: 'session_info', arguments: {} })
  assert.match(textOf(outcome), /"api_key"/)
})

test('management: over HTTP every request needs a key, and a foreign host name is rejected', async (t) => {
  const product = await listen(t)
  const { url, server } = await serveOnHttp(management(product), 0)
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const post = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  assert.equal((await post({})).status, 401)
  assert.equal((await post({ 'x-api-key': 'ak_x', origin: 'https://evil.example' })).status, 403)

  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${product.keys.projectApiKey}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  t.after(() => client.close())
  const outcome = await client.callTool({ name: 'toolkits_list', arguments: { search: 'github', limit: 1 } })
  assert.match(textOf(outcome), /"github"/)
  const stranger = new Client({ name: 'test', version: '1' })
  const wrongKey = { headers: { authorization: 'Bearer ak_wrong' } }
  await stranger.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: wrongKey }))
  t.after(() => stranger.close())
  assert.ok(isError(await stranger.callTool({ name: 'toolkits_list', arguments: {} })))
})
