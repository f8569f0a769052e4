import assert from 'node:assert/strict'
import { readdirSync, truncateSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readToolkit, listToolkitVersions } from '../../../contract/toolkits/index.ts'
import { readTool } from '../../../contract/tools/index.ts'
import type { TestApp } from '#fixtures/app.ts'
import { temporaryCache } from '#fixtures/files.ts'
import { until } from '#fixtures/until.ts'
import { prepare, sampleImport } from '#fixtures/custom-toolkits.ts'
import { start, NOW, slugsIn, builtIn } from '#fixtures/own-toolkits.ts'

const DAY = 86_400_000

async function storeTwoVersions(t: TestContext) {
  const { call, as, keys, own, one, app } = await start(t)
  const newer = as({ 'x-api-key': keys.projectApiKey }, 'v3.1')
  const source = { kind: 'openapi' }
  const first = sampleImport('wares', [
    ['WARES_COUNT', 'Count crates'],
    ['WARES_OLD', 'Burn crate'],
  ])
  await own.put(one, first, source, NOW)
  assert.deepEqual(
    [
      (await own.put(one, first, source, NOW + DAY)).created,
      (await own.put(one, { ...first, tools: [...first.tools].reverse() }, source, NOW)).version,
    ],
    [false, '20261121_00'],
    'the same content is the same version',
  )
  const second = await own.put(
    one,
    sampleImport('wares', [
      ['WARES_COUNT', 'Count crates'],
      ['WARES_NEW', 'Stack crates'],
    ]),
    source,
    NOW,
  )
  assert.deepEqual(
    [second.version, second.difference?.added, second.difference?.removed],
    ['20261121_01', ['WARES_NEW'], ['WARES_OLD']],
  )
  assert.equal(
    (await own.put(one, first, source, NOW + DAY)).version,
    '20261122_00',
    'former content is a version of its own',
  )
  assert.deepEqual(JSON.parse((await own.findNewest(one, 'wares'))!.origins), {
    'GET /Burn crate': 'WARES_OLD',
    'GET /Count crates': 'WARES_COUNT',
    'GET /Stack crates': 'WARES_NEW',
  })

  const read = async (version?: string) => {
    const { status, body } = await call(readToolkit, {
      params: { slug: 'wares' },
      query: (version === undefined ? {} : { version }) as never,
    })
    return status === 200 ? [body.meta.version, body.meta.tools_count] : [status, body.error.slug]
  }
  return { read, newer, app, keys, call }
}

type TwoVersions = Awaited<ReturnType<typeof storeTwoVersions>>

test('custom toolkit: a version never changes', async (t) => {
  const stored = await storeTwoVersions(t)
  const { newer, call } = stored
  await checkSelectedVersions(stored)
  assert.equal(
    (await newer(readTool, { params: { tool_slug: 'WARES_NEW' }, query: { version: '20261121_01' } })).body
      .version,
    '20261121_01',
  )
  const {
    body: { items },
  } = await call(listToolkitVersions, { params: { slug: 'wares' } })
  assert.deepEqual(
    items.map(({ version }) => version),
    ['20261122_00', '20261121_01', '20261121_00'],
  )
  assert.match(items[1]!.changes, /1 tool added \(WARES_NEW\)\. 1 tool removed \(WARES_OLD\)\./)
})

async function checkSelectedVersions({ read, newer, app, keys }: TwoVersions): Promise<void> {
  assert.deepEqual(
    [
      await read(),
      await read('latest'),
      await read('00000000_00'),
      await read('20261121_01'),
      await read('20200101_00'),
    ],
    [
      ['20261122_00', 2],
      ['20261122_00', 2],
      ['00000000_00', 2],
      ['20261121_01', 2],
      [404, 'Toolkit_VersionNotFound'],
    ],
  )
  const own2 = { toolkit_slug: ['wares'] }
  assert.deepEqual(await slugsIn(newer, own2), ['WARES_COUNT', 'WARES_OLD'])
  assert.deepEqual(await slugsIn(newer, { ...own2, toolkit_versions: '20261121_01' }), [
    'WARES_COUNT',
    'WARES_NEW',
  ])
  const bracket = await app.http.inject({
    url: '/api/v3.1/tools?toolkit_versions[wares]=20261121_01&toolkit_slug=wares',
    headers: { 'x-api-key': keys.projectApiKey },
  })
  assert.deepEqual(
    bracket.json<{ items: { slug: string }[] }>().items.map(({ slug }) => slug),
    ['WARES_COUNT', 'WARES_NEW'],
  )
  assert.equal((await newer(readTool, { params: { tool_slug: 'WARES_NEW' } })).status, 404)
}

