import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executeTool } from '../../../contract/tools/index.ts'
import { jsonBytesOf, rememberJsonBytes } from '../../json-bytes.ts'
import { schemaCompilers } from './schema-compilers.ts'

test('response: a large unchanged result is sent without serializing it again', () => {
  const stringify = schemaCompilers().serializer(executeTool.reply)
  const serialize = (data: object) =>
    stringify({ data, error: null, successful: true, session_info: null, log_id: 'log_1', undeclared: 'x' })
  const text = `{ "id": 12345678901234567890, "é": "${'x'.repeat(5_000)}" }`
  const data = JSON.parse(text) as object
  const anew = String(serialize(data))
  rememberJsonBytes(data, Buffer.from(text))
  const passed = String(serialize(data))
  assert.ok(passed.startsWith(`{"data":${text},`) && !passed.includes('undeclared'))
  assert.deepEqual(JSON.parse(passed), JSON.parse(anew))
  assert.equal(String(serialize({ ...data })), anew, 'a copy is another object')
  for (const bytes of [
    Buffer.from('{"a":1}'),
    Buffer.concat([Buffer.alloc(5_000, 'x'), Buffer.from([0xff])]),
  ]) {
    const other = {}
    rememberJsonBytes(other, bytes)
    assert.equal(jsonBytesOf(other), undefined, 'neither small bodies nor broken text')
  }
})
