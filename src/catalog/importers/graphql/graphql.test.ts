import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as graphql from 'graphql'
import { readAllTools } from '../../query/select.ts'
import { renderRequest } from '../../manifest/compile/request/request.ts'
import { lookupFrom } from '../../manifest/compile/template/templates.ts'
import { askForSchema, importGraphQl } from './ask.ts'
import { ImportRejected } from '../import-rejected.ts'
import { convertGraphQl } from './import.ts'
import { SHOP } from '#fixtures/graphql-documents.ts'
import { loadImported } from '#fixtures/imported-toolkits.ts'

type Json = Record<string, unknown>
const { buildSchema, parse, validate } = graphql
const address = 'https://api.shop.example/graphql'
const shop = convertGraphQl(SHOP, { address }, graphql)
const tool = (slug: string, of = shop) => of.tools.find((one) => one.slug === slug)!
const queryOf = (slug: string, of = shop) => (tool(slug, of).request!.body as { query: string }).query
const inputOf = (slug: string, of = shop) =>
  tool(slug, of).input as { properties: Record<string, Json>; required?: string[] }
const refusal = async (source: string) => {
  try {
    await importGraphQl(source, { address })
  } catch (error) {
    assert.ok(error instanceof ImportRejected, String((error as Error).stack))
    return error.why
  }
  return undefined
}

test('GraphQL import: every query and mutation is a tool, except one with a required file', () => {
  assert.deepEqual(
    shop.tools.map(({ slug, effect }) => `${slug} ${effect}`),
    [
      'SHOP_GET_ORDER read',
      'SHOP_LIST_ORDERS read',
      'SHOP_GET_ORDER_BY read',
      'SHOP_LIST_USERS read',
      'SHOP_SEARCH_EVERYTHING read',
      'SHOP_GET_NODE read',
      'SHOP_COUNT read',
      'SHOP_LIST_NAMES read',
      'SHOP_GET_DEEP read',
      'SHOP_GET_OLD read',
      'SHOP_CREATE_ORDER create',
      'SHOP_UPDATE_ORDER update',
      'SHOP_DELETE_ORDER delete',
      'SHOP_ARCHIVE_ALL update',
      'SHOP_AVATAR update',
      'SHOP_ORDER update',
    ],
  )
  assert.deepEqual(
    shop.report.refused.map(({ operation, cause }) => [operation, cause]),
    [['Mutation.attach', 'unsupported_body']],
  )
  assert.deepEqual(
    [shop.toolkit.name, shop.toolkit.base_url, tool('SHOP_COUNT').request!.path],
    ['Shop', 'https://api.shop.example', '/graphql'],
  )
  assert.equal(tool('SHOP_GET_OLD').deprecated, true)
  assert.match(tool('SHOP_GET_OLD').description, /^Deprecated: Use order\./)
  assert.equal(shop.origins['Query.orders'], 'SHOP_LIST_ORDERS')
})

test('GraphQL import: a slug stays with its field when the import is repeated', () => {
  const again = convertGraphQl(
    SHOP.replace('orders(first', 'orders2: Int orders(first'),
    {
      address,
      former: new Map([
        ['Query.orders', 'SHOP_OLD_NAME'],
        ['Query.gone', 'SHOP_COUNT'],
      ]),
    },
    graphql,
  )
  assert.equal(again.origins['Query.orders'], 'SHOP_OLD_NAME')
  assert.match(
    again.origins['Query.count']!,
    /^SHOP_COUNT_[A-Z0-9]{6}$/,
    'what another had is not given away',
  )
})

