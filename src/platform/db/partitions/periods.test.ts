import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gapAround, missingPeriods, partitionDays, type Period } from './periods.ts'

const DAY = 86_400_000
const day = (text: string) => Date.parse(`2026-${text}T00:00:00Z`)
const noon = (text: string) => day(text) + DAY / 2
const datesOf = (periods: readonly Period[]) =>
  periods.map(({ from, to }) => [from, to].map((time) => new Date(time).toISOString().slice(5, 10)).join(' '))

test('partitions: they are days, weeks or four weeks long, by the retention', () => {
  assert.deepEqual([1, 13, 14, 30, 91, 92, 365, 0].map(partitionDays), [1, 1, 7, 7, 7, 28, 28, 28])
})

test('partitions: missing ones begin with the current one and reach seven days ahead', () => {
  // 2026-11-30 is a Monday.
  assert.deepEqual(datesOf(missingPeriods([], noon('12-02'), 7)), ['11-30 12-07', '12-07 12-14'])
  assert.deepEqual(
    datesOf(missingPeriods([{ from: day('11-30'), to: day('12-07') }], noon('12-02'), 7)),
    ['12-07 12-14'],
    'existing ones are not missing',
  )
  assert.deepEqual(missingPeriods([{ from: day('11-30'), to: day('12-14') }], noon('12-02'), 7), [])
  assert.deepEqual(
    datesOf(missingPeriods([{ from: day('06-01'), to: day('06-08') }], noon('12-02'), 7)),
    ['11-30 12-07', '12-07 12-14'],
    'none for the time in which no server ran',
  )
})

test('partitions: after a change of their length the next ones continue where the last one ends', () => {
  const week = { from: day('11-30'), to: day('12-07') }
  assert.deepEqual(datesOf(missingPeriods([week], noon('12-02'), 1)), [
    '12-07 12-08',
    '12-08 12-09',
    '12-09 12-10',
  ])
  const days = { from: day('12-01'), to: day('12-03') }
  assert.deepEqual(datesOf(missingPeriods([days], noon('12-02'), 7)), ['12-03 12-07', '12-07 12-14'])
})

test('partitions: the one for a single row fills the gap around its time', () => {
  const around = [
    { from: day('11-01'), to: day('11-03') },
    { from: day('11-06'), to: day('11-09') },
  ]
  assert.deepEqual(datesOf([gapAround(noon('11-04'), around, 7)]), ['11-03 11-06'])
  assert.deepEqual(datesOf([gapAround(noon('10-15'), around, 7)]), ['10-12 10-19'])
})
