import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

const KEY = ['API_KEY', { shop: 'acme', generic_api_key: 'shpat_1' }] as const
const stand = (t: Parameters<typeof vendor>[0]) => vendor(t, 'shopify', 'https://{shop}.myshopify.com')

test('a tool sends its query with the given variables, and the token in the header of the vendor', async (t) => {
  const { stub, run } = await stand(t)
  stub.answer = () => ({
    json: { data: { productCreate: { product: { id: 'gid://shopify/Product/1' }, userErrors: [] } } },
  })
  const { successful, data } = await run(
    'SHOPIFY_CREATE_PRODUCT',
    { title: 'Linen shirt', tags: ['summer'] },
    ...KEY,
  )
  assert.deepEqual([successful, data], [true, { product: { id: 'gid://shopify/Product/1' }, userErrors: [] }])
  const { method, url, headers, body } = stub.requests.at(-1)!
  assert.deepEqual(
    [method, url, headers['x-shopify-access-token'], headers.authorization],
    ['POST', '/admin/api/2026-04/graphql.json', 'shpat_1', undefined],
  )
  const { query, variables } = JSON.parse(body) as { query: string; variables: unknown }
  assert.match(
    query,
    /^mutation\(\$product: ProductCreateInput!\) \{ productCreate\(product: \$product\) \{ .*userErrors \{ field message \} \} \}$/,
  )
  assert.deepEqual(variables, { product: { title: 'Linen shirt', tags: ['summer'] } })
})

test('every change of the stock has a key of its own', async (t) => {
  const { stub, run } = await stand(t)
  stub.answer = () => ({
    json: { data: { inventorySetQuantities: { inventoryAdjustmentGroup: null, userErrors: [] } } },
  })
  const args = {
    inventoryItemId: 'gid://shopify/InventoryItem/1',
    locationId: 'gid://shopify/Location/2',
    quantity: 5,
    changeFromQuantity: 0,
  }
  const keys = new Set<unknown>()
  for (let round = 0; round < 2; round++) {
    assert.equal((await run('SHOPIFY_SET_INVENTORY', args, ...KEY)).successful, true)
    const { input, key } = JSON.parse(stub.requests.at(-1)!.body).variables
    assert.deepEqual(input, { name: 'available', reason: 'correction', quantities: [args] })
    assert.match(key, /^[\da-f-]{36}$/)
    keys.add(key)
  }
  assert.equal(keys.size, 2)
})

test('errors with status 200 are failures: of the query, the user, the shop, and missing objects', async (t) => {
  const { stub, run } = await stand(t)
  const said: [unknown, string, object, string][] = [
    [
      { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] },
      'SHOPIFY_LIST_PRODUCTS',
      {},
      'Throttled',
    ],
    [
      {
        data: {
          productCreate: { product: null, userErrors: [{ field: ['title'], message: 'Title is too long' }] },
        },
      },
      'SHOPIFY_CREATE_PRODUCT',
      { title: 'x' },
      'Title is too long',
    ],
    [
      {
        data: {
          productDelete: {
            deletedProductId: null,
            userErrors: [{ field: ['id'], message: 'Product does not exist' }],
          },
        },
      },
      'SHOPIFY_DELETE_PRODUCT',
      { id: 'gid://shopify/Product/1' },
      'Product does not exist',
    ],
    [
      { errors: '[API] Invalid API key or access token' },
      'SHOPIFY_GET_SHOP',
      {},
      '[API] Invalid API key or access token',
    ],
  ]
  for (const [json, tool, args, message] of said) {
    stub.answer = () => ({ json })
    const { successful, error } = await run(tool, args as Record<string, unknown>, ...KEY)
    assert.deepEqual([successful, error], [false, message])
  }
  stub.answer = () => ({ json: { data: { product: null } } })
  assert.equal(
    (await run('SHOPIFY_GET_PRODUCT', { id: 'gid://shopify/Product/1' }, ...KEY)).successful,
    false,
  )
})
