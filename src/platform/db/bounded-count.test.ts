import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { countUpTo } from './bounded-count.ts'
import { connect } from './pool.ts'
import { sql } from './sql.ts'

test('bounded count: rows are counted up to a limit, and more are reported', async (t) => {
  const db = connect(await clonedDatabase(t), { max: 1 })
  t.after(() => db.close())
  const numbers = (last: number) => sql`select n from generate_series(1, ${last}::int) n`
  assert.deepEqual(await countUpTo(db, numbers(0), 3), { total: 0, isMinimum: false })
  assert.deepEqual(await countUpTo(db, numbers(3), 3), { total: 3, isMinimum: false })
  assert.deepEqual(await countUpTo(db, numbers(4), 3), { total: 3, isMinimum: true })
  assert.deepEqual(await countUpTo(db, numbers(20_000)), { total: 10_000, isMinimum: true })
})
