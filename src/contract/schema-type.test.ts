import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './schema-type.ts'

type Builders = typeof Type

const SHOP = (t: Builders) =>
  t.Object(
    { a: t.String(), b: t.Optional(t.Integer({ minimum: 1 })), c: t.Null() },
    { additionalProperties: false, description: 'A shop.' },
  )

const SCHEMAS: Readonly<Record<string, (t: Builders) => object>> = {
  'values without and with options': (t) =>
    t.Object({
      a: t.String({ maxLength: 3 }),
      b: t.Number(),
      c: t.Boolean({ default: false }),
      d: t.Unknown({ description: 'Anything.' }),
      e: t.Array(t.Integer(), { maxItems: 2 }),
    }),
  'literals and their union': (t) => t.Union([t.Literal('a'), t.Literal(1), t.Literal(true, { title: 'x' })]),
  'an object without fields': (t) => t.Object({}),
  'optional fields are not required': SHOP,
  'an optional object with optional fields': (t) => t.Object({ shop: t.Optional(SHOP(t)) }),
  'a copy of an optional schema is required': (t) => t.Object({ a: { ...t.Optional(t.String()) } }),
  'all fields optional, without the options of the source': (t) => t.Partial(SHOP(t)),
  'all fields optional, with options': (t) => t.Partial(SHOP(t), { minProperties: 1 }),
  'fields left out': (t) => t.Omit(SHOP(t), ['a'], { additionalProperties: false }),
  'the fields of a partial object': (t) => t.Object({ ...t.Partial(SHOP(t)).properties, d: t.Number() }),
  'an intersection': (t) => t.Intersect([SHOP(t), t.Object({ d: t.String() })], { description: 'Both.' }),
  'a record': (t) => t.Record(t.String({ maxLength: 4 }), t.Unknown(), { maxProperties: 3 }),
  'a record whose keys have a pattern': (t) => t.Record(t.String({ pattern: '^[a-z]+$' }), t.String()),
  'a schema of another type': (t) => t.Optional(t.Unsafe<string | null>({ type: ['string', 'null'] })),
}

test('schema types: every builder returns the schema that TypeBox returns', () => {
  for (const [name, build] of Object.entries(SCHEMAS))
    assert.equal(JSON.stringify(build(Type)), JSON.stringify(build(TypeBox as unknown as Builders)), name)
})

test('schema types: a record whose keys are no strings is rejected', () => {
  assert.throws(() => Type.Record(Type.Integer(), Type.String()), /the key is a Type\.String\(\)/)
})
