import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SIGNALS, SignalTable } from './signal-table.ts'

test('signals: a row has what was set, and its sum is the score', () => {
  const table = new SignalTable()
  const [one, other] = [table.add(), table.add()]
  table.set(one, 'words', 1)
  table.set(one, 'depth', -0.25)
  table.set(other, 'repeated', -0.5)
  assert.equal(table.sum(one), 0.75)
  assert.equal(table.sum(other), -0.5)
  const mixed = table.mix(one, 0.5, other, 2)
  const { words, depth, repeated, ...others } = table.signalsOf(mixed)
  assert.deepEqual([words, depth, repeated], [0.5, -0.125, -1])
  assert.ok(Object.values(others).every((value) => value === 0))
  assert.deepEqual(Object.keys(table.signalsOf(one)), [...SIGNALS])
})

test('signals: a table grows, and rows of the next search begin at 0', () => {
  const table = new SignalTable()
  const rows = Array.from({ length: 3_000 }, (_, number) => {
    const row = table.add()
    table.set(row, 'words', number)
    return row
  })
  assert.ok(rows.every((row, number) => table.sum(row) === number))
  table.clear()
  assert.ok(rows.every(() => table.sum(table.add()) === 0))
})
