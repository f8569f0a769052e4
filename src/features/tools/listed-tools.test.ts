import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSource, sampleTool } from '#fixtures/sample-toolkits.ts'
import { type Catalog, catalogFromSources, LATEST_VERSION, selectEntries } from '../../catalog/index.ts'
import { listTools } from '../../contract/tools/index.ts'
import { createBranding } from '../../platform/http/branding/branding.ts'
import { type ListForm, toolPresenter } from './listed-tools.ts'

const filter = { defaultVersion: LATEST_VERSION }
const catalogOf = (description: string, count = 2): Catalog =>
  catalogFromSources([
    sampleSource(
      {},
      Array.from({ length: count }, (_, at) => sampleTool({ slug: `SHOP_GET_${at + 10}`, description })),
    ),
  ])

/** Presents all tools of a catalogue. */
function present(catalog: Catalog, more: Partial<ListForm> = {}) {
  const form: ListForm = {
    catalog,
    filter,
    logo: () => '',
    format: 'json_schema',
    dialect: undefined,
    ...more,
  }
  const presenter = toolPresenter(form)
  return [...selectEntries(catalog, filter)].map((entry) => presenter(entry)!)
}
const textOf = (item: unknown): string => JSON.stringify(item)

test('lists of tools: the JSON of a tool is made once, for each form of its parameters', () => {
  const catalog = catalogOf('First text about an order.')
  const first = present(catalog)
  assert.deepEqual(
    present(catalog).map((item, at) => item === first[at]),
    [true, true],
  )
  const asMap = present(catalog, { format: 'map' })
  assert.match(textOf(first[0]), /"input_parameters":\{"type":"object"/)
  assert.doesNotMatch(textOf(asMap[0]), /"input_parameters":\{"type":"object"/)
  assert.match(textOf(present(catalog, { logo: () => 'https://logo.example' })[0]), /logo\.example/)
})

test('lists of tools: a catalogue that is loaded again shows its own tools', () => {
  const [before, after] = ['First', 'Second'].map((word) => catalogOf(`${word} text about an order.`))
  assert.match(textOf(present(before!)[0]), /First text/)
  assert.match(textOf(present(after!)[0]), /Second text/)
  assert.match(textOf(present(before!)[0]), /First text/)
})

test('lists of tools: at most 16 MB of JSON stay in memory', () => {
  const catalog = catalogOf('First text about an order.', 50)
  // The JSON of a tool contains the URL of its logo twice.
  const isKept = (characters: number) => {
    const logo = () => 'x'.repeat(characters)
    return present(catalog, { logo })[0] === present(catalog, { logo })[0]
  }
  assert.equal(isKept(100_000), true, '10 MB fit')
  assert.equal(isKept(200_000), false, '20 MB do not')
})

test('lists of tools: no brand replaces a name of a tool, so that its JSON is the same for all', () => {
  const catalog = catalogOf('First text about an order.')
  const items = present(catalog)
  const wire = createBranding('acme').route(listTools)
  const page = { items, total_items: 2, total_pages: 1, current_page: 1, next_cursor: null }
  assert.deepEqual((wire.renameReply?.(page) ?? page) as object, page)
  const whole = JSON.parse(textOf(items[0])) as object
  const renamed = wire.renameReply?.({ ...page, items: [whole] }) as typeof page | undefined
  assert.deepEqual(renamed?.items[0] ?? whole, whole)
})
