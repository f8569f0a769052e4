import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newLogId, newRequestId } from './ids.ts'

test('log ids: each is unique, and those of a later minute sort after earlier ones', () => {
  const now = Date.parse('2026-12-01T10:20:30Z')
  const ids = [now, now, now + 60_000, now + 86_400_000, now + 3_650 * 86_400_000].map(newLogId)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^log_[0-9a-z]{5}[A-Za-z0-9]{12}$/)
  const minutes = ids.map((id) => id.slice(0, 9))
  assert.deepEqual(minutes, [...minutes].sort())
})

test('request ids: they are UUIDs of version 7, and later ones sort after earlier ones', () => {
  const now = Date.parse('2026-12-01T10:20:30Z')
  const ids = [now, now + 1, now + 60_000].map(newRequestId)
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(ids, [...ids].sort())
  assert.equal(parseInt(ids[0]!.replaceAll('-', '').slice(0, 12), 16), now)
})
