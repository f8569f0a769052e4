import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Enum, OneOf } from '../../../contract/common.ts'
import { Type } from '../../../contract/schema-type.ts'
import { schemaCompilers } from './schema-compilers.ts'
import { toApiError } from './api-errors.ts'

const Version = Type.String({ pattern: '^(latest|\\d{8}_\\d{2})$' })
const schema = Type.Object({
  versions: Type.Union([Version, Type.Record(Type.String(), Version)]),
  nested: Type.Optional(
    Type.Union([Type.Array(Type.Union([Type.Object({ a: Type.Integer() }), Type.Null()])), Type.Boolean()]),
  ),
  tagged: Type.Optional(
    OneOf('type', [
      Type.Object({ type: Type.Literal('own'), name: Type.String() }),
      Type.Object({ type: Enum(['managed', 'shared', 'use_service_auth']) }),
    ]),
  ),
  tool: Type.Optional(Enum(['SERVICE_SEARCH_TOOLS', 'SERVICE_GET_RECIPE'])),
})

/** Returns the details of the error for a body. */
function detailsOf(body: unknown): readonly string[] {
  const validate = schemaCompilers().validator(schema, 'body')
  assert.equal(validate(body), false)
  const { errors } = validate as { errors?: unknown }
  return toApiError(Object.assign(new Error('invalid'), { validation: errors, validationContext: 'body' }))
    .details
}

test('unions: an invalid value has the errors of the variant of its type only', () => {
  for (const [body, details] of [
    [{ versions: 'foo' }, ['Error in payload.versions: must be latest or a version such as 20261121_00']],
    [
      { versions: { github: 'foo' } },
      ['Error in payload.versions.github: must be latest or a version such as 20261121_00'],
    ],
    [{ versions: 7 }, ['Error in payload.versions: must be string,object']],
    [{ versions: 'latest', nested: [{ a: 'x' }] }, ['Error in payload.nested.0.a: must be integer']],
    [{ versions: 'latest', nested: ['x'] }, ['Error in payload.nested.0: must be object,null']],
    [
      { versions: [], nested: 'x' },
      ['Error in payload.versions: must be string,object', 'Error in payload.nested: must be array,boolean'],
    ],
  ] as const)
    assert.deepEqual(detailsOf(body), details, JSON.stringify(body))
})

test('unions: a missing tag has one error, and an unknown one names the values', () => {
  const tagged = (value: object) => detailsOf({ versions: 'latest', tagged: value })
  assert.deepEqual(tagged({}), ['Error in payload.tagged.type: is required'])
  assert.deepEqual(tagged({ type: 'other' }), [
    'Error in payload.tagged.type: must be one of own, managed, shared, use_service_auth',
  ])
  assert.deepEqual(tagged({ type: 'own' }), ['Error in payload.tagged.name: is required'])
})

test('enums: a value with the word of another brand leads to the setting', () => {
  const [tool] = detailsOf({ versions: 'latest', tool: 'COMPOSIO_GET_RECIPE' })
  assert.match(
    tool!,
    /SERVICE_GET_RECIPE\. Clients with this spelling need a server with WIRE_BRAND=composio$/,
  )
  const [tagged] = detailsOf({ versions: 'latest', tagged: { type: 'use_composio_auth' } })
  assert.match(
    tagged!,
    /use_service_auth\. Clients with this spelling need a server with WIRE_BRAND=composio$/,
  )
  for (const value of ['OTHER', 'SERVICE_GET', 'GET_RECIPE', '_GET_RECIPE'])
    assert.doesNotMatch(detailsOf({ versions: 'latest', tool: value })[0]!, /WIRE_BRAND/, value)
})
