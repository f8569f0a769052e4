import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Send, SOURCE, twoServers } from '#fixtures/two-servers.ts'
import { upstream } from '#fixtures/upstream.ts'
import type { Step } from './apply-project.ts'
import type { ProjectFile } from './project-file.ts'

const operation = (operationId: string, summary: string) => ({
  get: { operationId, summary, responses: { 200: { description: 'Found' } } },
})

/** An API description of a warehouse; each operation is `[path, operationId]`. */
const wares = (url: string, paths: readonly (readonly [string, string])[]) => ({
  openapi: '3.1.0',
  info: { title: 'Wares', version: '1' },
  servers: [{ url }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  security: [{ key: [] }],
  paths: Object.fromEntries(
    paths.map(([path, id]) => [path, operation(id, `Read ${path} of the warehouse`)]),
  ),
})

async function importDocument(send: Send, content: object, version?: string): Promise<string> {
  const body = { slug: 'wares', content, ...(version && { version }) }
  return ((await send('POST', '/toolkits/import', body)).body as { version: string }).version
}

const versionsOf = async (send: Send) =>
  (
    (await send('GET', '/toolkits/wares/versions')).body as { items: { version: string; digest: string }[] }
  ).items.map(({ version, digest }) => ({ version, digest }))

async function addAuthConfig(send: Send): Promise<string> {
  const { body } = await send('POST', '/auth_configs', {
    toolkit: { slug: 'wares' },
    auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', name: 'Wares' },
  })
  return (body as { auth_config: { id: string } }).auth_config.id
}

const stepsOf = (steps: readonly Step[], ...kinds: string[]) =>
  steps.filter(({ kind }) => kinds.includes(kind)).map(({ name, action }) => `${name}: ${action}`)

/** A source with two versions of a custom toolkit, the first of an earlier day. */
async function startWithToolkit(t: Parameters<typeof twoServers>[0]) {
  const stub = await upstream(t, ({ path }) => ({ json: { path } }))
  const servers = await twoServers(t)
  const first = await importDocument(
    servers.onSource,
    wares(stub.url, [['/crates', 'listCrates']]),
    '20250102_03',
  )
  const both = [
    ['/crates', 'listCrates'],
    ['/shelves', 'listShelves'],
  ] as const
  const second = await importDocument(servers.onSource, wares(stub.url, both))
  const exportSource = (file: string) => servers.run('export', file, '--url', SOURCE, '--api-key', sourceKey)
  const sourceKey = servers.source.keys.projectApiKey
  return { ...servers, stub, first, second, exportSource }
}

test('export and import: custom toolkits keep their versions, and their tools work on the other server', async (t) => {
  const s = await startWithToolkit(t)
  await addAuthConfig(s.onSource)
  const { code, out, err } = await s.exportSource('project.json')
  assert.equal(code, 0, err)
  assert.match(out, /2 toolkits, 1 auth configs/)

  const preview = await s.importSteps('project.json', '--dry-run')
  assert.deepEqual(stepsOf(preview.steps, 'toolkits', 'auth_configs'), [
    `wares ${s.first}: create`,
    `wares ${s.second}: create`,
    'Wares (wares): create',
  ])
  const done = await s.importSteps('project.json')
  assert.deepEqual(stepsOf(done.steps, 'toolkits', 'auth_configs'), [
    `wares ${s.first}: created`,
    `wares ${s.second}: created`,
    'Wares (wares): created',
  ])
  assert.equal(s.first, '20250102_03')
  assert.deepEqual(await versionsOf(s.onTarget), await versionsOf(s.onSource))
  const again = await s.importSteps(SOURCE)
  assert.deepEqual([...new Set(again.steps.map(({ action }) => action))], ['exists'])

  const configs = (await s.onTarget('GET', '/auth_configs')).body as { items: { id: string }[] }
  await s.onTarget('POST', '/connected_accounts', {
    auth_config: { id: configs.items[0]!.id },
    connection: { user_id: 'ada', state: { authScheme: 'API_KEY', val: { generic_api_key: 'key-of-ada' } } },
  })
  const call = { user_id: 'ada', version: s.first, arguments: {} }
  const { body } = await s.onTarget('POST', '/tools/execute/WARES_LIST_CRATES', call)
  assert.equal((body as { successful: boolean }).successful, true, JSON.stringify(body))
  assert.deepEqual(
    [s.stub.requests.at(-1)?.path, s.stub.requests.at(-1)?.headers['x-key']],
    ['/crates', 'key-of-ada'],
  )
  const next = await importDocument(s.onTarget, wares(s.stub.url, [['/crates', 'listCrates']]))
  assert.ok(next > s.second, 'a later import of the document continues the versions')
})

test('import: a version with other content is not replaced, and an older one is not added below it', async (t) => {
  const s = await startWithToolkit(t)
  await s.exportSource('project.json')
  const other = wares(s.stub.url, [['/lamps', 'listLamps']])
  await importDocument(s.onTarget, other, s.second)
  const before = await versionsOf(s.onTarget)
  const { code, steps } = await s.importSteps('project.json')
  assert.equal(code, 1)
  assert.deepEqual(
    steps.filter(({ kind }) => kind === 'toolkits').map(({ action, note }) => `${action}: ${note}`),
    [
      `failed: The version ${s.first} of wares is older than its newest version, ${s.second}.`,
      `failed: wares has a version ${s.second} with other content.`,
    ],
  )
  assert.deepEqual(await versionsOf(s.onTarget), before)
})

test('import: without its toolkit, an auth config is not created for another toolkit of the same slug', async (t) => {
  const s = await startWithToolkit(t)
  await addAuthConfig(s.onSource)
  await s.exportSource('project.json')
  const project = JSON.parse(readFileSync(join(s.cwd, 'project.json'), 'utf8')) as ProjectFile
  for (const toolkit of project.toolkits) delete toolkit['content_gzip']
  writeFileSync(join(s.cwd, 'without.json'), JSON.stringify(project))
  const { steps } = await s.importSteps('without.json')
  assert.deepEqual(stepsOf(steps, 'toolkits', 'auth_configs'), [
    `wares ${s.first}: skipped`,
    `wares ${s.second}: skipped`,
    'Wares (wares): skipped',
  ])
  // The remedy of the note.
  await importDocument(s.onTarget, wares(s.stub.url, [['/crates', 'listCrates']]))
  const again = await s.importSteps('without.json')
  assert.deepEqual(stepsOf(again.steps, 'auth_configs'), ['Wares (wares): created'])
})
