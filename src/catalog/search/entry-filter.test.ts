import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { catalogFromSources } from '../manifest/load/load.ts'
import { overlayCatalogs } from '../query/overlay.ts'
import { selectTools, type ToolFilter } from '../query/select.ts'
import type { Catalog } from '../types/index.ts'
import { searchOf } from './catalog-search.ts'

const TOOLS = 60

const shopCatalog = (tools: number, word: string): Catalog =>
  catalogFromSources([
    sampleSource(
      {},
      Array.from({ length: tools }, (_, at) =>
        sampleTool({
          slug: `SHOP_${word.toUpperCase()}_${at}`,
          name: `Get ${word} ${at}`,
          aliases: [`SHOP_READ_${word.toUpperCase()}_${at}`],
        }),
      ),
    ),
  ])

/** A catalogue that counts how often an entry is read. */
function countReads(catalog: Catalog): { counted: Catalog; reads(): number } {
  let reads = 0
  const counted: Catalog = {
    ...catalog,
    entry(slug, version) {
      reads++
      return catalog.entry(slug, version)
    },
  }
  return { counted, reads: () => reads }
}

const found = (catalog: Catalog, query: string, filter: Partial<ToolFilter> = {}): string[] =>
  [...selectTools(catalog, { defaultVersion: 'latest', query, ...filter })].map(({ tool }) => tool.slug)

test('search: entries of tools are read once for all searches of a catalogue in one version', () => {
  const { counted, reads } = countReads(shopCatalog(TOOLS, 'order'))
  const first = found(counted, 'get order')
  assert.equal(first.length, TOOLS)
  const readOnce = reads()
  assert.deepEqual(found(counted, 'get order'), first)
  assert.deepEqual(found(counted, 'order', { tags: ['none'] }), [], 'each search has its own filters')
  assert.equal(reads(), readOnce)
  found(counted, 'get order', { versions: '00000000_00' })
  assert.ok(reads() > readOnce, 'another version has other entries')
})

test('search: a tool whose toolkit is hidden by one of the project is not found, by entry as by slug', () => {
  const lower = shopCatalog(TOOLS, 'order')
  const catalog = overlayCatalogs(lower, shopCatalog(1, 'parcel'))
  assert.deepEqual(found(catalog, 'get order'), ['SHOP_PARCEL_0'])
  assert.equal(found(lower, 'get order').length, TOOLS)
  const bySlug = searchOf(catalog).find('get order', { limit: TOOLS })
  assert.deepEqual(
    bySlug.tools.map(({ slug }) => slug),
    found(catalog, 'get order'),
  )
})
