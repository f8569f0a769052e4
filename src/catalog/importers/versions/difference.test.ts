import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceOf } from './difference.ts'
import { canonicalJson, isSameJson } from './canonical-json.ts'
import { nextVersion, snapshotPieces } from './snapshot.ts'
import { importedFrom, oneOperation, sampleDocument } from '#fixtures/openapi-documents.ts'

type Json = Record<string, unknown>
const parameters = (schemas: Record<string, Json & { must?: boolean }>) =>
  oneOperation({
    parameters: Object.entries(schemas).map(([name, { must = false, ...schema }]) => ({
      name,
      in: 'query',
      required: must,
      schema,
    })),
  })
const changes = (before: Json, after: Json) => differenceOf(importedFrom(before), importedFrom(after))

test('import difference: added and removed tools are listed', () => {
  const get = (id: string) => ({ get: { operationId: `list ${id}`, responses: {} } })
  const { added, removed, changed } = changes(
    sampleDocument({ '/a': get('a'), '/b': get('b') }),
    sampleDocument({ '/b': get('b'), '/c': get('c') }),
  )
  assert.deepEqual([added, removed, changed], [['SHOP_LIST_C'], ['SHOP_LIST_A'], []])
})

test('import difference: only input that is no longer accepted is a breaking change', () => {
  const string = { type: 'string' }
  for (const [before, after, breaking] of [
    [{ a: string }, {}, ['`a` is gone.']],
    [{}, { a: { ...string, must: true } }, ['`a` is new and required.']],
    [{ a: string }, { a: { ...string, must: true } }, ['`a` is required.']],
    [{ a: string }, { a: { type: 'integer' } }, ['`a` no longer takes string.']],
    [{ a: { type: 'integer' } }, { a: { type: 'number' } }, []],
    [{ a: { enum: ['x', 'y', 'z'] } }, { a: { enum: ['x', 'w'] } }, ['`a` no longer takes y, z.']],
    [{ a: string }, { a: { ...string, enum: ['x', 'y'] } }, ['`a` takes only certain values.']],
    [{ a: { ...string, maxLength: 9 } }, { a: { ...string, maxLength: 5 } }, ['`a`: maxLength is 5.']],
    [{ a: { ...string, maxLength: 5 } }, { a: { ...string, maxLength: 9 } }, []],
    [{ a: string }, { a: { ...string, description: 'Else.' } }, []],
    [{}, { a: string }, []],
    [
      { a: { type: 'object', properties: { b: string } } },
      { a: { type: 'object', properties: { b: string, c: string }, required: ['c'] } },
      ['`a.c` is new and required.'],
    ],
    [
      { a: { type: 'array', items: string } },
      { a: { type: 'array', items: { type: 'integer' } } },
      ['`a[]` no longer takes string.'],
    ],
  ] as [Record<string, Json>, Record<string, Json>, string[]][]) {
    const [changed] = changes(parameters(before), parameters(after)).changed
    assert.deepEqual(changed?.breaking, breaking, JSON.stringify([before, after]))
    if (breaking.length === 0) assert.ok(changed!.other.length > 0)
  }
  assert.deepEqual(changes(parameters({ a: string }), parameters({ a: string })).changed, [])
})

test('import difference: new required scopes and removed auth schemes are breaking changes', () => {
  const secured = (security: unknown, type = 'authorizationCode') =>
    oneOperation(
      { security },
      {
        components: {
          securitySchemes: {
            o: {
              type: 'oauth2',
              flows: {
                [type]: {
                  authorizationUrl: 'https://a.example/a',
                  tokenUrl: 'https://a.example/t',
                  scopes: {},
                },
              },
            },
          },
        },
      },
    )
  const scopes = (before: unknown, after: unknown) =>
    changes(secured(before), secured(after)).changed[0]?.breaking
  assert.deepEqual(scopes([{ o: ['a'] }], [{ o: ['a', 'b'] }]), ['Needs the scope b.'])
  assert.deepEqual(scopes([{ o: ['a'] }], [{ o: ['a'] }, { o: ['b'] }]), [])
  assert.deepEqual(scopes([{ o: ['a'] }, { o: ['b'] }], [{ o: ['a'] }]), ['Needs the scope a.'])
  assert.deepEqual(
    changes(secured([{ o: [] }]), secured([{ o: [] }], 'clientCredentials')).toolkit.breaking,
    ['OAUTH2 is gone; its connections cannot be used.'],
  )
  assert.deepEqual(
    changes(oneOperation({}), oneOperation({}, { servers: [{ url: 'https://b.example' }] })).toolkit.breaking,
    ['The address was https://api.shop.example/v1 and is https://b.example.'],
  )
})

test('import version: equal content has the same text in any document order', () => {
  const paths = {
    '/a': { get: { operationId: 'a', responses: {} } },
    '/b': {
      get: {
        operationId: 'b',
        responses: {},
        parameters: [{ name: 'x', in: 'query', schema: { maxLength: 5, type: 'string' } }],
      },
    },
  }
  const turned = {
    '/b': {
      get: {
        parameters: [{ schema: { type: 'string', maxLength: 5 }, in: 'query', name: 'x' }],
        responses: {},
        operationId: 'b',
      },
    },
    '/a': paths['/a'],
  }
  const textOf = (all: Parameters<typeof sampleDocument>[0]) =>
    [...snapshotPieces(importedFrom(sampleDocument(all)))].join('')
  assert.equal(textOf(paths), textOf(turned))
  assert.notEqual(textOf({ '/a': paths['/a'] }), textOf(paths))
  assert.equal(
    canonicalJson({ b: [1, undefined, { d: 'é', c: null }], a: undefined }),
    '{"b":[1,null,{"c":null,"d":"é"}]}',
  )
})

test('canonical JSON: values are the same also with members without a value, and without a prototype', () => {
  const bare = Object.assign(Object.create(null) as object, { a: [1] })
  assert.equal(isSameJson({ a: [1], b: undefined }, { a: [1] }), true)
  assert.equal(isSameJson(bare, { a: [1] }), true)
  assert.equal(isSameJson({ a: [1], b: null }, { a: [1] }), false)
})

test('import version: versions increase with the calendar, also past a hundred a day', () => {
  const now = Date.UTC(2026, 10, 21, 23, 59)
  for (const [existing, expected] of [
    [[], '20261121_00'],
    [['20261120_07'], '20261121_00'],
    [['20261121_00', '20250101_00'], '20261121_01'],
    [['20261121_09'], '20261121_10'],
    [['20261231_99'], '20270101_00'],
    [['20300101_00'], '20300101_01'],
    [['latest', '00000000_00'], '20261121_00'],
  ] as const)
    assert.equal(nextVersion(existing, now), expected)
})
