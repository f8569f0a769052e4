import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../../manifest/load/load.ts'
import { overlayCatalogs } from '../../query/overlay.ts'
import type { Catalog } from '../../types/index.ts'
import { prepareSearch, searchOf, searchReady } from '../catalog-search.ts'
import { planLayers } from './plan-layers.ts'

const TOOLS = 40
const NOUNS = { shop: 'order', farm: 'harvest', clinic: 'appointment', school: 'lesson' } as const
type Slug = keyof typeof NOUNS

/** A catalogue of some toolkits; `changed` has another name for one tool of a toolkit. */
function catalogOf(slugs: readonly Slug[], changed: Partial<Record<Slug, string>> = {}): Catalog {
  return catalogFromSources(
    slugs.map((slug) => ({
      slug,
      icon: '<svg/>',
      toolkit: sampleToolkit({ slug, name: `My ${slug}` }),
      tools: {
        tools: Array.from({ length: TOOLS }, (_, at) =>
          sampleTool({
            slug: `${slug.toUpperCase()}_GET_${at}`,
            name: (at === 7 ? changed[slug] : undefined) ?? `Get ${NOUNS[slug]} ${at}`,
          }),
        ),
      },
    })),
  )
}

const ALL = Object.keys(NOUNS) as Slug[]
const QUERIES = ['get order', 'harvest 12', 'polish the silver', 'lesson of my school', 'get appointment 7']

/** Every result of some queries, so that two searches can be compared. Order of equal scores aside. */
const resultsOf = (catalog: Catalog) =>
  QUERIES.map((query) => {
    const { tools, toolkits, fit } = searchOf(catalog).find(query, { limit: 1_000 })
    const scores = tools.map(({ slug, score }) => `${slug} ${score.toFixed(6)}`)
    return { scores: scores.sort(), toolkits, level: fit.level, coverage: fit.coverage.toFixed(6) }
  })

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-search-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('index: a changed toolkit is indexed alone, and results are those of an index of everything', async (t) => {
  const folder = await folderOf(t)
  const options = { folder, buildHereMax: 10 }
  const first = catalogOf(ALL)
  assert.deepEqual(await prepareSearch(first, options), { indexed: 4 * TOOLS, reused: 0 })
  const changed = { farm: 'Polish the silver' }
  const second = catalogOf(ALL, changed)
  const work = await prepareSearch(second, { ...options, previous: first })
  assert.deepEqual(work, { indexed: TOOLS, reused: 3 * TOOLS }, 'only the changed toolkit is indexed')
  const whole = catalogOf(ALL, changed)
  await prepareSearch(whole, { folder: await folderOf(t), buildHereMax: 10 })
  assert.deepEqual(resultsOf(second), resultsOf(whole))
  assert.notDeepEqual(resultsOf(second), resultsOf(first))
})

test('index: added and removed toolkits leave the others alone', async (t) => {
  const options = { folder: await folderOf(t), buildHereMax: 10 }
  const first = catalogOf(['shop', 'farm', 'clinic'])
  await prepareSearch(first, options)
  const more = catalogOf(ALL)
  assert.deepEqual(await prepareSearch(more, { ...options, previous: first }), {
    indexed: TOOLS,
    reused: 3 * TOOLS,
  })
  const fewer = catalogOf(['shop', 'clinic', 'school'])
  assert.deepEqual(await prepareSearch(fewer, { ...options, previous: more }), {
    indexed: 0,
    reused: 3 * TOOLS,
  })
  const whole = catalogOf(['shop', 'clinic', 'school'])
  await prepareSearch(whole, { folder: await folderOf(t), buildHereMax: 10 })
  assert.deepEqual(resultsOf(fewer), resultsOf(whole), 'a removed toolkit is neither found nor counted')
})

