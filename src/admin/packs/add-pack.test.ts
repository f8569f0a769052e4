import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { temporaryCache } from '#fixtures/files.ts'
import { until } from '#fixtures/until.ts'
import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { listToolkits, readToolkit } from '../../contract/toolkits/index.ts'
import { listTools } from '../../contract/tools/index.ts'
import { listInstanceToolkits, deleteInstanceToolkits } from '../../features/toolkits/custom/index.ts'
import { connect } from '../../platform/db/pool.ts'
import { type AddResult, addPack, type AddOptions, SOURCE_KIND } from './add-pack.ts'
import type { Pack } from './packs.ts'
import { openSource } from './source.ts'
import { packOf, samplePackage } from '#fixtures/packs.ts'

const KEYS = ['xkcd.com', 'color.pizza', 'bintable.com', 'ip2proxy.com', 'biztoc.com']
const NOTE = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Notes API', version: '7.1' },
  servers: [{ url: 'https://notes.example.com' }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } },
  security: [{ key: [] }],
  paths: { '/notes': { get: { operationId: 'listNotes', summary: 'List all notes', responses: {} } } },
})
const EMPTY = JSON.stringify({ openapi: '3.0.0', info: { title: 'Empty', version: '1' }, paths: {} })

/**
 * The application, and a package of documents of which the last two are ours: one with a tool, one without.
 */
async function world(t: TestContext) {
  const s = await testApp(t)
  const folder = temporaryCache(t)
  const more = { 'notes.example.com': NOTE, 'empty.example.com': EMPTY }
  const keys = [...KEYS, ...Object.keys(more)]
  const pack = await samplePackage(folder, KEYS, more)
  const db = connect(s.databaseUrl, { max: 2 })
  t.after(() => db.close())
  const toolkitCacheDir = temporaryCache(t)
  const documents = async (of: Pack = pack) =>
    (await openSource(of, { path: folder, cache: folder, onStep() {} })).documents
  const options = async (with_: Partial<AddOptions> = {}): Promise<AddOptions> => ({
    pack,
    documents: await documents(with_.pack),
    includes: () => true,
    again: false,
    db,
    now: Date.now,
    toolkitCacheDir: toolkitCacheDir,
    reservedSlugs: new Set(['xkcd']),
    threads: 1,
    signal: new AbortController().signal,
    onProgress() {},
    ...with_,
  })
  const sees = async (slug: string) => (await s.call(readToolkit, { params: { slug } })).status === 200
  return {
    ...s,
    folder,
    pack,
    keys,
    db,
    toolkitCacheDir,
    documents,
    options,
    sees,
    stored: async () => (await listInstanceToolkits(db, SOURCE_KIND)).map(({ slug }) => slug),
  }
}

const ALL = ['bintable', 'biztoc', 'color_pizza', 'ip2proxy', 'notes_example', 'xkcd_api']
const figures = ({ documents, added, changed, unchanged, skipped, rejected, interrupted }: AddResult) => [
  documents,
  added,
  changed,
  unchanged,
  skipped,
  rejected.map(({ document }) => document),
  interrupted,
]

test('catalog add: a killed run keeps toolkits, the next run continues, and running servers load them', async (t) => {
  const s = await world(t)
  const child = fork(join(import.meta.dirname, '../../../test/fixtures/packs.child.ts'), [
    JSON.stringify({
      databaseUrl: s.databaseUrl,
      pack: s.pack,
      documents: await s.documents(),
      toolkitCacheDir: s.toolkitCacheDir,
    }),
  ])
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const before = await s.stored()
  assert.ok(before.length === 3 || before.length === 2, before.join())
  const added = await addPack(await s.options({ reservedSlugs: new Set() }))
  assert.deepEqual(figures(added), [7, 6 - before.length, 0, 0, before.length, ['empty.example.com'], false])
  assert.deepEqual(
    await s.stored(),
    ALL.map((slug) => slug.replace('_api', '')),
  )
  await until('the server has all of them', () => s.sees('xkcd'))
  const { body } = await s.call(listTools, { query: { query: 'list all notes' } })
  assert.equal((body as { items: { slug: string }[] }).items[0]?.slug, 'NOTES_EXAMPLE_LIST_NOTES')
  assert.equal((await readdir(s.toolkitCacheDir)).length, 6, 'the cache of the server is filled too')
})