test('GraphQL import: the selection has ids first, cut cycles, nodes and page information', () => {
  assert.equal(
    queryOf('SHOP_LIST_USERS'),
    'query users($first: Int, $after: String) { users(first: $first, after: $after) { edges { node { id ' +
      'login email state avatar boss { id login email state } address { street country { name code } } } } ' +
      'pageInfo { hasNextPage endCursor } totalCount } }',
  )
  const { query } = tool('SHOP_GET_ORDER').request!.body as { query: string }
  assert.match(query, /order\(id: \$id\) \{ id number status created extra tags grid /)
  assert.match(
    query,
    /lines\(first: 10\) \{ nodes \{ id name amount \} pageInfo \{ hasNextPage endCursor \} \}/,
  )
  assert.match(
    query,
    /events \{ __typename \.\.\. on Shipped \{ code at carrier \} \.\.\. on Refunded \{ refunded_code: code amount at \} \}/,
    'one name with two types has two names',
  )
  assert.doesNotMatch(query, /note|total/, 'neither what is deprecated nor what needs an argument')
  assert.doesNotMatch(queryOf('SHOP_LIST_ORDERS'), /lines/, 'no list within a list of pages')
  assert.equal(queryOf('SHOP_GET_DEEP'), 'query deep { deep { __typename } }')
  assert.deepEqual((tool('SHOP_COUNT').output as Json)['properties'], { value: { type: 'integer' } })
})

test('GraphQL import: arguments are typed per field, and updates accept null', () => {
  assert.deepEqual(
    [Object.keys(inputOf('SHOP_CREATE_ORDER').properties), inputOf('SHOP_CREATE_ORDER').required],
    [
      ['number', 'note', 'lines', 'status'],
      ['number', 'lines'],
    ],
  )
  assert.deepEqual(inputOf('SHOP_CREATE_ORDER').properties['status'], {
    type: 'string',
    description: 'How things stand.',
    enum: ['OPEN', 'DONE'],
  })
  assert.deepEqual(inputOf('SHOP_CREATE_ORDER').properties['lines'], {
    type: 'array',
    items: {
      type: 'object',
      properties: { name: { type: 'string' }, amount: { type: 'integer', description: 'Default: 1.' } },
      required: ['name'],
    },
    description: 'Lines.',
  })
  assert.deepEqual(inputOf('SHOP_UPDATE_ORDER').properties['note'], {
    type: ['string', 'null'],
    description: 'Note.',
  })
  assert.deepEqual(Object.keys(inputOf('SHOP_LIST_ORDERS').properties), ['first', 'after', 'filter'])
  assert.equal(inputOf('SHOP_LIST_ORDERS').properties['first']!['default'], 20)
  assert.match(String(inputOf('SHOP_GET_ORDER_BY').properties['which']!['description']), /exactly one/)
  assert.deepEqual(inputOf('SHOP_SEARCH_EVERYTHING').properties['weird'], {
    description: 'A value of the type Weird.',
  })
})

const ann = { id: 'u1', login: 'ann', state: 'here', __typename: 'User' }

const page = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }

test('GraphQL import: every generated document is valid', () => {
  const schema = buildSchema(SHOP)
  for (const { slug } of shop.tools)
    assert.deepEqual(
      validate(schema, parse(queryOf(slug))).map(({ message }) => message),
      [],
      slug,
    )
})

test('GraphQL import: generated documents run against a server', async () => {
  const schema = buildSchema(SHOP)
  const catalog = loadImported(shop)
  const seen: unknown[] = []
  const order = (args: unknown) => {
    seen.push(args)
    return {
      id: '1',
      number: 7,
      status: 'OPEN',
      created: 'now',
      buyer: ann,
      tags: [],
      events: [{ __typename: 'Refunded', at: 'then', code: 'late' }],
      lines: { nodes: [], pageInfo: page },
      actor: ann,
    }
  }
  const run = async (slug: string, args: Json) => {
    const request = renderRequest(catalog.tool(slug, 'latest')!.tool.request!, args, lookupFrom({}))
    const { query, variables } = request.body as { query: string; variables?: Json }
    const answer = await graphql.graphql({
      schema,
      source: query,
      variableValues: variables,
      rootValue: {
        order,
        orders: (args: unknown) => ({ nodes: [order(args)], pageInfo: page, totalCount: 1 }),
        orderCreate: (args: unknown) => ({ order: order(args), userErrors: [] }),
        updateOrder: (args: unknown) => {
          seen.push(args)
          return null
        },
      },
    })
    assert.equal(answer.errors, undefined, JSON.stringify(answer.errors))
    return JSON.parse(JSON.stringify(answer.data)) as Json
  }
  const got = (await run('SHOP_GET_ORDER', { id: '1' }))['order'] as Json
  assert.deepEqual(
    [got['number'], got['events']],
    [7, [{ __typename: 'Refunded', refunded_code: 'late', amount: null, at: 'then' }]],
  )
  await run('SHOP_LIST_ORDERS', { first: 5, filter: { status: 'DONE', and: [{ text: 'x' }] } })
  await run('SHOP_CREATE_ORDER', { number: 3, lines: [{ name: '{a}' }] })
  await run('SHOP_UPDATE_ORDER', { id: '1', note: null })
  await run('SHOP_UPDATE_ORDER', { id: '1' })
  assert.deepEqual(JSON.parse(JSON.stringify(seen)), [
    { id: '1' },
    { first: 5, filter: { status: 'DONE', and: [{ text: 'x' }], text: 'all' } },
    { input: { number: 3, lines: [{ name: '{a}', amount: 1 }] } },
    { id: '1', input: { note: null, status: 'OPEN' } },
    { id: '1', input: { status: 'OPEN' } },
  ])
})

