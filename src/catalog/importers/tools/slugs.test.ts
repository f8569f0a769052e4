import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Operation } from '../model.ts'
import { slugsFor, toolkitSlug } from './slugs.ts'
import { importedFrom, sampleDocument } from '#fixtures/openapi-documents.ts'

const operation = (method: string, path: string, id?: string) => ({ method, path, id }) as Operation
const slugOf = (id: string | undefined, path = '/users/{user_id}/posts', method = 'get') =>
  [...slugsFor('SHOP_', [operation(method, path, id)], new Map()).values()][0]

test('imported slugs: a slug comes from the operation ID, or from method and path', () => {
  assert.deepEqual(
    [
      'getUserByID',
      'repos/list-for-org',
      'Users_GetAll',
      'shop.orders.list',
      'HTTPSConnect',
      undefined,
      '9f86d081884c7d659a2feaa0c55ad015',
      '日本',
    ].map((id) => slugOf(id)),
    [
      'SHOP_GET_USER_BY_ID',
      'SHOP_REPOS_LIST_FOR_ORG',
      'SHOP_USERS_GET_ALL',
      'SHOP_ORDERS_LIST',
      'SHOP_HTTPS_CONNECT',
      'SHOP_GET_USERS_BY_USER_ID_POSTS',
      'SHOP_GET_USERS_BY_USER_ID_POSTS',
      'SHOP_GET_USERS_BY_USER_ID_POSTS',
    ],
  )
  assert.equal(slugOf(undefined, '/'), 'SHOP_GET')
})

test('imported slugs: a long name keeps whole words and ends in a hash', () => {
  const slug = slugOf('listAllTheVeryLongNamesOfEverythingThatThisApiHasToOfferToItsUsers')!
  assert.match(
    slug,
    /^SHOP_LIST_ALL_THE_VERY_LONG_NAMES_OF_EVERYTHING_[A-Z0-9]{6}$|^SHOP_LIST_[A-Z_]+_[A-Z0-9]{6}$/,
  )
  assert.ok(slug.length <= 64)
})

test('imported slugs: of equal names, the shortest path keeps the name in any order', () => {
  const all = [
    operation('get', '/b/{id}', 'get'),
    operation('get', '/a', 'get'),
    operation('post', '/a', 'GET'),
  ]
  const slugs = slugsFor('SHOP_', all, new Map())
  assert.deepEqual(slugsFor('SHOP_', all.toReversed(), new Map()), new Map([...slugs]))
  assert.equal(slugs.get('GET /a'), 'SHOP_GET')
  for (const identity of ['POST /a', 'GET /b/{id}'])
    assert.match(slugs.get(identity)!, /^SHOP_GET_[A-Z0-9]{6}$/)
})

test('imported slugs: a slug is stable and is not reused after its operation is removed', () => {
  const former = new Map([
    ['GET /b/{id}', 'SHOP_GET'],
    ['GET /gone', 'SHOP_LIST'],
  ])
  const slugs = slugsFor(
    'SHOP_',
    [operation('get', '/a', 'get'), operation('get', '/b/{id}', 'renamed'), operation('get', '/new', 'list')],
    former,
  )
  assert.equal(slugs.get('GET /b/{id}'), 'SHOP_GET')
  assert.match(slugs.get('GET /a')!, /^SHOP_GET_[A-Z0-9]{6}$/)
  assert.match(slugs.get('GET /new')!, /^SHOP_LIST_[A-Z0-9]{6}$/)
})

test('imported slugs: slugs of any document are unique, short and of one alphabet', () => {
  const operations = fc.uniqueArray(
    fc.record({
      method: fc.constantFrom('get', 'post'),
      path: fc.string({ unit: 'grapheme', maxLength: 120 }),
      id: fc.option(fc.string({ unit: 'grapheme', maxLength: 150 }), { nil: undefined }),
    }),
    { selector: ({ method, path }) => `${method} ${path}`, maxLength: 40 },
  )
  fc.assert(
    fc.property(operations, fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/), (all, toolkit) => {
      const prefix = `${toolkit.toUpperCase()}_`
      const slugs = [...slugsFor(prefix, all as Operation[], new Map()).values()]
      assert.equal(new Set(slugs).size, all.length)
      for (const slug of slugs)
        assert.ok(/^[A-Z0-9_]{1,64}$/.test(slug) && slug.startsWith(prefix) && slug !== prefix, slug)
    }),
    { numRuns: 200 },
  )
})

test('imported slugs: a toolkit has a readable name', () => {
  assert.deepEqual(
    [
      'GitHub v3 REST API',
      'Stripe API',
      'The Amazon Simple Queue Service of Everything',
      'Café API',
      '—',
      'McDonald’s',
    ].map(toolkitSlug),
    ['github', 'stripe', 'amazon_simple_queue', 'cafe', 'api', 'mcdonalds'],
  )
})

test('imported slugs: a repeated import keeps the slugs of its origins', () => {
  const before = importedFrom(sampleDocument({ '/a': { get: { operationId: 'listThings', responses: {} } } }))
  const after = importedFrom(
    sampleDocument({ '/a': { get: { operationId: 'things.index', responses: {} } } }),
    { former: new Map(Object.entries(before.origins)) },
  )
  assert.deepEqual(after.origins, { 'GET /a': 'SHOP_LIST_THINGS' })
})
