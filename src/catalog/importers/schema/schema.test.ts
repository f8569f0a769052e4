import assert from 'node:assert/strict'
import { test } from 'node:test'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { BOUNDS } from '../bounds.ts'
import { oneOperation, toolFrom } from '#fixtures/openapi-documents.ts'

type Json = Record<string, unknown>

/** What a schema becomes as the member `m` of a JSON body. */
function written(schema: Json, components: Json = {}, more: Json = {}): Json {
  const requestBody = {
    required: true,
    content: { 'application/json': { schema: { type: 'object', properties: { m: schema } } } },
  }
  const { input } = toolFrom(
    oneOperation({ requestBody }, { components: { schemas: components }, ...more }, { method: 'post' }),
  )
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true })
  formats.default(ajv)
  ajv.compile(input)
  return (input as { properties: { m: Json } }).properties.m
}
const short = ({ description: _, ...schema }: Json) => schema

test('imported schema: nullable, const, bounds and types of both OpenAPI versions become JSON Schema', () => {
  assert.deepEqual(short(written({ type: 'string', nullable: true, enum: ['a'] })), {
    type: ['string', 'null'],
    enum: ['a', null],
  })
  assert.deepEqual(short(written({ type: ['string', 'null'] }, {}, { openapi: '3.1.0' })), {
    type: ['string', 'null'],
  })
  assert.deepEqual(short(written({ const: 5 })), { enum: [5] })
  assert.deepEqual(short(written({ type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9 })), {
    type: 'integer',
    exclusiveMinimum: 1,
    maximum: 9,
  })
  assert.deepEqual(short(written({ type: 'number', exclusiveMaximum: 9 })), {
    type: 'number',
    exclusiveMaximum: 9,
  })
  assert.deepEqual(short(written({ anyOf: [{ type: 'string' }], nullable: true })), {
    anyOf: [{ type: 'string' }, { type: 'null' }],
  })
})

test('imported schema: invalid parts are corrected or left out, so every input compiles', () => {
  for (const [schema, expected] of [
    [
      { type: 'int', enum: ['1', 2, 2, 'x'] },
      { type: 'integer', enum: [1, 2] },
    ],
    [
      { type: 'string', enum: [1, true] },
      { type: 'string', enum: ['1', 'true'] },
    ],
    [
      { type: 'boolean', enum: ['TRUE'] },
      { type: 'boolean', enum: [true] },
    ],
    [{ type: 'string', enum: [] }, { type: 'string' }],
    [{ type: 'string', minLength: 9, maxLength: 2 }, { type: 'string' }],
    [{ type: 'string', format: 'int32' }, { type: 'string' }],
    [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date' },
    ],
    [{ type: 'array' }, { type: 'array', items: {} }],
    [{ type: 'banana' }, {}],
    [{ type: 'number', minimum: '3', maximum: NaN }, { type: 'number' }],
    [{ type: 'object', required: true }, { type: 'object' }],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'a', 'b', 5] },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    [
      { type: 'string', example: 'short', examples: 'no list' },
      { type: 'string', examples: ['short'] },
    ],
    [{ type: 'string', example: 5 }, { type: 'string' }],
  ] as [Json, Json][])
    assert.deepEqual(short(written(schema)), expected, JSON.stringify(schema))
})

test('imported schema: patterns and defaults are only described, never executed or sent', () => {
  const schema = written({
    type: 'string',
    pattern: '^(a+)+$',
    default: 'aa',
    description: '<p>Some <b>name</b>, see [docs](https://x.example).</p>',
  })
  assert.deepEqual(schema, {
    type: 'string',
    description: 'Some name, see docs. Default: aa. Pattern: ^(a+)+$',
  })
  assert.equal(written({ type: 'integer', default: 20 })['description'], 'M. Default: 20.')
  const { input } = toolFrom(
    oneOperation({
      parameters: [
        { name: 'pageSize', in: 'query', description: 'How many.', schema: { type: 'integer', default: 20 } },
        { name: 'sortBy', in: 'query', schema: { type: 'string', default: 'name' } },
      ],
    }),
  )
  assert.deepEqual(
    Object.values((input as { properties: Record<string, Json> }).properties).map(
      ({ description }) => description,
    ),
    ['How many. Default: 20.', 'Sort by. Default: name.'],
  )
})

