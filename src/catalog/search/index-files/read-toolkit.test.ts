import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import {
  type CachedToolkitContent,
  cachedReleases,
  openOrWriteCachedToolkit,
} from '../../manifest/load/disk-cache/index.ts'
import { openCatalog } from '../../manifest/load/lazy/index.ts'
import { createCatalog } from '../../query/catalog.ts'
import type { Catalog } from '../../types/index.ts'
import { prepareSearch, searchOf } from '../catalog-search.ts'

/** More than are indexed in the thread that responds to requests. */
const TOOLS = 301

const toolkitOf = (slug: string, noun: string) => ({
  toolkit: sampleToolkit({ slug, name: `My ${slug}` }),
  tools: Array.from({ length: TOOLS }, (_, at) =>
    sampleTool({ slug: `${slug.toUpperCase()}_GET_${at}`, name: `Get ${noun} ${at}` }),
  ),
})

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-read-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function catalogInFolder(t: TestContext): Promise<Catalog> {
  const folder = await temporaryFolder(t)
  const { toolkit, tools } = toolkitOf('shop', 'order')
  await mkdir(join(folder, 'shop'))
  await writeFile(join(folder, 'shop/toolkit.json'), JSON.stringify(toolkit))
  await writeFile(join(folder, 'shop/tools.json'), JSON.stringify({ tools }))
  await writeFile(join(folder, 'shop/icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  return openCatalog({ folder })
}

async function catalogInDiskCache(t: TestContext): Promise<Catalog> {
  const { toolkit, tools } = toolkitOf('farm', 'harvest')
  const { created: _, releases: __, ...rest } = toolkit
  const content = { toolkit: rest, tools } as unknown as CachedToolkitContent
  const cached = await openOrWriteCachedToolkit(await temporaryFolder(t), 'f'.repeat(64), async () => content)
  return createCatalog([
    cachedReleases([{ version: '20260301_00', changes: '', cached }], '2026-01-01', 'instance'),
  ])
}

const found = (catalog: Catalog, query: string) => searchOf(catalog).find(query, { limit: 1_000 })

for (const [place, catalogIn] of [
  ['a folder', catalogInFolder],
  ['the disk cache', catalogInDiskCache],
] as const)
  test(`index: a thread reads the files of toolkits in ${place}, and the results are the same`, async (t) => {
    const catalog = await catalogIn(t)
    const unread: Catalog = {
      ...catalog,
      manifests: () => assert.fail('this thread reads no tool'),
    }
    await prepareSearch(unread, { folder: await temporaryFolder(t), buildHereMax: 10 })
    for (const query of ['get order 12', 'harvest of my farm', 'shop'])
      assert.deepEqual(found(unread, query), found(catalog, query))
    assert.equal(found(unread, 'get').tools.length, TOOLS)
  })

test('index: a toolkit whose file is damaged fails the preparation, and the search builds its index', async (t) => {
  const catalog = await catalogInDiskCache(t)
  const { folder } = catalog.location('farm') as { folder: string }
  const elsewhere: Catalog = {
    ...catalog,
    location: () => ({
      kind: 'disk_cache',
      folder,
      releases: [{ version: '20260301_00', digest: 'e'.repeat(64) }],
    }),
  }
  await assert.rejects(
    prepareSearch(elsewhere, { folder: await temporaryFolder(t), buildHereMax: 10 }),
    /is damaged/,
  )
  assert.equal(found(elsewhere, 'get harvest').tools.length, TOOLS)
})
