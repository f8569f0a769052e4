import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overlayCatalogs } from './overlay.ts'
import { catalogFromSources } from '../manifest/load/load.ts'
import { insertSorted } from './sorted-list.ts'
import { compareImportantFirst } from '../manifest/compile/tool.ts'
import type { ToolEntry } from '../types/index.ts'
import { selectTools } from './select.ts'
import { selectToolkits } from './select-toolkits.ts'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'

const source = (slug: string, tools: string[], more: Record<string, unknown> = {}) => ({
  slug,
  icon: '<svg/>',
  toolkit: sampleToolkit({ slug, name: slug, ...more }),
  tools: {
    tools: tools.map((tool) =>
      sampleTool({
        slug: `${slug.toUpperCase()}_${tool}`,
        name: `${tool} of ${more['name'] ?? slug}`,
        important: tool === 'TOP',
      }),
    ),
  },
})

const lower = catalogFromSources([source('google', ['TOP', 'A', 'DRIVE_B']), source('shop', ['A', 'OLD'])])
const upper = catalogFromSources([
  source('shop', ['A', 'NEW', 'TOP'], { name: 'My Shop', categories: ['own'] }),
  source('google_mine', ['C']),
])
const both = overlayCatalogs(lower, upper)
const slugsOf = (filter: Partial<Parameters<typeof selectTools>[1]>) =>
  [...selectTools(both, { defaultVersion: 'latest', ...filter })].map(({ tool }) => tool.slug)

test('overlay: toolkits are added, and those of the same slug are hidden with their tools', () => {
  assert.deepEqual(
    both.toolkits.map(({ name }) => name),
    ['google', 'google_mine', 'My Shop'],
  )
  assert.deepEqual(slugsOf({}), [
    'GOOGLE_TOP',
    'SHOP_TOP',
    'GOOGLE_A',
    'GOOGLE_DRIVE_B',
    'GOOGLE_MINE_C',
    'SHOP_A',
    'SHOP_NEW',
  ])
  assert.deepEqual(slugsOf({ defaultVersion: '20260115_00', important: true }), ['GOOGLE_TOP', 'SHOP_TOP'])
  assert.deepEqual(slugsOf({ query: 'old of shop' }).includes('SHOP_OLD'), false)
  assert.deepEqual(
    [both.tool('shop_old', 'latest'), both.entry('SHOP_OLD', 'latest'), both.ownerOf('SHOP_OLD')],
    [undefined, undefined, undefined],
  )
  assert.deepEqual(
    [
      both.tool('SHOP_A', '00000000_00')?.tool.name,
      both.toolkit('SHOP')?.name,
      both.ownerOf('GOOGLE_MINE_C'),
      both.ownerOf('google_drive_b'),
    ],
    ['A of My Shop', 'My Shop', 'google_mine', 'google'],
  )
  assert.deepEqual(
    [
      both.toolCount,
      both.tools.length,
      both.categories.map(({ id }) => id),
      both.availableVersions('google_mine'),
    ],
    [7, 7, ['e-commerce', 'own'], ['00000000_00', '20260115_00']],
  )
  assert.deepEqual(
    selectToolkits(both, { category: 'own' }).map(({ slug }) => slug),
    ['shop'],
  )
  assert.equal(overlayCatalogs(lower, catalogFromSources([])), lower, 'nothing above is the catalogue itself')
})

test('sorted list: every page equals the page of a full sort', () => {
  const entry = (slug: string, important = false) => ({ slug, important }) as ToolEntry
  const many = Array.from({ length: 40 }, (_, at) =>
    entry(`M_${String(at).padStart(2, '0')}`, at % 13 === 0),
  ).sort(compareImportantFirst)
  for (const few of [['A'], ['Z'], ['A', 'A2', 'M_05X', 'M_05Y', 'Z'], [], ['M_00A']]) {
    const own = few.flatMap((slug) => [entry(slug), entry(`${slug}_I`, true)]).sort(compareImportantFirst)
    const all = [...many, ...own].sort(compareImportantFirst)
    const list = insertSorted(many, own)
    assert.deepEqual([[...list], list.length], [all, all.length])
    for (let from = 0; from <= all.length; from++)
      for (const size of [0, 1, 3, 100])
        assert.deepEqual(list.slice(from, from + size), all.slice(from, from + size))
    assert.deepEqual(insertSorted([], own).slice(0, 99), own)
  }
})

test('sorted list: a few entries leave the long list where it is, and many are merged without a search for each', () => {
  const entriesOf = (count: number, prefix: string) =>
    Array.from(
      { length: count },
      (_, at) => ({ slug: `${prefix}${at + 1_000}`, important: at < 3 }) as ToolEntry,
    )
  const long = entriesOf(400, 'L_')
  const lookups = (few: readonly ToolEntry[]) => {
    let count = 0
    const counted = {
      length: long.length,
      slice: (from: number, to: number) => (count++, long.slice(from, to)),
      [Symbol.iterator]: () => long[Symbol.iterator](),
    }
    const list = insertSorted(counted, few)
    const lookupsOfInsert = count
    assert.deepEqual([...list], [...long, ...few].sort(compareImportantFirst))
    return lookupsOfInsert
  }
  assert.equal(lookups(entriesOf(400, 'F_')), 0)
  const ofFew = lookups(entriesOf(4, 'F_'))
  assert.ok(ofFew > 0 && ofFew <= 4 * 9, `${ofFew} lookups`)
})
