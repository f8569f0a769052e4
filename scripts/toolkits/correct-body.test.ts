import assert from 'node:assert/strict'
import { test } from 'node:test'
import { references } from '../../src/catalog/importers/openapi/references.ts'
import { correctBody, requiredBody } from './correct-body.ts'

const DRAFT = { type: 'object', properties: { message: { type: 'object' } } }
const document = references({ components: { schemas: { Draft: DRAFT } } }, '', new Map())
const corrected = (mediaType: string, value: unknown) =>
  correctBody(
    { mediaType, required: true, description: undefined, schema: { value, base: '' }, encoding: new Map() },
    document,
  ).mediaType

test('body of a document: an object with members is JSON, whatever file an upload may have', () => {
  for (const type of ['message/rfc822', 'message/imdn+xml', 'application/octet-stream', 'text/xml'])
    assert.equal(corrected(type, { $ref: '#/components/schemas/Draft' }), 'application/json', type)
})

test('body of a document: a text of any type is the JSON of an object', () => {
  assert.equal(corrected('*/*', { type: 'string' }), 'application/json')
  assert.equal(corrected('*/*', { type: 'string', format: 'binary' }), '*/*')
})

test('body of a document: files and texts stay what they are', () => {
  assert.equal(corrected('text/plain', { type: 'string' }), 'text/plain')
  assert.equal(corrected('image/png', { type: 'string', format: 'binary' }), 'image/png')
  assert.equal(corrected('multipart/form-data', DRAFT), 'multipart/form-data')
  assert.equal(corrected('application/xml', { type: 'object', format: 'binary' }), 'application/octet-stream')
})

test('body of a document: members that its schema requires are required where the body is not', () => {
  const bodyOf = (value: unknown) => ({
    mediaType: 'application/json',
    required: false,
    description: undefined,
    schema: { value, base: '' },
    encoding: new Map(),
  })
  const isRequired = (value: unknown, method: string) =>
    requiredBody(bodyOf(value), method, document).required
  assert.equal(isRequired({ ...DRAFT, required: ['message'] }, 'post'), true)
  assert.equal(isRequired({ ...DRAFT, required: ['message'] }, 'delete'), true)
  assert.equal(isRequired({ ...DRAFT, required: ['message'] }, 'get'), false)
  const id = { type: 'string', readOnly: true }
  assert.equal(isRequired({ type: 'object', properties: { id }, required: ['id'] }, 'post'), false)
  assert.equal(isRequired({ $ref: '#/components/schemas/Draft' }, 'post'), false)
  assert.equal(isRequired({ $ref: '#/components/schemas/Absent' }, 'post'), false)
})

test('body of a document: the part `file` of an upload is a file, also where the document says that it is text', () => {
  const partOf = (file: unknown) => {
    const value = { type: 'object', properties: { file, purpose: { type: 'string' } } }
    const body = { required: true, description: undefined, schema: { value, base: '' }, encoding: new Map() }
    const { schema } = correctBody({ ...body, mediaType: 'multipart/form-data' }, document)
    return (schema.value as typeof value).properties.file
  }
  const file = { type: 'string', format: 'binary' }
  assert.deepEqual(partOf({ type: 'string' }), file)
  assert.deepEqual(partOf({ anyOf: [file, { type: 'null' }] }), file)
  assert.deepEqual(partOf({ type: 'string', enum: ['a'] }), { type: 'string', enum: ['a'] })
})
