import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectOf } from './effect.ts'

test('imported effects: a GET whose first word changes something is not a read', () => {
  const effectOfGet = (id: string) => effectOf({ method: 'get', id })
  for (const id of ['appendText', 'movePad', 'restoreRevision', 'copyPad', 'saveRevision', 'shutdown-host'])
    assert.equal(effectOfGet(id), 'update', id)
  for (const id of ['getText', 'listPads', 'padRun', 'checkToken']) assert.equal(effectOfGet(id), 'read', id)
  assert.equal(effectOfGet('deletePad'), 'delete')
})