test('GraphQL import: errors with status 200 are failures with their meaning', () => {
  const { tool: found, toolkit } = (() => {
    const catalog = loadImported(shop)
    return { tool: [...readAllTools(catalog)][0]!, toolkit: catalog.toolkits[0]! }
  })()
  const answer = (body: unknown) => ({ status: 200, headers: {}, body })
  assert.equal(found.successWhen!(answer({ data: { order: null }, errors: [{ message: 'No.' }] })), false)
  assert.deepEqual(
    [answer({ data: {} }), answer({ data: {}, errors: [] }), answer({ data: {}, errors: null })].map((one) =>
      found.successWhen!(one),
    ),
    [true, true, true],
  )
  const meaning = (error: Json) =>
    toolkit.errors.find(({ when }) => when(answer({ errors: [error] })))?.meaning
  assert.deepEqual(
    [
      meaning({ extensions: { code: 'UNAUTHENTICATED' } }),
      meaning({ extensions: { code: 'THROTTLED' } }),
      meaning({ type: 'NOT_FOUND' }),
      meaning({ message: 'x' }),
    ],
    ['reauth', 'rate_limit', 'not_found', undefined],
  )
})

test('GraphQL import: SDL and introspection give the same tools; the connection can give the endpoint', async () => {
  const answer = JSON.stringify({
    data: graphql.introspectionFromSchema(buildSchema(SHOP), {
      descriptions: true,
      specifiedByUrl: true,
      oneOf: true,
    }),
  })
  const asked: (string | undefined)[] = []
  const response = await askForSchema(address, async (_, json) => {
    asked.push(json)
    return answer
  })
  assert.match(asked[0]!, /IntrospectionQuery/)
  const read = await importGraphQl(response, { address, slug: 'shop' })
  assert.deepEqual(
    read.tools.map(({ slug, request }) => [slug, request]),
    shop.tools.map(({ slug, request }) => [slug, request]),
  )
  const open = await importGraphQl(SHOP, { slug: 'open' })
  assert.deepEqual(
    open.toolkit.auth.map(({ scheme }) => scheme),
    ['BEARER_TOKEN', 'API_KEY'],
  )
  assert.equal(
    renderRequest(
      [...readAllTools(loadImported(open))][0]!.request!,
      {},
      lookupFrom({ endpoint: 'https://x.example/api/gql' }),
    ).path,
    'https://x.example/api/gql',
  )
  const keyed = await importGraphQl(SHOP, { address: 'https://x.example/q?v=1&api_key=hush' })
  assert.deepEqual(
    [keyed.toolkit.auth[0]!.apply, JSON.stringify(keyed).includes('hush')],
    [{ query: { api_key: '{generic_api_key}' } }, false],
    'a key in the address is a connection’s own',
  )
  const imported = await importGraphQl(SHOP, {
    address: 'https://x.example/q?v={1}',
    auth: [{ scheme: 'BASIC' }],
  })
  assert.deepEqual(
    [
      imported.toolkit.auth,
      renderRequest([...readAllTools(loadImported(imported))][0]!.request!, {}, lookupFrom({})).query,
      imported.report.notes.length,
    ],
    [[{ scheme: 'BASIC' }], [['v', '{1}']], 1],
  )
})

