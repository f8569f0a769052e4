import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakingChanges } from './compare.ts'
import { surfaceOf } from './surface.ts'
import { readSurface, surfaceText } from './text.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

function surface({ query = {}, body = {}, reply = {}, required = [] as string[], always = ['id'] }) {
  const parameters = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }))
  return surfaceOf(
    {
      paths: {
        '/api/v3.1/things/{id}': {
          post: {
            operationId: 'things.create',
            summary: 'Create',
            parameters,
            requestBody: json({
              type: 'object',
              required,
              properties: { name: { type: 'string' }, ...body },
            }),
            responses: {
              201: json({ $ref: '#/components/schemas/Thing' }),
            },
          },
        },
      },
      components: {
        schemas: {
          Thing: { type: 'object', required: always, properties: { id: { type: 'string' }, ...reply } },
        },
      },
    } as never,
    '/api/v3.1',
  )
}

const BEFORE = surface({
  query: { limit: { type: 'integer' } },
  body: { mode: { type: 'string', enum: ['a', 'b'] }, list: { type: 'array', items: { type: 'string' } } },
  reply: { state: { type: 'string', enum: ['on'] } },
  always: ['id', 'state'],
})

test('API changes: removals, new requirements and narrower types break clients', () => {
  const after = surface({
    body: {
      mode: { type: 'string', enum: ['a'] },
      list: { type: 'array', items: { type: 'integer' } },
      key: {},
    },
    required: ['name', 'key'],
    reply: { state: { type: ['string', 'null'] } },
  })
  assert.deepEqual(
    breakingChanges(BEFORE, after).map((change) => change.replace('POST /things/{}: ', '')),
    [
      'request.query.limit was removed',
      'request.body.name is now required',
      'request.body.mode no longer accepts b',
      'request.body.list[] no longer accepts string',
      'response.state can now be null',
      'response.state is no longer in every response',
      'request.body.key is new and required',
    ],
  )
  assert.deepEqual(breakingChanges(BEFORE, {}), ['POST /things/{} was removed'])
})

test('API changes: additions, wider types and further values do not break clients', () => {
  const after = surface({
    query: { limit: { type: ['number', 'string'] }, cursor: { type: 'string' } },
    body: {
      mode: { type: 'string' },
      list: { type: 'array', items: {} },
      key: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    reply: { state: { type: 'string', enum: ['on', 'off'] }, more: { type: 'string' } },
    always: ['id', 'state', 'more'],
  })
  assert.deepEqual(breakingChanges(BEFORE, after), [])
})

test('API changes: the file of a release has everything that is compared', () => {
  assert.deepEqual(readSurface(surfaceText(BEFORE)), BEFORE)
})
