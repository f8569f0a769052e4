import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources } from '../manifest/load/load.ts'
import { selectTools } from './select.ts'
import { sampleSource, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'

const RELEASES = [
  { version: '20260301_00', changes: 'Renamed.' },
  { version: '20260115_00', changes: 'First release.' },
]

/** SHOP_READ became SHOP_GET_ORDER; SHOP_PEEK is on its way out. */
const catalog = catalogFromSources([
  sampleSource(
    { releases: RELEASES },
    [
      sampleTool({ aliases: ['SHOP_READ', 'SHOP_FETCH'] }),
      sampleTool({
        slug: 'SHOP_PEEK',
        deprecated: { replaced_by: 'SHOP_GET_ORDER', reason: 'It shows half of it.' },
      }),
    ],
    {
      versions: [
        {
          version: '20260115_00',
          toolkit: sampleToolkit({ releases: RELEASES.slice(1) }),
          tools: { tools: [sampleTool({ slug: 'SHOP_READ' })] },
        },
      ],
    },
  ),
])

test('aliases: a renamed tool is found by every former name, in every version', () => {
  for (const [asked, version, found] of [
    ['SHOP_GET_ORDER', 'latest', 'SHOP_GET_ORDER'],
    ['SHOP_READ', 'latest', 'SHOP_GET_ORDER'],
    ['shop_fetch', 'latest', 'SHOP_GET_ORDER'],
    ['SHOP_READ', '00000000_00', 'SHOP_READ'],
    ['SHOP_GET_ORDER', '00000000_00', 'SHOP_READ'],
    ['SHOP_FETCH', '20260115_00', 'SHOP_READ'],
    ['SHOP_PEEK', '00000000_00', undefined],
  ] as const)
    assert.equal(catalog.tool(asked, version)?.tool.slug, found, `${asked} ${version}`)
  assert.deepEqual(
    [...catalog.tools].map(({ slug }) => slug),
    ['SHOP_GET_ORDER', 'SHOP_PEEK'],
  )
  assert.deepEqual(
    [...selectTools(catalog, { slugs: ['SHOP_READ', 'SHOP_GET_ORDER'], defaultVersion: 'latest' })].map(
      ({ tool }) => tool.slug,
    ),
    ['SHOP_GET_ORDER'],
  )
})

test('aliases: a list of allowed tools accepts former names', () => {
  for (const [written, version, listed] of [
    ['SHOP_READ', 'latest', ['SHOP_GET_ORDER']],
    ['SHOP_GET_ORDER', '00000000_00', ['SHOP_READ']],
    ['SHOP_PEEK', '00000000_00', []],
  ] as const) {
    const allowed = new Map([['shop', [written]]])
    assert.deepEqual(
      [...selectTools(catalog, { allowed, defaultVersion: version })].map(({ tool }) => tool.slug),
      listed,
    )
  }
})

test('aliases: the description of a deprecated tool names its replacement', () => {
  const { description, deprecated } = catalog.tool('SHOP_PEEK', 'latest')!.tool
  assert.deepEqual(
    [deprecated, description],
    [true, 'Returns one order by its id. Deprecated: It shows half of it. Use SHOP_GET_ORDER instead.'],
  )
})