test('GraphQL import: invalid and hostile schemas are rejected with the reason', async () => {
  for (const [source, why] of [
    ['', 'not_graphql'],
    ['{}', 'not_graphql'],
    ['{"data":null}', 'not_graphql'],
    ['{"data":{"__schema":5}}', 'not_graphql'],
    ['{"data":{"__schema":{}}}', 'not_graphql'],
    ['{"errors":[{"message":"introspection is off"}]}', 'not_graphql'],
    ['type Query', 'no_operations'],
    ['type A { a: Int }', 'no_operations'],
    ['type Query { a: Nowhere }', 'not_graphql'],
    [`type Query { a: ${'['.repeat(100_000)} }`, 'not_graphql'],
    [`type Query { a(b: Int = ${'['.repeat(100_000)}): Int }`, 'not_graphql'],
    ['openapi: 3.0.0', 'not_graphql'],
    [`"${'x'.repeat(17_000_000)}"`, 'too_large'],
    ['type Query { __proto__: Int }', 'no_operations'],
    ['type Query { a(__proto__: Int): Int }', 'no_operations'],
    [`{"data":{"__schema":${'{"a":'.repeat(300)}1${'}'.repeat(302)}`, 'too_large'],
  ] as const)
    assert.equal(await refusal(source), why, source.slice(0, 80))
  const odd = await importGraphQl(
    'type Query { a: T constructor: T } type T { __proto__: Int toString: Int }',
    { address },
  )
  assert.deepEqual(
    odd.tools.map((one) => (one.request!.body as { query: string }).query),
    ['query a { a { toString } }', 'query constructor { constructor { toString } }'],
  )
  assert.equal(({} as Json)['polluted'], undefined)
})

test('GraphQL import: densely linked types take time in proportion to the fields', async () => {
  const count = 60
  const types = Array.from(
    { length: count },
    (_, n) =>
      `type T${n} { id: ID! ` +
      `${Array.from({ length: 40 }, (_, m) => `f${m}: T${(n * 7 + m) % count}`).join(' ')} } input I${n} ` +
      `{ ${Array.from({ length: 20 }, (_, m) => `f${m}: I${(n * 7 + m) % count}`).join(' ')} }`,
  )
  const { tools } = await importGraphQl(
    `type Query { ${Array.from({ length: count }, (_, n) => `q${n}(i: I${n}): T${n}`).join(' ')} ` +
      `}\n${types.join('\n')}`,
    { address },
  )
  assert.equal(tools.length, count)
  for (const one of tools) assert.ok(JSON.stringify(one).length < 40_000)
})

test('GraphQL import: any schema gives valid documents that load', () => {
  const names = ['id', 'name', 'a', 'b', 'nodes', 'edges', 'node', 'pageInfo', 'first']
  const typeName = fc.constantFrom('Int', 'String', 'ID', 'E', 'T0', 'T1', 'T2', 'U', 'N')
  const type = fc
    .tuple(typeName, fc.constantFrom('$', '$!', '[$]', '[$!]!', '[[$]]'))
    .map(([name, wrap]) => wrap.replace('$', name))
  const field = fc
    .tuple(
      fc.constantFrom(...names),
      type,
      fc.constantFrom('', '(first: Int)', '(first: Int, after: String)', '(x: I!)', '(x: I, y: [E!])'),
    )
    .map(([name, of, args]) => ({ name, text: `${name}${args}: ${of}` }))
  const fields = fc
    .uniqueArray(field, { selector: ({ name }) => name, minLength: 1, maxLength: 6 })
    .map((all) => all.map(({ text }) => text).join(' '))
  fc.assert(
    fc.property(fields, fields, fields, fields, (query, t0, t1, t2) => {
      const source =
        `type Query { ${query} } interface N { n: U } type T0 implements N { n: U ${t0} } type T1 ` +
        `implements N { n: U ${t1} } type T2 { ${t2} } union U = T0 | T1 | T2 enum E { A B } input I { a: ` +
        'I b: [E!] = [A] c: Int! }'
      const made = convertGraphQl(source, { address }, graphql)
      const schema = buildSchema(source)
      for (const { slug } of made.tools)
        assert.deepEqual(
          validate(schema, parse(queryOf(slug, made))).map(({ message }) => message),
          [],
          queryOf(slug, made),
        )
      loadImported(made)
    }),
    { numRuns: 150 },
  )
})
