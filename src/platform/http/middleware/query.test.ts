import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '#fixtures/app.ts'
import { hasTooManyValues, listParameters, parseQuery, splitLists } from './query.ts'

/** As plain JSON, so that objects without a prototype compare. */
const parsed = (text: string): unknown => JSON.parse(JSON.stringify(parseQuery(text)))

test('query: single values, repeated keys, brackets and empty values are parsed', () => {
  for (const [text, expected] of [
    ['', {}],
    ['a=1&b=two+words&c=%C3%BC', { a: '1', b: 'two words', c: 'ü' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a[]=1', { a: '1' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['v[gmail]=x&v[slack]=y', { v: { gmail: 'x', slack: 'y' } }],
    ['v%5Bgmail%5D=x', { v: { gmail: 'x' } }],
    ['limit=&cursor=&a=1', { a: '1' }],
    ['a', {}],
    ['v[a][b]=1', { 'v[a][b]': '1' }],
    ['v=latest&v[gmail]=x', { v: { gmail: 'x' } }],
  ] as const)
    assert.deepEqual(parsed(text), expected, text)
})

test('query: hostile keys are only keys', () => {
  const query = parseQuery(
    '__proto__[polluted]=1&constructor[prototype]=2&__proto__=3&toString=4&v[__proto__]=5&v[constructor]=6',
  )
  assert.equal(Object.getPrototypeOf(query), null)
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  assert.deepEqual(Object.keys(query).sort(), ['__proto__', 'constructor', 'toString', 'v'])
  const group = query['v'] as Record<string, unknown>
  assert.deepEqual([Object.getPrototypeOf(group), Object.keys(group)], [null, ['__proto__', 'constructor']])
})

test('query: up to 2,000 values are read, and a query with more is marked, so that it is rejected', () => {
  const query = (count: number) =>
    parseQuery(Array.from({ length: count }, (_, i) => `v[k${i}]=1&list=${i}`).join('&'))
  const complete = query(1_000)
  assert.equal(hasTooManyValues(complete), false)
  assert.equal(Object.keys(complete['v'] as object).length, 1_000)
  assert.equal((complete['list'] as string[]).length, 1_000)
  const excessive = query(1_001)
  assert.equal(hasTooManyValues(excessive), true)
  assert.deepEqual(Object.keys(excessive), ['v', 'list'])
})

test('query: any text is parsed without an error and changes no prototype', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', '[', ']', '=', '&', '%', '0', '_') })),
      (text) => {
        const query = parseQuery(text)
        assert.equal(Object.getPrototypeOf(query), null)
        assert.ok(
          Object.values(query)
            .flat()
            .every((value) => typeof value === 'string' || Object.getPrototypeOf(value) === null),
        )
      },
    ),
    { numRuns: 500 },
  )
})

test('query: lists are separated by commas, repeated or both', () => {
  const split = (text: string) => {
    const query = parseQuery(text)
    splitLists(query, ['list'])
    return query['list']
  }
  assert.deepEqual(split('list=a,b'), ['a', 'b'])
  assert.deepEqual(split('list=a&list=b,c'), ['a', 'b', 'c'])
  assert.deepEqual(split('list[]=a&list[]=b'), ['a', 'b'])
  assert.deepEqual(split('list=+a+,,+b,'), ['a', 'b'])
  assert.deepEqual(split('list=,'), [])
  assert.equal(split('other=a'), undefined)
  assert.deepEqual(
    JSON.parse(JSON.stringify(split('list[x]=a'))),
    [{ x: 'a' }],
    'an object stays one, for the schema to reject',
  )
})

test('query: the schema names the list parameters', () => {
  assert.deepEqual(listParameters({ properties: { a: { type: 'array' }, b: { type: 'string' }, c: {} } }), [
    'a',
  ])
  assert.deepEqual(listParameters({}), [])
})

test('query: an API call with more values than are read is rejected', async (t) => {
  const { app, keys } = await testApp(t)
  const list = (count: number) =>
    app.http.inject({
      url: `/api/v3/tools?${Array.from({ length: count }, (_, i) => `toolkit_versions[t${i}]=latest`).join('&')}`,
      headers: { 'x-api-key': keys.projectApiKey },
    })
  assert.equal((await list(1_000)).statusCode, 200)
  const rejected = await list(2_001)
  assert.equal(rejected.statusCode, 400)
  assert.match(rejected.json().error.errors[0], /^Error in query: has more than 2000 values/)
})
