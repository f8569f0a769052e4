import assert from 'node:assert/strict'
import { test } from 'node:test'
import { executeTool } from '../../../contract/tools/index.ts'
import { jsonSourceOf, JsonText, rememberJsonSource } from '../../json-source.ts'
import { schemaCompilers } from './schema-compilers.ts'

test('response: an unchanged result is sent without serializing it again', () => {
  const stringify = schemaCompilers().serializer(executeTool.reply)
  const serialize = (data: object) =>
    stringify({ data, error: null, successful: true, session_info: null, log_id: 'log_1', undeclared: 'x' })
  for (const length of [300, 5_000]) {
    const text = `{ "id": 12345678901234567890, "é": "${'x'.repeat(length)}" }`
    const data = JSON.parse(text) as object
    const anew = String(serialize(data))
    rememberJsonSource(data, new JsonText(text, Buffer.from(text)))
    const passed = String(serialize(data))
    assert.ok(passed.startsWith(`{"data":${text},`) && !passed.includes('undeclared'))
    assert.deepEqual(JSON.parse(passed), JSON.parse(anew))
    assert.equal(String(serialize({ ...data })), anew, 'a copy is another object')
  }
})

test('response: bytes that are not UTF-8 are sent as text, and small objects are serialized', () => {
  const broken = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(5_000, 0xff), Buffer.from('"}')])
  const [text, data] = [broken.toString('utf8'), {}]
  rememberJsonSource(data, new JsonText(text, broken))
  const source = jsonSourceOf(data)
  assert.deepEqual([source?.text, source?.bytes], [text, undefined])
  const small = { a: 1 }
  rememberJsonSource(small, new JsonText('{"a":1}', Buffer.from('{"a":1}')))
  assert.equal(jsonSourceOf(small), undefined)
})
