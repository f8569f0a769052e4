import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBodySchemas } from './body-schemas.ts'

const ID = { name: 'id', in: 'query' }
const BODY = { name: 'body', in: 'body' }
const inPost = (operation: object) => ({ paths: { '/cards': { post: operation, parameters: [] } } })

test('documents: a body of Swagger 2 that is not described is an object with any members', () => {
  const document = (body: object) => ({ swagger: '2.0', ...inPost({ parameters: [ID, body] }) })
  assert.deepEqual(withBodySchemas(document(BODY)), document({ ...BODY, schema: { type: 'object' } }))
  const described = document({ ...BODY, schema: { type: 'array' } })
  assert.deepEqual(withBodySchemas(described), described)
})

test('documents: OpenAPI 3 with the body as a parameter is read like Swagger 2', () => {
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }
  assert.deepEqual(withBodySchemas({ openapi: '3.0.0', ...inPost({ parameters: [ID, BODY] }) }), {
    openapi: '3.0.0',
    ...inPost({ requestBody, parameters: [ID] }),
  })
})
