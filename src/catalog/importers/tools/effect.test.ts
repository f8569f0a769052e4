import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectOf, idempotentOf } from './effect.ts'

test('imported effects: a GET whose first word changes something is not a read', () => {
  const effectOfGet = (id: string) => effectOf({ method: 'get', id })
  for (const id of ['appendText', 'movePad', 'restoreRevision', 'copyPad', 'saveRevision', 'shutdown-host'])
    assert.equal(effectOfGet(id), 'update', id)
  for (const id of ['getText', 'listPads', 'padRun', 'checkToken']) assert.equal(effectOfGet(id), 'read', id)
  assert.equal(effectOfGet('deletePad'), 'delete')
})

test('imported effects: a GET that changes something is not idempotent', () => {
  const isIdempotent = (method: string, id: string) => idempotentOf({ method }, effectOf({ method, id }))
  assert.ok(isIdempotent('get', 'getText'))
  assert.ok(isIdempotent('put', 'replaceText'))
  assert.ok(isIdempotent('delete', 'deletePad'))
  assert.ok(!isIdempotent('get', 'appendText'))
  assert.ok(!isIdempotent('get', 'deleteNext'))
  assert.ok(!isIdempotent('post', 'search'))
})
