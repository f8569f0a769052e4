import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { countDistinctUpTo, countUpTo } from './bounded-count.ts'
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

test('bounded count: distinct values are counted exactly, also if many rows have the same', async (t) => {
  const db = connect(await clonedDatabase(t), { max: 1 })
  t.after(() => db.close())
  const count = (values: number, rowsOfEach: number, most: number) =>
    countDistinctUpTo(
      db,
      sql`a, b`,
      sql`(
        select n as a, -n as b from generate_series(1, ${values}::int) n, generate_series(1, ${rowsOfEach}::int)
        order by n) rows where a <> 1`,
      most,
    )
  assert.deepEqual(await count(1, 4, 3), { total: 0, isMinimum: false })
  assert.deepEqual(await count(4, 1, 3), { total: 3, isMinimum: false })
  assert.deepEqual(await count(5, 1, 3), { total: 3, isMinimum: true })
  assert.deepEqual(
    await count(4, 40, 3),
    { total: 3, isMinimum: false },
    'the first twelve rows have one value',
  )
  assert.deepEqual(await count(5, 40, 3), { total: 3, isMinimum: true })
})
