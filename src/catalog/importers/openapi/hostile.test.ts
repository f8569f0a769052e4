import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BOUNDS } from '../bounds.ts'
import { convert } from './convert.ts'
import { readDocument } from './read-document.ts'
import { damaged, loadImported, rejectionOf } from '#fixtures/imported-toolkits.ts'
import { importedFrom, oneOperation, sampleDocument } from '#fixtures/openapi-documents.ts'

type Json = Record<string, unknown>
const refusal = (source: string) => rejectionOf(() => convert(readDocument(source), {}))

test('OpenAPI import: an invalid document is rejected with the reason', () => {
  for (const [source, why] of [
    ['', 'not_readable'],
    ['null', 'not_openapi'],
    ['[]', 'not_openapi'],
    ['"openapi"', 'not_openapi'],
    ['{', 'not_readable'],
    ['a: [', 'not_readable'],
    ['{"openapi":"3.0.0"}', 'no_operations'],
    ['{"openapi":"3.0.0","paths":{}}', 'no_operations'],
    ['{"openapi":"4.0.0","paths":{"/a":{}}}', 'not_openapi'],
    ['{"swagger":"1.2","paths":{}}', 'not_openapi'],
    ['{"a":1}', 'not_openapi'],
    ['<html>', 'not_openapi'],
    ['{"openapi":"3.0.0","paths":[]}', 'no_operations'],
    ['%PDF-1.4\u0000\u0001', 'not_readable'],
  ] as const)
    assert.equal(refusal(source), why, source)
})

test('OpenAPI import: documents over the limits of size and depth are rejected', () => {
  assert.equal(refusal(`{"a":"${'x'.repeat(BOUNDS.jsonCharacters)}"}`), 'too_large')
  assert.equal(refusal(`a: ${'x'.repeat(BOUNDS.yamlCharacters)}`), 'too_large')
  assert.equal(refusal(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`), 'too_large')
  assert.equal(refusal(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'not_openapi')
  assert.equal(refusal(`a: ${'['.repeat(100_000)}`), 'not_readable')
  assert.equal(refusal(`${'- '.repeat(50_000)}a`), 'not_readable')
})

test('OpenAPI import: a YAML bomb is not expanded, and a recursive anchor is reported', () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) =>
      `l${level + 1}: &l${level + 1} ` +
      `[${Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*l${level}`)).join(', ')}]`,
  )
  assert.equal(refusal(levels.join('\n')), 'too_large')
  assert.equal(refusal('openapi: 3.0.0\npaths: &a\n  /a: *a\n'), 'not_readable')
})

test('OpenAPI import: YAML and JSON give the same tools, and dates and tags are plain text', () => {
  const yaml =
    'openapi: 3.0.3\ninfo: {title: Shop API, version: 2020-01-01}\nservers: [{url: ' +
    '"https://api.shop.example/v1"}]\npaths:\n  /things:\n    get: {operationId: doIt, responses: {}, ' +
    'parameters: [{name: day, in: query, schema: {type: string, enum: [2020-01-01, on]}}]}\n'
  const { tools, report } = convert(readDocument(yaml), {}).imported
  assert.equal(report.version, '2020-01-01')
  assert.deepEqual((tools[0]!.input as { properties: Json }).properties['day'], {
    type: 'string',
    enum: ['2020-01-01', 'on'],
    description: 'Day.',
  })
  assert.equal(refusal('a: !!js/function "function () { return 1 }"'), 'not_readable')
})

test('OpenAPI import: prototype keys have no effect and do not reach the manifest', () => {
  const text = JSON.stringify(
    oneOperation(
      {
        parameters: [
          { name: 'constructor', in: 'query', schema: { type: 'string' } },
          { name: 'toString', in: 'header', schema: {} },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  x: { type: 'string' },
                  proto: { type: 'object', properties: { hasOwnProperty: { type: 'string' } } },
                },
              },
            },
          },
        },
      },
      {},
      { method: 'post' },
    ),
  )
    .replace('"proto"', '"__proto__"')
    .replace('"responses"', '"__proto__":{"polluted":true},"responses"')
  const { imported } = convert(readDocument(text), {})
  assert.deepEqual(Object.keys((imported.tools[0]!.input as { properties: Json }).properties), [
    'constructor',
    'toString',
    'x',
  ])
  assert.equal(({} as Json)['polluted'], undefined)
  const { report } = importedFrom(
    sampleDocument({
      '/a': { get: { responses: {}, parameters: [{ name: '__proto__', in: 'query', schema: {} }] } },
      '/b': { get: { responses: {} } },
    }),
  )
  assert.deepEqual(
    report.refused.map(({ cause }) => cause),
    ['unsafe_name'],
  )
})

test('OpenAPI import: texts of a document cannot inject headers, placeholders or hosts', () => {
  const { tools, toolkit } = importedFrom(
    oneOperation(
      {
        parameters: [
          { name: 'a\r\nx-evil', in: 'header', schema: {} },
          { name: 'v', in: 'query', required: true, schema: { enum: ['{access_token}'] } },
        ],
        requestBody: { content: { 'text/evil\r\nx: y': { schema: {} } } },
      },
      {
        info: { title: '{access_token}', version: '1' },
        servers: [{ url: 'https://api.shop.example/{{x}}{y' }, { url: 'https://ok.example' }],
      },
      { method: 'post', path: '/a/%2e%2e%2fb' },
    ),
  )
  assert.deepEqual(tools[0]!.request!.headers, undefined)
  assert.deepEqual(tools[0]!.request!.query, { v: '{{access_token}' })
  assert.equal(toolkit.base_url, 'https://ok.example')
})

const document = sampleDocument(
  {
    '/a/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getA',
        summary: 'Get',
        parameters: [{ $ref: '#/components/parameters/P' }],
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/N' } } },
          },
        },
        security: [{ o: ['s'] }, { k: [] }],
      },
    },
    '/b': {
      post: {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { f: { type: 'string', format: 'binary' } } },
              encoding: { f: { contentType: 'image/png' } },
            },
          },
        },
        responses: {},
      },
    },
  },
  {
    components: {
      parameters: {
        P: {
          name: 'p',
          in: 'query',
          style: 'deepObject',
          schema: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
      schemas: {
        N: {
          type: 'object',
          allOf: [{ $ref: '#/components/schemas/N' }],
          properties: { n: { $ref: '#/components/schemas/N' } },
        },
      },
      securitySchemes: {
        o: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: 'https://a.example',
              tokenUrl: 'https://a.example',
              scopes: { s: '' },
            },
          },
        },
        k: { type: 'apiKey', in: 'header', name: 'K' },
      },
    },
  },
)

const JUNK = [1e308, '{x}', '#/', 'file:///x', { $ref: '#' }, { $ref: '#/paths' }, { $ref: 5 }]

test('OpenAPI import: any damaged document is rejected or gives a toolkit that loads', () => {
  fc.assert(
    fc.property(damaged(document, JUNK), (copy) => {
      rejectionOf(() => loadImported(importedFrom(copy)))
    }),
    { numRuns: 400 },
  )
})
