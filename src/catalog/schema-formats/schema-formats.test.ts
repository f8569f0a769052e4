import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { loadCatalog } from '../manifest/load/load.ts'
import { readAllTools } from '../query/select.ts'
import { SCHEMA_FORMAT_NAMES, SCHEMA_FORMATS, type SchemaFormatName } from './formats.ts'
import { compileForFormat, inlineReferences, restoreArguments } from './index.ts'
import type { JsonObject } from './merge.ts'
import { findViolations } from './validate.ts'

const folder = fileURLToPath(new URL('../../../toolkits', import.meta.url))
const inFormat = (format: SchemaFormatName, schema: JsonObject): JsonObject => {
  const compiled = compileForFormat('A_TOOL', schema, format)
  assert.ok('schema' in compiled, JSON.stringify(compiled))
  return compiled.schema as JsonObject
}
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})

test('schema formats: every built-in tool is valid in every format', async () => {
  for (const tool of readAllTools(await loadCatalog({ folder, operations: false }))) {
    for (const format of SCHEMA_FORMAT_NAMES) {
      const compiled = compileForFormat(tool.slug, tool.input, format)
      assert.ok('schema' in compiled, `${tool.slug} in ${format}: ${'reason' in compiled && compiled.reason}`)
    }
  }
})

test('schema formats: strict objects are closed, and optional properties are nullable', () => {
  assert.deepEqual(
    inFormat(
      'openai_strict',
      object(
        {
          a: { type: 'string', minLength: 2, default: 'x', format: 'uri', description: 'A.' },
          b: { type: 'integer', minimum: 1 },
        },
        ['b'],
      ),
    ),
    {
      type: 'object',
      properties: {
        a: { type: ['string', 'null'], description: 'A.' },
        b: { type: 'integer', minimum: 1 },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  )
})
test('schema formats: a free-form object is passed as JSON text and restored', () => {
  const schema = object({
    labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Labels.' },
  })
  assert.deepEqual((inFormat('openai_strict', schema).properties as JsonObject).labels, {
    type: ['string', 'null'],
    description: 'Labels. Give the JSON text of an object.',
  })
  const args = { labels: '{"a":"b"}' }
  restoreArguments(schema, args)
  assert.deepEqual(args, { labels: { a: 'b' } })
})

test('schema formats: null is a separate keyword or type, enums are texts, and unions are anyOf', () => {
  const { properties } = inFormat(
    'gemini',
    object({
      a: { type: ['string', 'null'] },
      b: { type: 'integer', enum: [1, 2], description: 'B.' },
      c: { oneOf: [{ type: 'string' }, { type: 'integer', exclusiveMinimum: 3 }] },
      d: { const: 'x' },
      e: {},
    }),
  )
  assert.deepEqual(properties, {
    a: { type: 'string', nullable: true },
    b: { type: 'integer', description: 'B. One of 1, 2.' },
    c: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    d: { type: 'string', enum: ['x'] },
    e: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  })
})

test('schema formats: root alternatives become one object with the properties that all require', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    anyOf: [
      object({ a: { type: 'string' }, c: { type: 'string' } }, ['a', 'c']),
      object({ b: { type: 'string' }, c: { type: 'string' } }, ['b', 'c']),
    ],
  }
  for (const format of ['openai', 'anthropic', 'gemini'] as const) {
    const { anyOf, required, properties } = inFormat(format, schema)
    assert.equal(anyOf, undefined)
    assert.deepEqual(required, ['id', 'c'])
    assert.deepEqual(Object.keys(properties as JsonObject), ['id', 'a', 'c', 'b'])
  }
})

test('schema formats: invalid property names are rewritten and restored, also nested ones', () => {
  const schema = object(
    {
      'filter[status]': { type: 'string' },
      filter_status: { type: 'string' },
      $top: { type: 'integer' },
      inner: object({ '@type': { type: 'string' } }),
    },
    ['filter[status]'],
  )
  const { properties, required } = inFormat('anthropic', schema)
  const names = Object.keys(properties as JsonObject)
  const written = (required as string[])[0] as string
  assert.match(written, /^filter_status_[0-9a-f]{6}$/)
  assert.deepEqual(names, [written, 'filter_status', 'top', 'inner'])
  const args = { [written]: 'a', filter_status: 'b', top: 3, inner: { type: 'x' } }
  restoreArguments(schema, args)
  assert.deepEqual(args, { 'filter[status]': 'a', filter_status: 'b', $top: 3, inner: { '@type': 'x' } })
})

test('schema formats: null for an optional property means absent, unless null is a valid value', () => {
  const schema = object(
    { a: { type: 'string' }, b: { type: ['string', 'null'] }, c: {}, d: { type: 'string' } },
    ['d'],
  )
  const args = { a: null, b: null, c: null, d: null }
  restoreArguments(schema, args)
  assert.deepEqual(args, { b: null, c: null, d: null })
})

test('schema formats: long descriptions are shortened, and a schema that stays too large has a reason', () => {
  const wordy = object(
    Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'string', description: 'word '.repeat(300) }]),
    ),
  )
  for (const format of SCHEMA_FORMAT_NAMES)
    assert.ok(JSON.stringify(inFormat(format, wordy)).length <= SCHEMA_FORMATS[format].charactersMax)
  const huge = object(
    Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`property_number_${i}`, { type: 'string' }])),
  )
  assert.match(
    (compileForFormat('A_TOOL', huge, 'anthropic') as { reason: string }).reason,
    /characters, more than/,
  )
  assert.match(
    (compileForFormat('x'.repeat(65), object({}), 'openai') as { reason: string }).reason,
    /is not a tool name/,
  )
})

