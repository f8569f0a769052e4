import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSource, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../../manifest/load/load.ts'
import { overlayCatalogs } from '../../query/overlay.ts'
import type { Catalog } from '../../types/index.ts'
import { searchOf, searchReady } from '../catalog-search.ts'
import { EncodedTexts } from '../segments/texts.ts'

/** More than are indexed in the thread that serves requests. */
const LARGE = 301
const SIZES = { farm: LARGE, clinic: 40, school: 3 } as const

const projectCatalog = (change = (upper: Catalog): Catalog => upper): Catalog =>
  overlayCatalogs(
    catalogFromSources([sampleSource()]),
    change(
      catalogFromSources(
        Object.entries(SIZES).map(([slug, tools]) => ({
          slug,
          icon: '<svg/>',
          toolkit: sampleToolkit({ slug, name: `My ${slug}` }),
          tools: {
            tools: Array.from({ length: tools }, (_, at) =>
              sampleTool({ slug: `${slug.toUpperCase()}_GET_${at}`, name: `Get ${slug} report ${at}` }),
            ),
          },
        })),
      ),
    ),
  )

const resultsOf = (catalog: Catalog) =>
  ['farm report 12', 'get report of my clinic', 'school', 'order'].map((text) =>
    searchOf(catalog)
      .find(text, { limit: 20 })
      .tools.map(({ slug, score }) => `${slug} ${score.toFixed(6)}`),
  )

/** The toolkits whose index was prepared: it was read from bytes, which `searchOf` does not make. */
const preparedToolkits = (catalog: Catalog): string[] =>
  searchOf(catalog)
    .segments.filter(({ slugs }) => slugs instanceof EncodedTexts)
    .flatMap(({ toolkits }) => toolkits.map(({ slug }) => slug))

test('index: toolkits of a project are indexed before the search, and the event loop continues meanwhile', async () => {
  const catalog = projectCatalog()
  let turns = 0
  let isReady = false
  const count = () => {
    turns++
    if (!isReady) setImmediate(count)
  }
  setImmediate(count)
  await searchReady(catalog)
  isReady = true
  assert.ok(turns > Object.keys(SIZES).length, `${turns} turns of the event loop`)
  assert.deepEqual(preparedToolkits(catalog), ['clinic', 'farm', 'school'])
  const other = projectCatalog()
  assert.deepEqual(
    resultsOf(catalog),
    resultsOf(other),
    'the results are those of an index that searchOf builds',
  )
  assert.deepEqual(preparedToolkits(other), [])
})

test('index: searches at the same time share the preparation of the toolkits of a project', async () => {
  const catalog = projectCatalog()
  await Promise.all([searchReady(catalog), searchReady(catalog), searchReady(catalog)])
  assert.equal(preparedToolkits(catalog).length, 3)
})

test('index: a search that does not wait for toolkits finds the tools of the others, and the work continues', async () => {
  const catalog = projectCatalog()
  const missing = await searchReady(catalog, 0)
  assert.ok(missing.includes('farm'), missing.join())
  const found = searchOf(catalog).find('get order report', { limit: 20 }).tools
  assert.ok(found.length > 0)
  assert.ok(
    found.every(({ toolkit }) => !missing.includes(toolkit)),
    'this thread indexes no toolkit that is being prepared',
  )
  assert.deepEqual(await searchReady(catalog), [])
  assert.deepEqual(preparedToolkits(catalog), ['clinic', 'farm', 'school'])
  assert.deepEqual(resultsOf(catalog), resultsOf(projectCatalog()))
})

for (const size of [3, LARGE])
  test(`index: a toolkit of ${size} tools that cannot be read is left out, and indexed once it can be read`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const slug = size === 3 ? 'school' : 'farm'
    let isDamaged = true
    let reads = 0
    const catalog = projectCatalog((upper) => ({
      ...upper,
      manifests(toolkit, version) {
        if (toolkit === slug) reads++
        if (toolkit === slug && isDamaged) throw new Error('The file is damaged.')
        return upper.manifests(toolkit, version)
      },
    }))
    assert.deepEqual(await searchReady(catalog), [slug])
    assert.ok(searchOf(catalog).find('get clinic report', { limit: 5 }).tools.length > 0)
    const readsOfFirst = reads
    assert.deepEqual(await searchReady(catalog), [slug])
    assert.equal(reads, readsOfFirst, 'searches within five seconds do not try again')
    isDamaged = false
    now = 5_000
    assert.deepEqual(await searchReady(catalog), [])
    assert.deepEqual(preparedToolkits(catalog), ['clinic', 'farm', 'school'])
  })
