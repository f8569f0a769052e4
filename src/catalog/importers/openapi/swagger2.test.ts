import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedFrom, sentBy, toolFrom } from '#fixtures/openapi-documents.ts'

type Json = Record<string, unknown>
const swagger = (operation: Json, more: Json = {}): Json => ({
  swagger: '2.0',
  info: { title: 'Shop', version: '1' },
  host: 'api.shop.example',
  basePath: '/v1',
  schemes: ['http', 'https'],
  paths: { '/things/{id}': { post: { operationId: 'doIt', responses: {}, ...operation } } },
  ...more,
})
const id = { name: 'id', in: 'path', required: true, type: 'integer', format: 'int64' }

test('Swagger 2 import: host, parameters, collection formats and bodies are converted', () => {
  const list = (name: string, collectionFormat?: string) => ({
    name,
    in: 'query',
    type: 'array',
    items: { type: 'string' },
    ...(collectionFormat && { collectionFormat }),
  })
  const document = swagger(
    {
      parameters: [
        id,
        list('none'),
        list('csv', 'csv'),
        list('ssv', 'ssv'),
        list('tsv', 'tsv'),
        list('pipes', 'pipes'),
        list('multi', 'multi'),
        { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
      ],
    },
    {
      definitions: {
        Thing: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, id: { type: 'string', readOnly: true } },
        },
      },
    },
  )
  const names = ['none', 'csv', 'ssv', 'tsv', 'pipes', 'multi']
  const sent = sentBy(document, {
    id: 7,
    name: 'n',
    ...Object.fromEntries(names.map((name) => [name, ['x', 'y']])),
  })
  assert.deepEqual(sent.query, [
    ['none', ['x', 'y']],
    ['csv', ['x', 'y']],
    ['ssv', 'x y'],
    ['tsv', 'x\ty'],
    ['pipes', 'x|y'],
    ['multi', 'x'],
    ['multi', 'y'],
  ])
  assert.deepEqual(
    [sent.path, sent.body, sent.bodyType, importedFrom(document).toolkit.base_url],
    ['/things/7', { name: 'n' }, 'json', 'https://api.shop.example/v1'],
  )
})

test('Swagger 2 import: form fields become a form, or a multipart body with a file', () => {
  const form = swagger({
    parameters: [
      id,
      { name: 'a', in: 'formData', type: 'string', required: true, description: 'The a.' },
      { name: 'l', in: 'formData', type: 'array', items: { type: 'string' } },
    ],
  })
  const sent = sentBy(form, { id: 1, a: 'x', l: ['1', '2'] })
  assert.deepEqual(
    [sent.body, sent.bodyType, sent.bodyStyles],
    [{ a: 'x', l: ['1', '2'] }, 'form', { l: 'comma' }],
  )
  assert.deepEqual((toolFrom(form).input as Json)['required'], ['id', 'a'])
  const file = sentBy(
    swagger({
      consumes: ['multipart/form-data'],
      parameters: [id, { name: 'file', in: 'formData', type: 'file', required: true }],
    }),
    { id: 1, file: { content: 'x' } },
  )
  assert.deepEqual(
    [file.bodyType, (file.body as { file: { bytes: Buffer } }).file.bytes.toString()],
    ['multipart', 'x'],
  )
})

test('Swagger 2 import: security definitions and results are converted', () => {
  const document = swagger(
    {
      parameters: [id],
      security: [{ oauth: ['read'] }, { key: [] }],
      responses: { 200: { description: '', schema: { type: 'array', items: { type: 'string' } } } },
    },
    {
      securityDefinitions: {
        oauth: {
          type: 'oauth2',
          flow: 'accessCode',
          authorizationUrl: 'https://id.example/a',
          tokenUrl: 'https://id.example/t',
          scopes: { read: 'Reads.' },
        },
        key: { type: 'apiKey', in: 'query', name: 'k' },
        basic: { type: 'basic' },
      },
    },
  )
  const { toolkit, tools } = importedFrom(document)
  assert.deepEqual(
    toolkit.auth.map(({ scheme }) => scheme),
    ['OAUTH2', 'API_KEY'],
  )
  assert.deepEqual(
    [tools[0]!.scopes, tools[0]!.output],
    [
      { all_of: ['read'] },
      { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } },
    ],
  )
})
