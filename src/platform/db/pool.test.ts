import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { wireTo } from '#fixtures/wire.ts'
import { DatabaseUnavailable } from './errors.ts'
import { connect } from './pool.ts'
import { sql } from './sql.ts'

test('pool: one call detects the silent loss of all idle connections', async (t) => {
  const wire = await wireTo(t, await clonedDatabase(t))
  const db = connect(wire.url, { statementTimeoutMs: 500 })
  t.after(() => db.close())
  await Promise.all(Array.from({ length: 8 }, () => db.run(sql`select pg_sleep(0.2)`)))
  wire.lose()
  await assert.rejects(db.run(sql`select 1`), DatabaseUnavailable)
  assert.deepEqual(await db.rows(sql`select 1 as a`), [{ a: 1 }])
  await db.begin(async (tx) => {
    assert.deepEqual(await tx.rows(sql`select 2 as a`), [{ a: 2 }])
  })
})

test('pool: a transaction on a lost connection fails, and the next one gets another connection', async (t) => {
  const wire = await wireTo(t, await clonedDatabase(t))
  const db = connect(wire.url, { statementTimeoutMs: 500 })
  t.after(() => db.close())
  await Promise.all(Array.from({ length: 8 }, () => db.run(sql`select pg_sleep(0.2)`)))
  wire.lose()
  await assert.rejects(
    db.begin((tx) => tx.run(sql`select 1`)),
    DatabaseUnavailable,
  )
  assert.equal(await db.begin((tx) => tx.run(sql`select 1`)), 1)
})
