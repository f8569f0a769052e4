import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExecutionQueue } from './queue.ts'

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ n: from + n }))

test('executions on the stream: a reader that takes nothing keeps 1,000, and learns how many are missing after them', () => {
  const queue = new ExecutionQueue()
  assert.equal(queue.take(), undefined)
  queue.push(numbered(0, 600), 0)
  queue.push(numbered(600, 600), 0)
  queue.push(numbered(1_200, 5), 2)
  assert.deepEqual(queue.take(), { executions: numbered(0, 1_000), missed: 207 })
  queue.push(numbered(1_205, 1), 0)
  assert.deepEqual(queue.take(), { executions: numbered(1_205, 1), missed: 0 })
  assert.equal(queue.take(), undefined)
})

test('executions on the stream: none follow missing ones before the reader knows, and an unknown number stays unknown', () => {
  const queue = new ExecutionQueue()
  queue.push(numbered(0, 1), 1)
  queue.push(numbered(1, 1), 0)
  assert.deepEqual(queue.take(), { executions: numbered(0, 1), missed: 2 })
  queue.miss(null)
  queue.push(numbered(2, 1), 3)
  assert.deepEqual(queue.take(), { executions: [], missed: null })
})
