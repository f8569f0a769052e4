import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFromSources } from '../manifest/load/load.ts'
import { searchOf } from '../search/index.ts'
import { selectTools, type ToolFilter } from './select.ts'
import { selectToolkits } from './select-toolkits.ts'
import { sampleSource, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'

const release = (version: string) => ({ version, changes: 'x' })

function example() {
  const mail = [
    sampleTool({
      slug: 'MAIL_SEND_EMAIL',
      name: 'Send email',
      description: 'Sends a message to recipients.',
      effect: 'create',
      important: true,
      scopes: { all_of: [{ any_of: ['send', 'full'] }] },
    }),
    sampleTool({
      slug: 'MAIL_FETCH_EMAILS',
      name: 'Fetch emails',
      description: 'Lists messages of the mailbox.',
      scopes: { all_of: ['read'] },
      tags: ['mailbox'],
    }),
    sampleTool({
      slug: 'MAIL_DELETE_LABEL',
      name: 'Delete label',
      description: 'Removes a label for ever.',
      effect: 'delete',
      deprecated: true,
      scopes: { all_of: ['read', 'full'] },
    }),
  ]
  const shop = [
    sampleTool(),
    sampleTool({
      slug: 'SHOP_CREATE_ORDER',
      name: 'Create order',
      description: 'Places an order for a customer.',
      effect: 'create',
    }),
  ]
  return catalogFromSources([
    {
      slug: 'mail',
      toolkit: sampleToolkit({
        slug: 'mail',
        name: 'Mail',
        description: 'Reads and writes electronic letters.',
        categories: ['communication'],
      }),
      tools: { tools: mail },
    },
    sampleSource({ releases: [release('20260301_00'), release('20260115_00')] }, shop, {
      versions: [{ version: '20260115_00', toolkit: sampleToolkit(), tools: { tools: [sampleTool()] } }],
    }),
    {
      slug: 'old',
      toolkit: sampleToolkit({ slug: 'old', name: 'Aged', deprecated: true }),
      tools: { tools: [sampleTool({ slug: 'OLD_A' })] },
    },
  ])
}

const select = (filter: Partial<ToolFilter>) =>
  [...selectTools(example(), { defaultVersion: 'latest', ...filter })].map(({ tool }) => tool.slug)

test('tool list: without a filter all tools are listed, important ones first, then by slug', () => {
  assert.deepEqual(select({}), [
    'MAIL_SEND_EMAIL',
    'MAIL_DELETE_LABEL',
    'MAIL_FETCH_EMAILS',
    'OLD_A',
    'SHOP_CREATE_ORDER',
    'SHOP_GET_ORDER',
  ])
})

test('tool list: slugs override other filters and keep their order, and unknown ones are left out', () => {
  assert.deepEqual(
    select({
      slugs: ['shop_get_order', 'NO', 'MAIL_DELETE_LABEL', '__proto__', 'SHOP_GET_ORDER'],
      toolkits: ['old'],
      important: true,
      includeDeprecated: false,
    }),
    ['SHOP_GET_ORDER', 'MAIL_DELETE_LABEL'],
  )
})

test('tool list: toolkits, tags and deprecation filter the list', () => {
  assert.deepEqual(select({ toolkits: ['MAIL', 'nobody'], includeDeprecated: false }), [
    'MAIL_SEND_EMAIL',
    'MAIL_FETCH_EMAILS',
  ])
  assert.deepEqual(select({ tags: ['mailbox', 'destructiveHint'] }), [
    'MAIL_DELETE_LABEL',
    'MAIL_FETCH_EMAILS',
  ])
  assert.deepEqual(select({ tags: ['MAILBOX'] }), [])
})

test('tool list: `important` filters, except in a selected toolkit without important tools', () => {
  assert.deepEqual(select({ important: true }), ['MAIL_SEND_EMAIL'])
  assert.deepEqual(select({ important: true, toolkits: ['mail', 'shop'] }), [
    'MAIL_SEND_EMAIL',
    'SHOP_CREATE_ORDER',
    'SHOP_GET_ORDER',
  ])
  assert.equal(select({ important: false }).length, 6)
})

test('tool list: scopes keep the tools for which they suffice', () => {
  assert.deepEqual(select({ toolkits: ['mail'], scopes: ['full'] }), ['MAIL_SEND_EMAIL'])
  assert.deepEqual(select({ toolkits: ['mail'], scopes: ['read', 'full'] }).length, 3)
  assert.deepEqual(select({ toolkits: ['mail'], scopes: [] }), [])
  assert.deepEqual(select({ toolkits: ['shop'], scopes: [] }).length, 2)
})

test('tool list: allowed tools are those of the resolved auth configs', () => {
  assert.deepEqual(
    select({
      allowed: new Map([
        ['mail', ['MAIL_FETCH_EMAILS']],
        ['shop', null],
      ]),
    }),
    ['MAIL_FETCH_EMAILS', 'SHOP_CREATE_ORDER', 'SHOP_GET_ORDER'],
  )
  assert.deepEqual(select({ allowed: new Map() }), [])
})

test('tool list: versions apply to all or per toolkit, and absent tools are left out', () => {
  assert.deepEqual(select({ toolkits: ['shop'], defaultVersion: '00000000_00' }), ['SHOP_GET_ORDER'])
  assert.deepEqual(select({ versions: '20260301_00' }), ['SHOP_CREATE_ORDER', 'SHOP_GET_ORDER'])
  assert.deepEqual(
    select({ toolkits: ['shop', 'old'], versions: { shop: 'latest' }, defaultVersion: '00000000_00' }),
    ['OLD_A', 'SHOP_CREATE_ORDER', 'SHOP_GET_ORDER'],
  )
  assert.deepEqual(select({ slugs: ['SHOP_CREATE_ORDER'], versions: { shop: '20260115_00' } }), [])
  assert.equal(
    selectTools(example(), { toolkits: ['shop'], defaultVersion: '00000000_00' }).slice(0, 1)[0]!.version,
    '00000000_00',
  )
})

test('tool list: a query ranks and filters, and nothing matches without a match', () => {
  assert.equal(select({ query: 'send an email' })[0], 'MAIL_SEND_EMAIL')
  assert.deepEqual(select({ query: 'send an email', toolkits: ['shop'] }), [])
  assert.deepEqual(select({ query: 'xyzzy' }), [])
  assert.deepEqual(select({ query: '   ' }).length, 6)
})

test('tool list: the query matches inflections, synonyms and the toolkit name', () => {
  const catalog = example()
  const best = (query: string) => searchOf(catalog).find(query, { limit: 1 }).tools[0]?.slug
  assert.equal(best('read my emails'), 'MAIL_FETCH_EMAILS')
  assert.equal(best('add a new order'), 'SHOP_CREATE_ORDER')
  assert.equal(best('retrieving orders'), 'SHOP_GET_ORDER')
  assert.equal(best('remove labels'), 'MAIL_DELETE_LABEL')
  assert.equal(best('SHOP_GET_ORDER'), 'SHOP_GET_ORDER')
  assert.equal(best('aged order'), 'OLD_A')
  for (const query of ['', '🙂', 'the of', 'constructor __proto__', 'a'.repeat(100_000), '\ud800'])
    assert.equal(best(query), undefined, query.slice(0, 20))
})

test('toolkit list: filters by category, set, search and deprecation, with an order', () => {
  const slugs = (filter: Parameters<typeof selectToolkits>[1]) =>
    selectToolkits(example(), filter).map(({ slug }) => slug)
  assert.deepEqual(slugs({}), ['mail', 'shop'])
  assert.deepEqual(slugs({ includeDeprecated: true, sortBy: 'alphabetically' }), ['old', 'mail', 'shop'])
  assert.deepEqual(slugs({ category: 'e commerce' }), ['shop'])
  assert.deepEqual(slugs({ category: 'e-commerce' }), ['shop'])
  assert.deepEqual(slugs({ within: new Set(['mail', 'x']) }), ['mail'])
  assert.deepEqual(slugs({ slugs: ['Shop', 'nobody'] }), ['shop'])
  assert.deepEqual(slugs({ search: 'LETTERS' }), ['mail'])
  assert.deepEqual(slugs({ search: 'letters', sortBy: 'alphabetically' }), ['mail'])
  assert.deepEqual(slugs({ search: 'sell things' }), ['shop'], 'words of the description, in any form')
  assert.deepEqual(slugs({ search: 'age' }), [], 'a deprecated one is found only with its kind')
  assert.deepEqual(
    slugs({ search: 'age', includeDeprecated: true }),
    ['old'],
    'the beginning of a name is enough',
  )
  assert.deepEqual(slugs({ search: 'xyzzy' }), [])
  assert.deepEqual(slugs({ search: 'shop', slugs: ['mail'] }), [])
})