test('catalog add: a run can be stopped between documents, and a repeated run changes nothing', async (t) => {
  const s = await world(t)
  const stopping = new AbortController()
  const first = await addPack(
    await s.options({
      signal: stopping.signal,
      onProgress: ({ done }) => {
        if (done === 2) stopping.abort()
      },
    }),
  )
  assert.deepEqual([first.interrupted, (await s.stored()).length], [true, first.added])
  const second = await addPack(await s.options())
  assert.deepEqual([second.added + first.added, second.skipped, second.interrupted], [6, first.added, false])
  assert.deepEqual(await s.stored(), ALL, 'a slug that is built in is left to that toolkit')
  assert.deepEqual(figures(await addPack(await s.options())), [7, 0, 0, 0, 6, ['empty.example.com'], false])
  assert.deepEqual(figures(await addPack(await s.options({ again: true, threads: 2 }))), [
    7,
    0,
    0,
    6,
    0,
    ['empty.example.com'],
    false,
  ])
  assert.deepEqual(
    figures(await addPack(await s.options({ includes: (key) => key.startsWith('b'), again: true }))),
    [2, 0, 0, 2, 0, [], false],
  )
})

test('catalog add: a server builds the cache of many new toolkits in worker threads', async (t) => {
  const s = await world(t)
  const many = Object.fromEntries(
    Array.from({ length: 24 }, (_, at) => [
      `many.example.com/notes-${at}`,
      NOTE.replace('Notes API', `Notes ${at}`),
    ]),
  )
  const pack = await samplePackage(s.folder, KEYS, {
    'notes.example.com': NOTE,
    'empty.example.com': EMPTY,
    ...many,
  })
  await addPack(await s.options({ pack, threads: 2 }))
  const [first] = Object.keys(many)
  await until(
    'the server has all of them',
    async () =>
      (await s.call(listToolkits, { query: { search: 'notes', limit: 100 } })).body.items.filter(({ slug }) =>
        slug.startsWith('many_example_notes_'),
      ).length === 24,
  )
  const { body } = await s.call(listTools, {
    query: {
      toolkit_slug: `many_example_${first!.split('/')[1]!.replace('-', '_')}`,
      toolkit_versions: 'latest',
    } as never,
  })
  assert.equal((body as { items: unknown[] }).items.length, 1)
})

test('catalog add: changes of a new release become new versions, and tools keep their slugs', async (t) => {
  const s = await world(t)
  await addPack(await s.options())
  await writeFile(
    join(s.folder, 'api/notes.example.com.json'),
    NOTE.replace('"7.1"', '"8.0"')
      .replace('listNotes', 'notesIndex')
      .replace('"/notes":', '"/pins":{"get":{"operationId":"listPins","responses":{}}},"/notes":'),
  )
  const pack = await packOf(s.folder, s.keys, '1.1.0')
  assert.deepEqual(figures(await addPack(await s.options({ pack }))), [
    7,
    0,
    1,
    5,
    0,
    ['empty.example.com'],
    false,
  ])
  await until(
    'the server has the new version',
    async () =>
      (await s.call(readToolkit, { params: { slug: 'notes_example' } })).body.meta?.available_versions
        .length === 3,
  )
  const { body } = await s.call(listTools, {
    query: { toolkit_slug: 'notes_example', toolkit_versions: 'latest' } as never,
  })
  assert.deepEqual(
    (body as { items: { slug: string }[] }).items.map(({ slug }) => slug),
    ['NOTES_EXAMPLE_LIST_NOTES', 'NOTES_EXAMPLE_LIST_PINS'],
  )
  assert.deepEqual(figures(await addPack(await s.options({ pack }))), [
    7,
    0,
    0,
    0,
    6,
    ['empty.example.com'],
    false,
  ])
})

test('catalog remove: toolkits are removed, except those that auth configs use', async (t) => {
  const s = await world(t)
  await addPack(await s.options())
  await until('the server has them', () => s.sees('notes_example'))
  const made = await s.call(createAuthConfig, {
    body: {
      toolkit: { slug: 'notes_example' },
      auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', credentials: {} },
    } as never,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.deepEqual(
    (await deleteInstanceToolkits(s.db, await s.stored())).sort(),
    ALL.filter((slug) => slug !== 'notes_example'),
  )
  await until('the server knows', async () => !(await s.sees('ip2proxy')))
  assert.ok(await s.sees('notes_example'))
  assert.equal((await s.call(listToolkits, { query: { search: 'ip2proxy' } })).body.items.length, 0)
})

test('catalog add: a package that differs from the published one is rejected', async (t) => {
  const s = await world(t)
  const file = join(s.folder, 'api/notes.example.com.json')
  await writeFile(file, (await readFile(file, 'utf8')).replace('notes.example.com', 'evil.example.com'))
  await assert.rejects(s.documents(), /not sample-package 1\.0\.0 as it was published.*Nothing was added/)
  assert.deepEqual(await s.stored(), [])
})
