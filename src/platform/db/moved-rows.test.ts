import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryMovedRows } from './moved-rows.ts'

/** Fails some times with a code of PostgreSQL. */
function failing(code: string, times: number) {
  let calls = 0
  const work = async () => {
    if (++calls <= times) throw Object.assign(new Error(code), { code })
    return calls
  }
  return { work, calls: () => calls }
}

test('moved rows: a statement is repeated after a moved row and after a deadlock, five times at most', async () => {
  for (const code of ['40001', '40P01']) {
    assert.equal(await retryMovedRows(failing(code, 4).work), 5)
    const always = failing(code, Infinity)
    await assert.rejects(retryMovedRows(always.work), { code })
    assert.equal(always.calls(), 5)
  }
  const other = failing('23505', 1)
  await assert.rejects(retryMovedRows(other.work), { code: '23505' })
  assert.equal(other.calls(), 1)
})
