import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextInterval, retryDelay, shouldDisable, successDelay } from './interval.ts'

const own = { intervalSeconds: 900, isManaged: false, random: 0.5 }
const intervals = (
  times: number,
  hasNewItems: boolean,
  settings = own,
  from = settings.intervalSeconds,
): number => {
  let interval = from
  for (let n = 0; n < times; n++) interval = nextInterval(interval, hasNewItems, settings)
  return interval
}

test('polling: the interval halves after new items to a minute, and grows after none to the set interval', () => {
  assert.deepEqual([intervals(1, true), intervals(2, true), intervals(20, true)], [450, 225, 60])
  assert.deepEqual([intervals(1, false, own, 60), intervals(20, false, own, 60)], [90, 900])
  assert.equal(intervals(20, true, { ...own, intervalSeconds: 60 }), 60)
  assert.equal(
    intervals(20, true, { ...own, isManaged: true }),
    900,
    'an OAuth app of the administrator is polled at most every 15 minutes',
  )
  assert.equal(intervals(20, true, { ...own, isManaged: true, intervalSeconds: 3_600 }), 900)
})

test('polling: delays have a jitter of five percent, and a poll that left items is repeated after two seconds', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((random) => Math.round(successDelay(100, false, { ...own, random }))),
    [95, 100, 105],
  )
  assert.equal(successDelay(900, true, own), 2)
})

test('polling: the delay doubles after each failure to an hour or the interval; Retry-After is respected', () => {
  const delays = [0, 1, 2, 3, 30].map((failures) =>
    retryDelay(failures, undefined, { ...own, intervalSeconds: 300, random: 0 }),
  )
  assert.deepEqual(delays, [300, 600, 1_200, 2_400, 3_600])
  assert.equal(retryDelay(9, undefined, { ...own, intervalSeconds: 86_400, random: 0 }), 86_400)
  assert.deepEqual(
    [retryDelay(0, 20_000, { ...own, random: 0 }), retryDelay(0, 7_200_000, { ...own, random: 0 })],
    [900, 7_200],
  )
})

test('polling: a trigger is disabled after ten permanent failures in an hour, or five days of temporary ones', () => {
  assert.deepEqual(
    [shouldDisable(9, 99_999, true), shouldDisable(10, 3_599, true), shouldDisable(10, 3_600, true)],
    [false, false, true],
  )
  assert.deepEqual([shouldDisable(1_000, 431_999, false), shouldDisable(3, 432_000, false)], [false, true])
})
