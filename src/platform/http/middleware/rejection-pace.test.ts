import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRejectionPace } from './rejection-pace.ts'

test('rejection pace: the first 100 rejections of a source are sent at once, the next ones later and later', () => {
  let time = 0
  const pace = createRejectionPace(() => time)
  const delays = (count: number, source = 'a') => Array.from({ length: count }, () => pace.delayMs(source))
  assert.deepEqual(new Set(delays(100)), new Set([0]))
  assert.deepEqual(delays(3), [20, 40, 60])
  assert.deepEqual(new Set(delays(100, 'b')), new Set([0]), 'another source has its own')
  assert.equal(Math.max(...delays(500)), 1_000, 'no rejection is delayed by more than a second')
  time += 3_000
  assert.deepEqual(
    new Set(delays(100)),
    new Set([0]),
    'a source that pauses is sent its rejections at once again',
  )
})

test('rejection pace: responses are sent at once while 2,000 others are delayed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pace = createRejectionPace(() => 0)
  const delay = () => Array.from({ length: 200 }, () => pace.delayMs('a')).at(-1)!
  assert.ok(delay() > 0)
  const waits = Array.from({ length: 2_000 }, () => pace.wait(1_000))
  assert.equal(delay(), 0)
  t.mock.timers.tick(1_000)
  await Promise.all(waits)
  assert.ok(delay() > 0)
})