test('index: a start indexes nothing if nothing changed, and only the changed toolkits otherwise', async (t) => {
  const options = { folder: await folderOf(t), buildHereMax: 10 }
  const first = catalogOf(ALL)
  await prepareSearch(first, options)
  const changed = { farm: 'Polish the silver' }
  await prepareSearch(catalogOf(ALL, changed), { ...options, previous: first })
  // Without `previous`, as in a new process.
  assert.deepEqual(await prepareSearch(catalogOf(ALL, changed), options), { indexed: 0, reused: 4 * TOOLS })
  assert.deepEqual(await prepareSearch(catalogOf(ALL), options), { indexed: 0, reused: 4 * TOOLS })
  const both = catalogOf(ALL, { ...changed, shop: 'Count the spoons' })
  assert.deepEqual(await prepareSearch(both, options), { indexed: TOOLS, reused: 3 * TOOLS })
  assert.equal((await readdir(options.folder)).length, 3, 'one file for each index')
})

test('index: an index of which most toolkits changed is not used again, nor more than a few indexes', () => {
  const toolkit = (slug: string, digest: string, from: number) => ({
    ...{ slug, digest, from, to: from + 10, name: slug, hosts: [] },
  })
  const digests = new Map(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((slug) => [slug, '1']))
  const old = { toolkits: [toolkit('a', '1', 0), toolkit('b', '0', 10), toolkit('c', '0', 20)] }
  assert.deepEqual(planLayers(digests, [old]), { chosen: [], missing: [...digests.keys()] })
  const single = [...digests.keys()].map((slug) => ({ toolkits: [toolkit(slug, '1', 0)] }))
  const { chosen, missing } = planLayers(digests, single)
  assert.equal(chosen.length + missing.length, digests.size)
  assert.ok(missing.length >= 1 && chosen.length >= 1)
  const unknown = { toolkits: [toolkit('a', '', 0)] }
  assert.deepEqual(
    planLayers(new Map([['a', '']]), [unknown]).chosen,
    [],
    'an unknown content is never equal',
  )
})

test('index: indexes in files are read at the first search, with or without waiting for it', async (t) => {
  const options = { folder: await folderOf(t), buildHereMax: 10 }
  const first = catalogOf(ALL)
  await prepareSearch(first, options)
  for (const isWaited of [true, false]) {
    const later = catalogOf(ALL)
    const unread: Catalog = { ...later, manifests: () => assert.fail('no tool is indexed again') }
    assert.deepEqual(await prepareSearch(unread, options), { indexed: 0, reused: 4 * TOOLS })
    if (isWaited) await searchReady(unread)
    assert.deepEqual(resultsOf(unread), resultsOf(first))
  }
})

test('index: a file that is removed after the start is built again at the first search', async (t) => {
  const options = { folder: await folderOf(t), buildHereMax: 10 }
  const first = catalogOf(ALL)
  await prepareSearch(first, options)
  const later = catalogOf(ALL)
  await prepareSearch(later, options)
  const [file] = await readdir(options.folder)
  await rm(join(options.folder, file!))
  await searchReady(later)
  assert.deepEqual(await readdir(options.folder), [file], 'the file is written again')
  assert.deepEqual(resultsOf(later), resultsOf(first))
})

test('index: toolkits of a prepared overlay are not indexed again, one by one, by its first search', async (t) => {
  const options = { folder: await folderOf(t), buildHereMax: 10 }
  const overlay = () => overlayCatalogs(catalogOf(['shop', 'farm']), catalogOf(['clinic', 'school']))
  const first = overlay()
  const preparation = prepareSearch(first, options)
  await searchReady(first, 0)
  assert.deepEqual(await preparation, { indexed: 4 * TOOLS, reused: 0 })
  const later = overlay()
  await prepareSearch(later, options)
  await searchReady(later, 0)
  for (const catalog of [first, later]) assert.equal(searchOf(catalog).segments.length, 1)
  assert.deepEqual(resultsOf(later), resultsOf(first))
})
