import assert from 'node:assert/strict'
import { posix, win32 } from 'node:path'
import { test } from 'node:test'
import { documentFile, documentKey } from './document-paths.ts'

test('pack documents: a document has the same key on Windows as on Linux', () => {
  assert.equal(documentKey('example.com/v1.json', posix), 'example.com/v1')
  assert.equal(documentKey('example.com\\v1.json', win32), 'example.com/v1')
})

test('pack documents: a document is unpacked below the folder, and a name that leads out of it is not', () => {
  assert.equal(documentFile('/cache/a', 'example.com/v1.json', posix), '/cache/a/example.com/v1.json')
  assert.equal(documentFile('C:\\my cache\\a', 'e.com/v1.json', win32), 'C:\\my cache\\a\\e.com\\v1.json')
  assert.equal(documentFile('/cache/a', '../ab/v1.json', posix), undefined)
  assert.equal(documentFile('C:\\my cache\\a', '..\\ab\\v1.json', win32), undefined)
})
