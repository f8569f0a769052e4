import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withReadOnly } from './read-only.ts'

const TEXT = { type: 'string' }

test('read-only members: those that the overlay names are marked in schemas that require them', () => {
  const order = { type: 'object', required: ['id', 'title'], properties: { id: TEXT, title: TEXT } }
  const filter = { type: 'object', properties: { id: TEXT } }
  const openapi = { components: { schemas: { order, filter } } }
  assert.deepEqual(withReadOnly(openapi, ['id']), {
    components: {
      schemas: {
        order: { ...order, properties: { id: { allOf: [TEXT], readOnly: true }, title: TEXT } },
        filter,
      },
    },
  })
  assert.equal(withReadOnly(openapi), openapi)
})
