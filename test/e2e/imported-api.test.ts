// An API document becomes a toolkit of a project, and its tools do what the program says that it describes.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createAuthConfig } from '../../src/contract/auth-configs/index.ts'
import { createConnectedAccount } from '../../src/contract/connected-accounts/index.ts'
import {
  importToolkit,
  listToolkits,
  readToolkit,
  type ToolkitImport,
} from '../../src/contract/toolkits/index.ts'

import { executeTool, listTools, readTool } from '../../src/contract/tools/index.ts'
import { testApp } from '../fixtures/app.ts'
import type { Client } from '../fixtures/client.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { startParseServer } from '../fixtures/real-applications/parse-server.ts'

type Json = Record<string, unknown>

/** What a developer does: import, say how users sign in, connect one, execute. */
function developer(call: Client) {
  return {
    async imports(body: ToolkitImport) {
      const { status, body: report } = await call(importToolkit, { body })
      assert.equal(status, 200, JSON.stringify(report))
      return report
    },
    async connect(slug: string, val: Json) {
      const config = await call(createAuthConfig, {
        body: {
          toolkit: { slug },
          auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} },
        } as never,
      })
      const connected = await call(createConnectedAccount, {
        body: {
          auth_config: { id: config.body.auth_config.id },
          connection: { user_id: 'u1', state: { authScheme: 'API_KEY', val } },
        } as never,
      })
      assert.equal(connected.status, 201, JSON.stringify(connected.body))
    },
    async execute(slug: string, args: Json, version?: string) {
      const { status, body } = await call(executeTool, {
        params: { tool_slug: slug },
        body: { user_id: 'u1', arguments: args, ...(version !== undefined && { version }) } as never,
      })
      assert.equal(status, 200, JSON.stringify(body))
      return body as unknown as { successful: boolean; error: string | null; data: Json }
    },
  }
}

async function importOwnApi(t: TestContext) {
  const target = await testApp(t)
  const origin = await target.app.http.listen({ port: 0, host: '127.0.0.1' })
  const main = await testApp(t)
  const { imports, connect, execute } = developer(main.call)
  const first = await imports({ url: `${origin}/openapi.json`, slug: 'itself', server: origin })
  assert.deepEqual(
    [first.type, first.created, first.refused, first.quarantined, first.difference],
    ['openapi', true, [], [], null],
  )
  await connect('itself', { generic_api_key: target.keys.projectApiKey })
  const slugOf = async (query: string) =>
    (await main.call(listTools, { query: { toolkit_slug: ['itself'], query, limit: 1 } })).body.items[0]!.slug
  return { execute, slugOf, imports, origin, first, target, main }
}

type ImportedApi = Awaited<ReturnType<typeof importOwnApi>>

test('the document of a running server is imported from it, and its tools act on that server', async (t) => {
  const imported = await importOwnApi(t)
  const { main } = imported
  await checkCalls(imported)
  await checkNextVersion(imported)

  const other = await main.otherProject()
  assert.deepEqual(
    (
      await Promise.all([
        other(readToolkit, { params: { slug: 'itself' } }),
        other(readTool, { params: { tool_slug: 'ITSELF_V3_TOOLKITS_LIST' } }),
      ])
    ).map(({ status }) => status),
    [404, 404],
  )
  assert.equal(
    (await other(listToolkits, { query: { search: 'itself' } })).body.items.some(
      ({ slug }) => slug === 'itself',
    ),
    false,
  )
})

