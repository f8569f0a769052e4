import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLimit, SharedMemory } from './shared-memory.ts'

const user = () => {
  const reasons: string[] = []
  return { reasons, stop: (reason: string) => void reasons.push(reason) }
}

test('shared memory: the largest sandbox is stopped when all together use too much', () => {
  const memory = new SharedMemory(1_000_000_000)
  const [small, large, late] = [user(), user(), user()]
  memory.report(small, 300_000_000)
  memory.report(large, 500_000_000)
  memory.report(late, 200_000_000)
  assert.deepEqual([small.reasons, large.reasons, late.reasons], [[], [], []], 'exactly the limit')
  memory.report(late, 200_000_001)
  assert.match(large.reasons.join(), /all sandboxes of this server together exceeded 1000 MB of memory/)
  memory.report(late, 700_000_000)
  assert.deepEqual([small.reasons, late.reasons], [[], []], 'the memory of the stopped one no longer counts')
  memory.remove(small)
  memory.report(late, 1_000_000_000)
  assert.deepEqual(late.reasons, [])
})

test('shared memory: a sandbox gets no more than all together, and there is always one', () => {
  const memory = new SharedMemory(600_000_000)
  assert.deepEqual(
    [memoryLimit({ memory }, 'standard'), memoryLimit({}, 'standard')],
    [600_000_000, 1_000_000_000],
  )
  assert.deepEqual([memory.sandboxesMax, new SharedMemory(100).sandboxesMax], [2, 1])
})
