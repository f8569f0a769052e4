import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedFrom, oneOperation, sampleDocument } from '#fixtures/openapi-documents.ts'
import { importOpenApi } from '../import.ts'
import type { ImportOptions } from '../imported.ts'
import { ImportRejected } from '../import-rejected.ts'

const YAML = `openapi: 3.0.3
info: {title: Shop, version: '1'}
servers: [{url: https://api.shop.example}]
paths:
  /things:
    get: {operationId: listThings, summary: List all the things, summary: List the things, responses: {}}
`
const NOTE = /^Arguments of JSON bodies are not checked/

const rejectionOf = (text: string, options: ImportOptions = {}) =>
  importOpenApi(text, options).then(
    () => assert.fail('was imported'),
    (error: unknown) => {
      assert.ok(error instanceof ImportRejected, String(error))
      return [error.why, error.message]
    },
  )

test('lenient import: a repeated YAML key is rejected with a hint, and noted with `lenient`', async () => {
  assert.deepEqual(await rejectionOf(YAML), [
    'not_readable',
    'A YAML mapping repeats a key, line 6. Correct the document, or import it with `lenient` (--lenient): the last ' +
      'value is used then.',
  ])
  const { tools, report } = await importOpenApi(YAML, { lenient: true })
  assert.equal(tools[0]?.name, 'List the things')
  assert.equal(
    report.notes[0],
    'A YAML mapping repeats a key, line 6. Of repeated keys, the last value is used.',
  )
})

test('lenient import: a missing or newer version is rejected with a hint, and noted with `lenient`', async () => {
  const { openapi: _version, ...document } = oneOperation({})
  for (const [versioned, said] of [
    [document, 'no version'],
    [{ ...document, openapi: '3.2.0' }, 'version 3.2.0'],
  ] as const) {
    const [why, message] = await rejectionOf(JSON.stringify(versioned))
    assert.equal(why, 'not_openapi')
    assert.ok(message?.startsWith(`The document says ${said}. `), message)
    assert.ok(message?.endsWith(' Import it with `lenient` (--lenient) to read it as OpenAPI 3.1.'), message)
    const { tools, report } = importedFrom(versioned, { lenient: true })
    assert.equal(tools.length, 1)
    assert.equal(report.notes[0], `The document says ${said}. It was read as OpenAPI 3.1.`)
  }
})

test('lenient import: what cannot be read is rejected as without `lenient`', async () => {
  for (const text of ['a: [', '{"swagger":"1.2","paths":{"/a":{}}}', '{"openapi":"4.0","paths":{"/a":{}}}']) {
    const strict = await rejectionOf(text)
    assert.deepEqual(await rejectionOf(text, { lenient: true }), strict)
    assert.doesNotMatch(String(strict), /lenient/)
  }
})

test('lenient import: arguments of a JSON body have any type; those of the path are checked', () => {
  const schema = {
    type: 'object',
    required: ['content'],
    properties: { content: { type: 'string', description: 'What the file contains.' } },
  }
  const document = sampleDocument({
    '/files/{path}': {
      put: {
        operationId: 'saveFile',
        parameters: [{ name: 'path', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {},
      },
    },
  })
  const inputOf = (options: ImportOptions) =>
    importedFrom(document, options).tools[0]?.input as {
      required: string[]
      properties: Record<string, { type?: string; description?: string }>
    }
  const strict = inputOf({})
  assert.deepEqual(strict.required, ['path', 'content'])
  assert.equal(strict.properties['content']?.type, 'string')
  const lenient = inputOf({ lenient: true })
  assert.deepEqual(lenient.required, ['path'])
  assert.equal(lenient.properties['path']?.type, 'string')
  assert.deepEqual(lenient.properties['content'], {
    description: 'What the file contains. Declared as {"type":"string"}',
  })
  assert.match(importedFrom(document, { lenient: true }).report.notes.at(-1) ?? '', NOTE)
  assert.ok(importedFrom(document).report.notes.every((note) => !NOTE.test(note)))
})
