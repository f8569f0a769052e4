import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importOpenApi } from '../import.ts'
import { ImportRejected } from '../import-rejected.ts'
import { importedFrom, oneOperation, sampleDocument } from '#fixtures/openapi-documents.ts'

type Json = Record<string, unknown>
const ADDRESS = 'https://docs.example/api/openapi.json'

/** Imports with a fetcher that has these documents, and notes what it was asked for. */
async function fetching(
  document: Json,
  documents: Record<string, unknown>,
  address: string | undefined = ADDRESS,
) {
  const asked: string[] = []
  const imported = await importOpenApi(JSON.stringify(document), { address }, async (url) => {
    asked.push(url)
    if (!Object.hasOwn(documents, url)) throw new Error('rejected URL')
    return typeof documents[url] === 'string' ? documents[url] : JSON.stringify(documents[url])
  })
  return { imported, asked }
}
const input = (imported: Awaited<ReturnType<typeof importOpenApi>>) =>
  imported.tools[0]!.input as { properties: Record<string, Json> }

test('import references: referenced documents are fetched relative to the referring document', async () => {
  const document = sampleDocument({ '/a': { $ref: 'paths/a.yaml#/item' } })
  const { imported, asked } = await fetching(document, {
    'https://docs.example/api/paths/a.yaml':
      'item:\n  get:\n    responses: {}\n    parameters:\n      - $ref: ../parameters.json#/Limit\n',
    'https://docs.example/api/parameters.json': {
      Limit: { name: 'limit', in: 'query', schema: { $ref: '#/Positive' } },
      Positive: { type: 'integer', minimum: 1 },
    },
  })
  assert.deepEqual(asked, [
    'https://docs.example/api/paths/a.yaml',
    'https://docs.example/api/parameters.json',
  ])
  assert.deepEqual(input(imported).properties['limit'], {
    type: 'integer',
    minimum: 1,
    description: 'Limit.',
  })
})

test('import references: without a fetcher, operations that need another document are rejected', async () => {
  const document = sampleDocument({
    '/a': { get: { responses: {}, parameters: [{ $ref: 'https://other.example/p.json' }] } },
    '/b': { get: { responses: {} } },
  })
  const { report, tools } = await importOpenApi(JSON.stringify(document), { address: ADDRESS })
  assert.deepEqual(
    [tools.length, report.refused.map(({ operation, cause }) => [operation, cause])],
    [1, [['GET /a', 'external_reference']]],
  )
})

test('import references: a reference that is not an http URL is never fetched', async () => {
  for (const ref of [
    'file:///etc/passwd',
    'FILE:/etc/passwd',
    'data:application/json,{}',
    'ftp://a.example/x',
    'gopher://a',
    'jar:http://a',
    '\\\\host\\share',
  ]) {
    const { imported, asked } = await fetching(
      sampleDocument({
        '/a': { get: { responses: {}, parameters: [{ $ref: ref }] } },
        '/b': {
          post: {
            responses: {},
            requestBody: { content: { 'application/json': { schema: { $ref: ref } } } },
          },
        },
      }),
      {},
    )
    assert.deepEqual(
      asked.filter((url) => !url.startsWith('https://')),
      [],
      ref,
    )
    assert.deepEqual(
      imported.report.refused.map(({ cause }) => cause),
      ['external_reference'],
      ref,
    )
  }
})

test('import references: a failed fetch is reported once, without its cause, and the import continues', async () => {
  const { imported, asked } = await fetching(
    oneOperation({
      parameters: [
        { name: 'a', in: 'query', schema: { $ref: 'http://169.254.169.254/latest#/x' } },
        { name: 'b', in: 'query', schema: { $ref: 'http://169.254.169.254/latest#/y' } },
      ],
    }),
    {},
  )
  assert.deepEqual(asked, ['http://169.254.169.254/latest'])
  assert.deepEqual(input(imported).properties, { a: { description: 'A.' }, b: { description: 'B.' } })
})

test('import references: the number of fetched documents has a limit', async () => {
  const asked: string[] = []
  const document = oneOperation({
    parameters: Array.from({ length: 90 }, (_, index) => ({ $ref: `p${index}.json` })),
  })
  await assert.rejects(
    importOpenApi(JSON.stringify(document), { address: ADDRESS }, async (url) => {
      asked.push(url)
      return '{}'
    }),
    (error) => error instanceof ImportRejected && error.why === 'external_reference',
  )
  assert.ok(asked.length <= 50)
})

test('import references: JSON pointers follow RFC 6901, across references, with own keys only', () => {
  const document = oneOperation(
    {
      parameters: [
        { $ref: '#/paths/~1x~1%7Bid%7D/get/parameters/0' },
        { name: 'q', in: 'query', schema: { $ref: '#/paths/~1x~1{id}/get/parameters/0/schema' } },
      ],
    },
    { components: { parameters: { P: { name: 'p', in: 'query', schema: { type: 'integer' } } } } },
  )
  ;(document['paths'] as Json)['/x/{id}'] = {
    get: { responses: {}, parameters: [{ $ref: '#/components/parameters/P' }] },
  }
  assert.deepEqual(input(importedFrom(document)).properties, {
    p: { type: 'integer', description: 'P.' },
    q: { type: 'integer', description: 'Q.' },
  })
  for (const ref of [
    '#/constructor',
    '#/__proto__/x',
    '#/components/nothing',
    '#/paths/0',
    '#nowhere',
    '#/%E0%A4%A',
  ]) {
    assert.deepEqual(
      importedFrom(
        sampleDocument({
          '/a': { get: { responses: {}, parameters: [{ $ref: ref }] } },
          '/b': { get: { responses: {} } },
        }),
      ).report.refused.map(({ cause }) => cause),
      ['unknown_reference'],
      ref,
    )
  }
})

test('import references: cyclic references are reported', () => {
  const circle = { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } }
  assert.equal(
    importedFrom(
      sampleDocument(
        {
          '/a': { get: { responses: {}, parameters: [{ $ref: '#/components/parameters/A' }] } },
          '/b': { get: { responses: {} } },
        },
        { components: { parameters: circle } },
      ),
    ).report.refused[0]!.cause,
    'unknown_reference',
  )
})
