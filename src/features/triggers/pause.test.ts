import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayAfter, delayAfterFailure, isHopeless, pauseAfter } from './pause.ts'

const own = { intervalS: 900, isManaged: false, random: 0.5 }
const pauses = (times: number, isBusy: boolean, rhythm = own, from = rhythm.intervalS): number => {
  let pause = from
  for (let n = 0; n < times; n++) pause = pauseAfter(pause, isBusy, rhythm)
  return pause
}

test('news brings the next poll nearer, down to a minute, and quiet sends it back to the interval; neither leaves the bounds', () => {
  assert.deepEqual([pauses(1, true), pauses(2, true), pauses(20, true)], [450, 225, 60])
  assert.deepEqual([pauses(1, false, own, 60), pauses(20, false, own, 60)], [90, 900])
  assert.equal(pauses(20, true, { ...own, intervalS: 60 }), 60)
  assert.equal(
    pauses(20, true, { ...own, isManaged: true }),
    900,
    'an OAuth app of the operator is asked every quarter of an hour at most',
  )
  assert.equal(pauses(20, true, { ...own, isManaged: true, intervalS: 3_600 }), 900)
})

test('the moment of a poll is scattered a little, and what had to be left is fetched soon', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((random) => Math.round(delayAfter(100, false, { ...own, random }))),
    [95, 100, 105],
  )
  assert.equal(delayAfter(900, true, own), 2)
})

test('failures send polls further away, up to an hour or the interval; a pause that was asked for is kept to, and is no reason for a longer one', () => {
  const delays = [0, 1, 2, 3, 30].map((failures) =>
    delayAfterFailure(failures, undefined, { ...own, intervalS: 300, random: 0 }),
  )
  assert.deepEqual(delays, [300, 600, 1_200, 2_400, 3_600])
  assert.equal(delayAfterFailure(9, undefined, { ...own, intervalS: 86_400, random: 0 }), 86_400)
  assert.deepEqual(
    [
      delayAfterFailure(0, 20_000, { ...own, random: 0 }),
      delayAfterFailure(0, 7_200_000, { ...own, random: 0 }),
    ],
    [900, 7_200],
  )
})

test('a refusal is given up after ten in an hour, whatever may pass by itself after five days', () => {
  assert.deepEqual(
    [isHopeless(9, 99_999, true), isHopeless(10, 3_599, true), isHopeless(10, 3_600, true)],
    [false, false, true],
  )
  assert.deepEqual([isHopeless(1_000, 431_999, false), isHopeless(3, 432_000, false)], [false, true])
})