/** JSON schemas, also with references that are cyclic, missing or hostile. */
function randomSchemas(): fc.Arbitrary<JsonObject> {
  const leaf = fc.oneof(
    fc.record(
      {
        type: fc.constantFrom(
          'string',
          'integer',
          'number',
          'boolean',
          ['string', 'null'],
          ['integer', 'string'],
          'null',
        ),
        description: fc.string(),
        enum: fc.array(fc.jsonValue(), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
    fc.record({
      $ref: fc.constantFrom(
        '#',
        '#/properties/a',
        '#/$defs/x',
        '#/nowhere',
        'file:///etc/passwd',
        '#/__proto__',
      ),
    }),
  )
  const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf as fc.Arbitrary<JsonObject>,
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 4 }),
          required: fc.array(fc.string(), { maxLength: 3 }),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonObject>,
      fc.record(
        { type: fc.constant('array'), items: tie('schema') },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonObject>,
      fc.record(
        {
          anyOf: fc.array(tie('schema'), { maxLength: 3 }),
          oneOf: fc.array(tie('schema'), { maxLength: 3 }),
          allOf: fc.array(tie('schema'), { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonObject>,
    ),
  }))
  return schema
}

test('schema formats: random schemas compile to valid schemas', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), randomSchemas(), { maxKeys: 5 }), (properties) => {
      const input = {
        ...object(properties, Object.keys(properties)),
        $defs: { x: { allOf: [{ $ref: '#/$defs/x' }] } },
      }
      for (const format of SCHEMA_FORMAT_NAMES) {
        const compiled = compileForFormat('A_TOOL', input, format)
        if ('schema' in compiled)
          assert.deepEqual(
            findViolations('A_TOOL', compiled.schema as JsonObject, SCHEMA_FORMATS[format]),
            [],
          )
        else assert.doesNotMatch(compiled.reason, /undefined/)
      }
    }),
    { numRuns: 300 },
  )
})

test('schema references: a reference is inlined, and a cycle is cut with a note', () => {
  const plain = inlineReferences({
    type: 'object',
    properties: { node: { $ref: '#/$defs/node', description: 'The root.' } },
    $defs: {
      node: object({ child: { $ref: '#/$defs/node' }, name: { type: 'string' } }, ['name', 'name', 'gone']),
    },
  })
  assert.deepEqual(plain, {
    type: 'object',
    properties: {
      node: {
        type: 'object',
        description: 'The root.',
        properties: {
          child: { description: 'Not written out here: the same form again as node above.' },
          name: { type: 'string' },
        },
        required: ['name'],
      },
    },
  })
})
test('schema references: allOf is merged, also when one part requires a property of another', () => {
  assert.deepEqual(
    inlineReferences({
      allOf: [
        object({ a: { type: 'integer', minimum: 1 } }),
        { required: ['a'] },
        object({ a: { type: 'number', minimum: 3 }, b: { type: 'string' } }),
      ],
    }),
    {
      type: 'object',
      properties: { a: { type: 'integer', minimum: 3 }, b: { type: 'string' } },
      required: ['a'],
    },
  )
})
test('schema references: OpenAPI 3.0 keywords become JSON Schema keywords', () => {
  assert.deepEqual(
    inlineReferences({
      type: 'number',
      nullable: true,
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 5,
      exclusiveMaximum: false,
      example: 3,
      xml: {},
      'x-a': 1,
    }),
    { type: ['number', 'null'], exclusiveMinimum: 0, maximum: 5, examples: [3] },
  )
})
test('schema references: references that double at every level have a limit', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `d${i}`,
      object({ l: { $ref: `#/$defs/d${i + 1}` }, r: { $ref: `#/$defs/d${i + 1}` } }),
    ]),
  )
  assert.ok(
    JSON.stringify(inlineReferences({ ...object({ a: { $ref: '#/$defs/d0' } }), $defs })).length < 2_000_000,
  )
})
test('schema references: prototype names are ordinary property names', () => {
  const plain = inlineReferences(
    JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__","toString"]}',
    ) as JsonObject,
  )
  assert.deepEqual(Object.keys(plain.properties as JsonObject), ['__proto__', 'constructor'])
  assert.deepEqual(plain.required, ['__proto__'])
  assert.equal(({} as JsonObject).type, undefined)
})

test('schema validation: schemas that vendors reject are reported', () => {
  const rejected: [SchemaFormatName, JsonObject, RegExp][] = [
    ['openai', { type: 'object', anyOf: [] }, /root/],
    ['anthropic', { type: 'object', oneOf: [{}] }, /root/],
    ['gemini', { type: 'string' }, /type object/],
    ['anthropic', object({ 'a b': {} }), /is not a property name/],
    ['openai_strict', object({ a: { type: 'string' } }), /additionalProperties: false/],
    ['gemini', object({ a: { type: 'array' } }), /without items/],
    ['gemini', object({ a: { type: ['string', 'null'] } }), /several types/],
    ['gemini', object({ a: { type: 'integer', enum: [1] } }), /enum/],
    ['openai', { ...object({ a: {} }), required: ['a', 'a'] }, /twice/],
    ['openai', { ...object({}), required: ['b'] }, /not a property/],
    [
      'openai_strict',
      {
        ...object({}),
        additionalProperties: false,
        required: [],
        properties: { a: { type: 'string', minLength: 1 } },
      },
      /minLength/,
    ],
  ]
  for (const [format, schema, fault] of rejected)
    assert.match(findViolations('A', schema, SCHEMA_FORMATS[format]).join('; '), fault)
})