test('custom toolkit: other processes and later starts see it, and a damaged cache file is repaired', async (t) => {
  const cacheDir = temporaryCache(t)
  const { own, one, keys, databaseUrl, call } = await start(t, { cacheDir })
  await own.put(one, sampleImport('wares', [['WARES_COUNT', 'Count crates']]), { kind: 'openapi' }, NOW)
  const replica = async (dir = temporaryCache(t)) => {
    const app = await secondApp(t, databaseUrl, dir)
    return { app, call: app.as({ 'x-api-key': keys.projectApiKey }) }
  }
  const second = await replica()
  assert.equal((await slugsIn(second.call, { query: 'count crates' }))[0], 'WARES_COUNT')
  await own.put(
    one,
    sampleImport('wares', [
      ['WARES_COUNT', 'Count crates'],
      ['WARES_LATE', 'Come late'],
    ]),
    { kind: 'openapi' },
    NOW,
  )
  await own.put(null, sampleImport('pack', [['PACK_OPEN', 'Open the box']]), { kind: 'pack' }, NOW, {
    quiet: true,
  })
  await own.announce(null)
  const newer = second.app.as({ 'x-api-key': keys.projectApiKey }, 'v3.1')
  await until(
    'both toolkits are there',
    async () =>
      (await slugsIn(newer)).join() === 'PACK_OPEN,POST_OFFICE_OPEN,POST_SEND,WARES_COUNT,WARES_LATE',
  )
  await own.remove(one, 'wares')
  await until(
    'the deleted one is gone',
    async () => (await slugsIn(newer)).join() === 'PACK_OPEN,POST_OFFICE_OPEN,POST_SEND',
  )

  await own.put(
    one,
    sampleImport('gone', [
      ['GONE_A', 'A'],
      ['GONE_B', 'B'],
    ]),
    { kind: 'openapi' },
    NOW,
  )
  assert.equal((await slugsIn(call)).includes('GONE_A'), true)
  const folder = join(cacheDir, 'toolkits')
  for (const name of readdirSync(folder))
    truncateSync(join(folder, name), readFileSync(join(folder, name)).length >> 1)
  const third = await replica(cacheDir)
  assert.deepEqual(await slugsIn(third.call), [
    'GONE_A',
    'GONE_B',
    'PACK_OPEN',
    'POST_OFFICE_OPEN',
    'POST_SEND',
  ])
  assert.equal(readdirSync(folder).length, 2, 'what nobody has any more is taken away')
})

async function secondApp(
  t: TestContext,
  databaseUrl: string,
  cacheDir: string,
): Promise<{ as: TestApp['as'] }> {
  const { createApp } = await import('../../../app/create-app.ts')
  const { client } = await import('#fixtures/client.ts')
  const { temporaryFiles } = await import('#fixtures/files.ts')
  const { createEgress } = await import('../../../platform/egress/index.ts')
  const { createLog } = await import('../../../platform/log.ts')
  const { parseKeyRing: keyRingFrom, createEncryptor: encryptor } =
    await import('../../../platform/crypto/index.ts')
  const app = await createApp({
    databaseUrl,
    databasePoolMax: 2,
    publicUrl: 'http://localhost:3901',
    wireBrand: 'service',
    rateLimitPerMinute: 1_000_000,
    catalog: builtIn(),
    cacheDir,
    encryptor: encryptor(keyRingFrom(`other:${Buffer.alloc(32).toString('base64')}`)),
    egress: createEgress({ allow: [] }),
    files: temporaryFiles(t),
    clock: { now: Date.now },
    log: createLog('silent'),
    version: '0.0.0-test',
  })
  t.after(() => app.close())
  return { as: (headers, version) => client(app.http, headers, version) }
}

test('custom toolkit: a version is not stored if another one was stored after it was prepared', async (t) => {
  const { app, own, one } = await start(t)
  const source = { kind: 'openapi' }
  const late = await prepare(app, one, sampleImport('wares', [['WARES_COUNT', 'Count crates']]))
  await own.put(one, sampleImport('wares', [['WARES_FETCH', 'Fetch crate']]), source, NOW)
  const { customToolkits } = app
  const isLate = { slug: 'HTTP_ServiceUnavailable', message: /changed wares meanwhile/ }
  await Promise.all([
    assert.rejects(customToolkits.put(one, late, source, NOW), isLate),
    assert.rejects(customToolkits.preview(one, late, NOW), isLate),
  ])
  assert.deepEqual((await own.versions(one, 'wares')).length, 1)
})
