import assert from 'node:assert/strict'
import test from 'node:test'
import { cli } from '#fixtures/cli.ts'

const page = {
  items: [{ slug: 'SHOP_CREATE_ORDER', name: 'Create order', description: 'Places an order.' }],
  next_cursor: null,
  total_pages: 1,
  current_page: 1,
  total_items: 1,
}
const explanation = {
  language: 'de',
  corrections: [{ from: 'ordre', to: 'order' }],
  applications: [{ toolkit_slug: 'shop', certainty: 0.9 }],
  fit: { level: 'none', coverage: 0.4, reason: 'unlike' },
  tools: [
    {
      slug: 'SHOP_CREATE_ORDER',
      rank: 1,
      score: 1.45,
      signals: { words: 1, name: 0.2, verb: 0, application: 0, curated: 0.25 },
      words: [{ word: 'order', matched: 'order', strength: 1 }],
    },
  ],
}

test('search: the request is sent as query, with the filters, and tools are listed', async (t) => {
  const { code, out, seen } = await cli(t, { body: page }).run(
    ...['search', 'create an order', '--toolkit', 'shop,mail', '--limit', '3'],
  )
  assert.equal(code, 0)
  assert.deepEqual(
    seen.map(({ url }) => [url.pathname, Object.fromEntries(url.searchParams)]),
    [['/api/v3.1/tools', { query: 'create an order', limit: '3', toolkit_slug: 'shop,mail' }]],
  )
  assert.equal(
    out,
    'SLUG               NAME          DESCRIPTION\nSHOP_CREATE_ORDER  Create order  Places an order.\n',
  )
})

test('search: --explain shows the signals that are not 0 and how the request was read', async (t) => {
  const { code, out, err, seen } = await cli(t, { body: { ...page, explanation } }).run(
    ...['search', 'Bestellung anlegen', '--explain'],
  )
  assert.equal(code, 0)
  assert.equal(seen[0]!.url.searchParams.get('explain'), 'true')
  assert.equal(
    out,
    '#  SLUG               SCORE  WORDS  NAME  CURATED  WORDS OF THE REQUEST\n' +
      '1  SHOP_CREATE_ORDER  1.45   1      0.2   0.25     order 1.00\n',
  )
  assert.equal(
    err,
    'Translated from German.\nCorrected: ordre → order.\nSeems to name: shop (0.90).\n' +
      'Fit: none, coverage 0.40; no tool contains enough of the request.\n',
  )
})

test('search: an empty request and a wrong limit are usage errors, and nothing found is said', async (t) => {
  const program = cli(t, { body: { ...page, items: [], total_items: 0 } })
  assert.equal((await program.run('search', ' ')).code, 2)
  assert.equal((await program.run('search', 'x', '--limit', 'many')).code, 2)
  const { code, err } = await program.run('search', 'xyzzy')
  assert.deepEqual([code, err], [0, 'Nothing found.\n'])
})
