import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { ToolManifest } from '../../../src/catalog/manifest/format/index.ts'
import { OperationsFile } from '../../../src/catalog/manifest/load/operations/index.ts'
import { requestDifferences } from './compare-request.ts'
import { readCheckedOperations } from './operations-result.ts'
import { statedOperations } from './stated-operations.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'toolkits')
const DOCUMENT = {
  openapi: '3.0.3',
  paths: {
    '/orders/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      post: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
      },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    schemas: {
      Base: { properties: { note: { type: 'string' }, etag: { type: 'string', readOnly: true } } },
      Order: {
        allOf: [{ $ref: '#/components/schemas/Base' }],
        required: ['items', 'etag'],
        properties: { items: { type: 'array' }, etag: { type: 'string', readOnly: true } },
      },
    },
  },
}
const [OPERATION] = statedOperations(DOCUMENT)

const tool = (request: object = {}, properties: object = {}) =>
  ({
    request: {
      method: 'POST',
      path: '/orders/{id}',
      query: { limit: { $: 'limit' } },
      headers: { 'if-match': { $: 'match' } },
      body: ['items', 'note'],
      ...request,
    },
    input: {
      properties: {
        id: { type: 'string' },
        limit: { type: 'integer' },
        match: { type: 'string' },
        items: { type: ['array', 'null'] },
        note: { type: 'string' },
        ...properties,
      },
      required: ['id', 'items'],
    },
  }) as unknown as ToolManifest
const differences = (...parts: Parameters<typeof tool>) =>
  requestDifferences(tool(...parts), OPERATION!, { hidden: new Set() })

test('check of operations: a request as the document states it has no differences', () => {
  assert.deepEqual(differences(), [])
  assert.deepEqual(differences({ query: undefined }), [], 'an optional parameter may be missing')
})

test('check of operations: parameters, members, types and the kind of body that differ are found', () => {
  const cases: [Parameters<typeof tool>, string][] = [
    [[{ query: { pages: { $: 'limit' } } }], 'query pages is not stated'],
    [[{ headers: {} }], 'header if-match is required'],
    [[{}, { limit: { type: 'string' } }], 'query limit is string, stated is number'],
    [[{ body: ['items', 'text'] }], 'body text is not stated'],
    [[{ body: ['note'] }], 'body items is required'],
    [[{}, { items: { type: 'object' } }], 'body items is object, stated is array'],
    [[{ body_type: 'form' }], 'body is form, stated are application/json'],
    [[{ path: '/orders/{number}' }], 'path number is no required argument'],
    [[{ path: '/orders/{id}/{id}' }], 'path has more parameters than stated'],
  ]
  for (const [parts, expected] of cases) assert.deepEqual(differences(...parts), [expected])
})

test('check of operations: Swagger 2 states bodies and forms as parameters', () => {
  const [plain, form] = statedOperations({
    swagger: '2.0',
    paths: {
      '/a': { post: { parameters: [{ in: 'body', name: 'x', schema: { properties: { a: {} } } }] } },
      '/b': { post: { parameters: [{ in: 'formData', name: 'file', type: 'file', required: true }] } },
    },
  })
  assert.deepEqual([...plain!.bodies.get('application/json')!.keys()], ['a'])
  assert.equal(form!.bodies.get('application/x-www-form-urlencoded')!.get('file')!.required, true)
})

test('check of operations: every generated tool was compared with its document, and none differs', () => {
  const checked = readCheckedOperations()
  const files = globSync('*/operations.bin', { cwd: FOLDER })
  assert.ok(files.length > 100)
  for (const file of files) {
    const { digest, toolCount } = OperationsFile.open(join(FOLDER, file)).summary
    const { digest: checkedDigest, tools, differs, documents } = checked.get(dirname(file)) ?? {}
    assert.equal(checkedDigest, digest, `${file} was not compared. Run npm run check:facts -- <folder>.`)
    assert.equal(tools, toolCount, file)
    assert.deepEqual(differs, [], file)
    assert.ok(toolCount === 0 || Object.keys(documents!).length > 0, file)
  }
  assert.equal(checked.size, files.length, 'the table has no toolkit that has no generated tools')
})
