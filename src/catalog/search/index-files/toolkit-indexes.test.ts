import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSource, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { catalogFromSources } from '../../manifest/load/load.ts'
import { overlayCatalogs } from '../../query/overlay.ts'
import type { Catalog } from '../../types/index.ts'
import { searchOf, searchReady } from '../catalog-search.ts'
import { EncodedTexts } from '../segments/texts.ts'

/** More than are indexed in the thread that serves requests. */
const LARGE = 301
const SIZES = { farm: LARGE, clinic: 40, school: 3 } as const

const projectCatalog = (): Catalog =>
  overlayCatalogs(
    catalogFromSources([sampleSource()]),
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

test('index: a search that waits too long for toolkits is asked to come back, and the work continues', async () => {
  const catalog = projectCatalog()
  await assert.rejects(searchReady(catalog, 0), (error) => {
    assert.ok(error instanceof ApiError)
    assert.equal(error.slug, 'HTTP_ServiceUnavailable')
    assert.match(error.message, /^The search of \d of your 3 custom toolkits is still being prepared/)
    return true
  })
  await searchReady(catalog)
  assert.equal(preparedToolkits(catalog).length, 3)
})