test('imported schema: readOnly is left out of requests and writeOnly out of results', () => {
  const both = {
    type: 'object',
    required: ['id', 'secret'],
    properties: { id: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } },
  }
  assert.deepEqual(short(written(both)), {
    type: 'object',
    properties: { secret: { type: 'string' } },
    required: ['secret'],
  })
  const components = { Stamp: { type: 'string', readOnly: true } }
  const properties = { name: { type: 'string' }, made: { $ref: '#/components/schemas/Stamp' } }
  assert.deepEqual(short(written({ type: 'object', required: ['made', 'name'], properties }, components)), {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
  })
  const { output } = toolFrom(
    oneOperation({
      responses: { 200: { description: '', content: { 'application/json': { schema: both } } } },
    }),
  )
  assert.deepEqual(output, { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] })
})

test('imported schema: allOf is merged, and alternatives are relaxed', () => {
  const components = {
    Base: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, kind: { type: 'string' } },
    },
  }
  const allOf = [
    { $ref: '#/components/schemas/Base' },
    { required: ['name'], properties: { kind: { description: 'What it is.' } } },
  ]
  assert.deepEqual(short(written({ allOf, properties: { name: { type: 'string' } } }, components)), {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'string' },
      kind: { type: 'string', description: 'What it is.' },
      name: { type: 'string' },
    },
  })
  assert.deepEqual(
    short(written({ oneOf: [{ type: 'integer' }, { type: 'number' }, { type: 'integer' }] })),
    { anyOf: [{ type: 'integer' }, { type: 'number' }] },
  )
  assert.deepEqual(
    short(
      written({ type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    ),
    { type: 'object', properties: { a: {} } },
  )
})

test('imported schema: cycles are cut at the same place, whatever was read before', () => {
  const components = {
    Node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        parent: { $ref: '#/components/schemas/Node' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    },
    A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
    B: { type: 'object', properties: { a: { $ref: '#/components/schemas/A' }, x: { type: 'string' } } },
  }
  const cut = { type: 'object', description: 'Again an object of the kind that holds it.' }
  assert.deepEqual(short(written({ $ref: '#/components/schemas/Node' }, components)), {
    type: 'object',
    properties: { name: { type: 'string' }, parent: cut, children: { type: 'array', items: cut } },
  })
  assert.deepEqual(short(written({ $ref: '#/components/schemas/B' }, components)), {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: cut } }, x: { type: 'string' } },
  })
  const self = {
    Loop: { $ref: '#/components/schemas/Loop' },
    Parts: { allOf: [{ $ref: '#/components/schemas/Parts' }], properties: { a: { type: 'string' } } },
  }
  assert.deepEqual(short(written({ $ref: '#/components/schemas/Loop' }, self)), {})
  assert.equal(
    (written({ $ref: '#/components/schemas/Parts' }, self)['properties'] as Json)['a'] !== undefined,
    true,
  )
})

test('imported schema: a very large schema is cut, with a note of what is left out', () => {
  // 10^12 values when written out.
  const components = Object.fromEntries(
    Array.from({ length: 13 }, (_, level) => [
      `L${level}`,
      level === 12
        ? { type: 'string' }
        : {
            type: 'object',
            properties: Object.fromEntries(
              Array.from({ length: 10 }, (_, index) => [
                `p${index}`,
                { $ref: `#/components/schemas/L${level + 1}` },
              ]),
            ),
          },
    ]),
  )
  const schema = written({ $ref: '#/components/schemas/L0' }, components)
  assert.ok(JSON.stringify(schema).length <= BOUNDS.inputCharacters)
  assert.match(JSON.stringify(schema), /Members: p0, p1/)
  // Every schema refers to every other.
  const names = Array.from({ length: 60 }, (_, index) => `S${index}`)
  const tangled = Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: 'object',
        properties: Object.fromEntries(
          names.map((other) => [other, { $ref: `#/components/schemas/${other}` }]),
        ),
      },
    ]),
  )
  assert.ok(
    JSON.stringify(written({ $ref: '#/components/schemas/S0' }, tangled)).length <= BOUNDS.inputCharacters,
  )
})

test('imported schema: hundreds of arguments have short descriptions', () => {
  const parameters = Array.from({ length: 400 }, (_, index) => ({
    name: `p${index}`,
    in: 'query',
    required: index === 0,
    description: 'Long words. '.repeat(30),
    schema: { type: 'string' },
  }))
  const { input } = toolFrom(oneOperation({ parameters }))
  assert.equal(Object.keys((input as { properties: Json }).properties).length, 400)
  assert.ok(JSON.stringify(input).length < 60_000)
})