async function checkCalls({ execute, slugOf }: ImportedApi): Promise<void> {
  const listed = await execute('ITSELF_V3_TOOLKITS_LIST', { limit: 2 })
  assert.deepEqual([listed.successful, (listed.data['items'] as unknown[]).length], [true, 2])
  const made = await execute('ITSELF_V3_AUTH_CONFIGS_CREATE', {
    toolkit: { slug: 'github' },
    auth_config: {
      type: 'use_custom_auth',
      authScheme: 'BEARER_TOKEN',
      credentials: {},
      name: 'From a tool',
    },
  })
  assert.equal(made.successful, true, JSON.stringify(made))
  const { id } = made.data['auth_config'] as { id: string }
  assert.deepEqual((await execute('ITSELF_V3_AUTH_CONFIGS_READ', { nanoid: id })).data['id'], id)
  assert.equal((await execute('ITSELF_V3_AUTH_CONFIGS_DELETE', { nanoid: id })).successful, true)
  const missing = await execute('ITSELF_V3_AUTH_CONFIGS_READ', { nanoid: id })
  assert.deepEqual([missing.successful, missing.data['status_code']], [false, 404])
  assert.match(
    await slugOf('delete an auth config'),
    /^ITSELF_V3_(1_)?AUTH_CONFIGS_DELETE$/,
    'the search knows its tools',
  )
}

async function checkNextVersion({ imports, origin, first, target, execute }: ImportedApi): Promise<void> {
  // Again: nothing new, then a change with what it breaks; the version before stays as it was.
  const again = await imports({ url: `${origin}/openapi.json`, slug: 'itself', server: origin })
  assert.deepEqual([again.created, again.version], [false, first.version])
  const document = (await target.app.http.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, { operationId: string; parameters: unknown[] }>>
  }>()
  const [path] = Object.keys(document.paths).filter((one) => one === '/api/v3/toolkits')
  const operation = document.paths[path!]!['get']!
  operation.operationId = 'renamed'
  operation.parameters = [
    ...operation.parameters,
    { name: 'shade', in: 'query', required: true, schema: { type: 'string' } },
  ]
  const packed: ToolkitImport = { content: JSON.stringify(document), slug: 'itself', server: origin }
  const dry = await imports({ ...packed, dry_run: true })
  const next = await imports(packed)
  assert.deepEqual(
    [dry.version, dry.difference],
    [null, next.difference],
    'a dry run tells the same and keeps nothing',
  )
  assert.deepEqual(
    next.difference?.changed.map(({ slug, breaking }) => [slug, breaking]),
    [['ITSELF_V3_TOOLKITS_LIST', ['`shade` is new and required.']]],
  )
  assert.match((await execute('ITSELF_V3_TOOLKITS_LIST', { limit: 1 }, 'latest')).error!, /shade/)
  assert.equal((await execute('ITSELF_V3_TOOLKITS_LIST', { limit: 1 }, first.version!)).successful, true)
}

test('a GraphQL server is imported from its endpoint, and its tools act on it', async (t) => {
  const peer = await startParseServer({ databaseUrl: await clonedDatabase(t, 'template1') })
  t.after(() => peer.stop())
  const { imports, connect, execute } = developer((await testApp(t)).call)
  const report = await imports({
    url: peer.graphqlUrl,
    slug: 'notes',
    headers: { 'x-parse-application-id': peer.applicationId, 'x-parse-master-key': peer.masterKey },
    auth_schemes: [
      {
        scheme: 'API_KEY',
        apply: {
          headers: {
            'x-parse-rest-api-key': '{generic_api_key}',
            'x-parse-application-id': '{application}',
          },
        },
        fields: {
          connected_account_initiation: [
            { name: 'application', display_name: 'Application', description: 'Id of the application.' },
          ],
        },
      } as never,
    ],
  })
  assert.equal(report.type, 'graphql')
  assert.equal(JSON.stringify(report).includes(peer.masterKey), false)
  await connect('notes', { generic_api_key: peer.restApiKey, application: peer.applicationId })
  const made = await execute('NOTES_CREATE_USER', {
    fields: { username: 'ada', password: 'secret-17', ACL: { public: { read: true, write: false } } },
  })
  assert.equal(made.successful, true, JSON.stringify(made))
  const listed = await execute('NOTES_LIST_USERS', { where: { username: { equalTo: 'ada' } } })
  assert.deepEqual(
    (listed.data['edges'] as { node: { username: string } }[]).map(({ node }) => node.username),
    ['ada'],
  )
  const refused = await execute('NOTES_CREATE_USER', { fields: { username: 'ada', password: 'secret-17' } })
  assert.deepEqual(
    [refused.successful, /already exists/.test(refused.error!)],
    [false, true],
    'an error that comes with status 200 is one',
  )
})
