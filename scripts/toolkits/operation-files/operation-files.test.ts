import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolManifest } from '../../../src/catalog/manifest/format/index.ts'
import { statedDifferences } from '../check-facts/compare-stated.ts'
import type { OperationFile, StatedOperation } from './format.ts'
import { makeStatedTool } from './make-stated-tool.ts'
import { readValue } from './read-value.ts'
import { readTarget } from './source-target.ts'
import { sourceFault } from './sources.ts'

const COMMIT = '0123456789ab'
const SOURCES: OperationFile['sources'] = {
  sdk: { by: 'vendor', at: 'npm:@shop/sdk@1.2.3:dist/orders.js' },
  a: { by: 'other', at: `github:alpha/connectors@${COMMIT}:shop` },
  a2: { by: 'other', at: 'npm:@alpha/shop@2.0.0:index.js' },
  b: { by: 'other', at: `github:beta/nodes@${COMMIT}:shop` },
}
const OPERATION: StatedOperation = {
  slug: 'SHOP_CREATE_ORDER',
  request: 'POST /customers/{customer_id}/orders',
  description: 'Creates an order of a customer and returns it with its number.',
  path: { customer_id: 'string!: Id of the customer.' },
  query: { expand: { is: 'string[]: Parts to return.', style: 'comma' } },
  headers: { 'Idempotency-Key': 'string: Key of this attempt.' },
  body: {
    'order.lines': {
      is: 'object[]!: Lines.',
      members: { sku: 'string!: Article.', count: 'integer=1: Pieces.' },
    },
    note: 'string: Note for the packer.',
  },
  fixed: { body: { 'order.type': 'standard' }, query: { v: 2 } },
  sources: ['sdk'],
}
const file = (...operations: StatedOperation[]): OperationFile => ({ sources: SOURCES, operations })
const toolOf = (change: Partial<StatedOperation> = {}): ToolManifest => {
  const operation = { ...OPERATION, ...change }
  return makeStatedTool(operation, file(operation), { slug: 'shop', name: 'Shop' })
}

test('stated operations: a value is its type, list, required mark, default and description', () => {
  assert.deepEqual(readValue('asc|desc=asc: Direction.', 'x').schema, {
    type: 'string',
    enum: ['asc', 'desc'],
    description: 'Direction.',
    default: 'asc',
  })
  const list = readValue({ is: 'integer[]!: Ids.', schema: { maxItems: 5 } }, 'x')
  assert.deepEqual(list.schema, {
    type: 'array',
    items: { type: 'integer' },
    description: 'Ids.',
    maxItems: 5,
  })
  assert.equal(list.isRequired, true)
  assert.throws(() => readValue('text: Name.', 'SHOP_X body name'), /SHOP_X body name: text is no type/)
  assert.throws(
    () => readValue({ is: 'string: Name.', members: { a: 'string' } }, 'x'),
    /only an object has members/,
  )
})

test('stated operations: a tool sends path, query, headers and nested members by the names of the vendor', () => {
  const { request, input, effect, name } = toolOf()
  assert.deepEqual(request, {
    method: 'POST',
    path: '/customers/{customer_id}/orders',
    query: { v: 2, expand: { $: 'expand' } },
    query_style: { expand: 'comma' },
    headers: { 'Idempotency-Key': { $: 'Idempotency-Key' } },
    body: { order: { type: 'standard', lines: { $: 'lines' } }, note: { $: 'note' } },
  })
  assert.deepEqual((input as { required: string[] }).required, ['customer_id', 'lines'])
  assert.deepEqual([effect, name], ['create', 'Create order'])
})

test('stated operations: arguments without a description get one by rule, members too', () => {
  const { input } = toolOf({
    body: { assignee_id: 'string', parts: { is: 'object: Parts.', members: { weight: 'string' } } },
  })
  const { assignee_id: id, parts } = (input as { properties: Record<string, Record<string, unknown>> })
    .properties
  assert.equal(id!['description'], 'Id of the assignee.')
  assert.equal(
    (parts!['properties'] as Record<string, { description: string }>)['weight']!.description,
    'Weight.',
  )
})

test('stated operations: GraphQL variables are those that the text declares', () => {
  const graphql = 'query ($id: ID!, $limit: Int) { orders(id: $id, limit: $limit) { id } }'
  const variables = { id: 'string!: Id of the shop.', limit: 'integer: Number of orders.' }
  const change = { request: 'POST /graphql', path: {}, query: {}, headers: {}, body: {}, fixed: {}, graphql }
  assert.deepEqual(toolOf({ ...change, variables }).request!.body, {
    query: graphql.replaceAll('{', '{{'),
    variables: { id: { $: 'id' }, limit: { $: 'limit' } },
  })
  assert.throws(() => toolOf({ ...change, variables: { id: 'string!: Id.' } }), /no variable limit/)
  assert.throws(() => toolOf({ ...change, variables: { ...variables, id: 'string: Id.' } }), /id is required/)
})

test('stated operations: one source of the vendor is enough, others need a second publisher', () => {
  const fault = (...sources: string[]) => sourceFault({ ...OPERATION, sources }, file(OPERATION))
  assert.equal(fault('sdk'), undefined)
  assert.equal(fault('a', 'b'), undefined)
  assert.match(fault('a')!, /a source by the vendor, or two sources/)
  assert.match(fault('a', 'a2')!, /different publishers/)
  assert.match(fault('c')!, /the source c is not in the list/)
  assert.throws(() => toolOf({ sources: ['a'] }), /SHOP_CREATE_ORDER: it needs a source by the vendor/)
})

test('stated operations: a tool records its sources, the one of the vendor first', () => {
  assert.deepEqual(toolOf({ sources: ['a', 'sdk'] }).source, {
    document: SOURCES['sdk']!.at,
    tier: 'vendor',
    also: [SOURCES['a']!.at],
  })
  assert.equal(toolOf({ sources: ['a', 'b'] }).source!.tier, 'confirmed')
})

test('stated operations: a source is a file of a version of a package or repository, or a page', () => {
  assert.deepEqual(readTarget('npm:@shop/sdk@1.2.3:dist/orders.js'), {
    kind: 'npm',
    name: '@shop/sdk@1.2.3',
    path: 'dist/orders.js',
    publisher: 'shop',
  })
  assert.equal(readTarget('https://docs.shop.com/orders').publisher, 'shop.com')
  for (const at of ['github:alpha/connectors:shop', 'npm:sdk:index.js', 'http://shop.com/x', 'notes'])
    assert.throws(() => readTarget(at), /is no place of a source/, at)
})

test('stated operations: a body that is one argument as a whole is compared like others', () => {
  const change = { body: {}, fixed: {}, whole_body: 'object!: The order.' }
  const operation = { ...OPERATION, ...change }
  assert.deepEqual(statedDifferences(toolOf(change), operation), [])
  assert.deepEqual(statedDifferences(toolOf(change), { ...operation, whole_body: 'object: The order.' }), [
    'body $ is not required',
  ])
})

test('stated operations: a tool that differs from its operation is found', () => {
  const tool = toolOf()
  assert.deepEqual(statedDifferences(tool, OPERATION), [])
  const changed = { ...tool, request: { ...tool.request!, path: '/orders', query: {} } }
  assert.deepEqual(statedDifferences(changed, OPERATION), [
    'POST /orders is not POST /customers/{customer_id}/orders',
    'query expand is not sent',
    'query v is not sent',
  ])
  assert.deepEqual(statedDifferences(tool, { ...OPERATION, body: { 'order.lines': 'object[]: Lines.' } }), [
    'body note is not stated',
    'body order.lines is not required',
  ])
})
