import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedFrom } from '#fixtures/openapi-documents.ts'
import type { Json } from '../json.ts'
import { inputFrom } from '../mcp/input.ts'

const imported = (paths: object) =>
  importedFrom({
    openapi: '3.0.0',
    info: { title: 'Data', version: '1' },
    servers: [{ url: 'https://data.example' }],
    paths,
  })

test('imported operations: HEAD is no tool, because its response has no body', () => {
  const { tools, report } = imported({ '/a': { get: { responses: {} }, head: { responses: {} } } })
  assert.deepEqual(
    [tools.map(({ request }) => request!.method), report.refused.map(({ cause }) => cause)],
    [['GET'], ['unsupported_method']],
  )
})

test('imported operations: where a body is text or bytes of any kind, the tool takes a file', () => {
  const content = { 'text/plain': { schema: {} }, 'application/octet-stream': { schema: {} } }
  const { tools } = imported({ '/image': { post: { requestBody: { content }, responses: {} } } })
  const { body } = (tools[0]!.input as Json)['properties'] as { body: { file_uploadable?: boolean } }
  assert.deepEqual([tools[0]!.request!.body_type, body.file_uploadable], ['binary', true])
})

test('imported operations: a required argument with a default is optional, in OpenAPI and in MCP', () => {
  const schema = { type: 'string', default: 'png' }
  const parameters = [
    { name: 'kind', in: 'query', required: true, schema },
    { name: 'id', in: 'query', required: true, schema: { type: 'string' } },
  ]
  const { tools } = imported({ '/a': { get: { parameters, responses: {} } } })
  assert.deepEqual((tools[0]!.input as Json)['required'], ['id'])
  const properties = { kind: schema, id: { type: 'string' } }
  assert.deepEqual(
    (inputFrom({ type: 'object', properties, required: ['kind', 'id'] }) as Json)['required'],
    ['id'],
  )
})

test('imported operations: a required member of a body with a default is optional, unless it has one value', () => {
  const schema = {
    type: 'object',
    required: ['id', 'level', 'kind', 'range'],
    properties: {
      id: { type: 'string' },
      level: { type: 'string', enum: ['info', 'warn'], default: 'info' },
      kind: { type: 'string', enum: ['note'], default: 'note' },
      range: {
        type: 'object',
        required: ['from', 'to'],
        properties: { from: { type: 'integer', default: 0 }, to: { type: 'integer' } },
      },
    },
  }
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const { tools } = imported({ '/a': { post: { requestBody, responses: {} } } })
  const { input, request } = tools[0]! as unknown as { input: Json; request: Json }
  assert.deepEqual(input['required'], ['id', 'range'])
  assert.deepEqual((input['properties'] as Record<string, Json>)['range']!['required'], ['to'])
  assert.equal((request['body'] as Json)['kind'], 'note')
})

test('imported operations: a slug has no path and method that a generator appended to the operation id', () => {
  const { tools } = imported({
    '/items/{item_id}': { get: { operationId: 'read_item_items__item_id__get', responses: {} } },
    '/items': { get: { operationId: 'items_get', responses: {} } },
  })
  assert.deepEqual(tools.map(({ slug }) => slug).sort(), ['DATA_ITEMS_GET', 'DATA_READ_ITEM'])
})
