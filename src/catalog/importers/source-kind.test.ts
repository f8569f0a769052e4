import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlainlyNone, kindOf, kindOfAddress } from './source-kind.ts'

test('source kind: the kind follows from the start of the text', () => {
  for (const [source, kind] of [
    ['openapi: 3.0.0', 'openapi'],
    ['{"swagger":"2.0"}', 'openapi'],
    ['', 'openapi'],
    ['{', 'openapi'],
    ['<html>', 'openapi'],
    ['type: object', 'openapi'],
    ['schema: {}', 'openapi'],
    ['# type A {\nopenapi: 3.0.0', 'openapi'],
    ['{"paths":{},"item":[]}', 'openapi'],
    ['type Query { a: Int }', 'graphql'],
    ['\uFEFF# words\n"""\nA "quoted" word\n"""\nscalar Date', 'graphql'],
    ['schema @link(url: "x") { query: Q }', 'graphql'],
    ['extend type Query { a: Int }', 'graphql'],
    ['type A implements B { a: Int }', 'graphql'],
    ['directive @x on FIELD', 'graphql'],
    ['{"data":{"__schema":{}}}', 'graphql'],
    ['{"__schema":{}}', 'graphql'],
    ['{"errors":[{"message":"no"}]}', 'graphql'],
    ['{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}', 'postman'],
    ['{"item":[]}', 'postman'],
    ['{"collection":{"item":[]}}', 'postman'],
    ['{"requests":[]}', 'postman'],
    [`${'"'.repeat(300_000)}`, 'openapi'],
    [`"""${'"" '.repeat(60_000)}`, 'openapi'],
    [' '.repeat(400_000), 'openapi'],
    ['{"__proto__":{"item":[]}}', 'openapi'],
  ] as const)
    assert.equal(kindOf(source), kind, source.slice(0, 60))
})

test('source kind: the kind follows from a conventional URL', () => {
  for (const [address, kind] of [
    ['https://api.x.example/graphql', 'graphql'],
    ['https://x.example/v1/gql/', 'graphql'],
    ['https://x.example/mcp', 'mcp'],
    ['https://mcp.x.example/', 'mcp'],
    ['https://x.example/openapi.json', undefined],
    ['nonsense', undefined],
  ] as const)
    assert.equal(kindOfAddress(address), kind, address)
})

test('source kind: a short text of no known kind is rejected without parsing', () => {
  for (const source of [
    '',
    '{}',
    '[]',
    '"openapi"',
    'hello',
    '{"a":"openapi"}',
    '{"__proto__":{"info":1}}',
    '\0',
  ])
    assert.equal(isPlainlyNone(Buffer.from(source)), true, source)
  for (const source of [
    'openapi: 3.0.0',
    '{"info":{}}',
    '{"openapi"',
    'type Q { a: Int }',
    '{"item":[]}',
    'x'.repeat(20_000),
  ])
    assert.equal(isPlainlyNone(Buffer.from(source)), false, source.slice(0, 20))
})
