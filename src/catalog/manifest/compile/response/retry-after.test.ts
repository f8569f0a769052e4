import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { WAIT_UNITS } from '../../format/limits.ts'
import { compileRateLimit } from './rate-limit.ts'
import { parseWaitMs } from './retry-after.ts'

const NOW = Date.UTC(2026, 1, 3, 9, 30)

test('retry after: every unit is converted to milliseconds', () => {
  for (const [unit, value, expected] of [
    ['seconds', '30', 30_000],
    ['seconds', 1.5, 1_500],
    ['seconds', ' 7 ', 7_000],
    ['milliseconds', '250', 250],
    ['minutes', 2, 120_000],
    ['timestamp', NOW / 1_000 + 60, 60_000],
    ['timestamp', String(NOW / 1_000 - 60), 0],
    ['timestamp_ms', NOW + 5, 5],
    ['date', 'Tue, 03 Feb 2026 09:31:00 GMT', 60_000],
    ['date', '2026-02-03T09:30:10Z', 10_000],
    ['date', '2026-02-03T10:30:10.5+01:00', 10_500],
    ['retry_after', '120', 120_000],
    ['retry_after', 'Tue, 03 Feb 2026 09:32:00 GMT', 120_000],
    ['retry_after', 'Tuesday, 03-Feb-26 09:30:05 GMT', 5_000],
    ['retry_after', 'Tue Feb  3 09:30:05 2026', 5_000],
    ['duration', '1m30s', 90_000],
    ['duration', '850ms', 850],
    ['duration', 'PT1M30S', 90_000],
    ['duration', '6m0s', 360_000],
    ['duration', '1.5s', 1_500],
    ['duration', '12', 12_000],
    ['duration', 'P1DT2H', 93_600_000],
  ] as const)
    assert.equal(parseWaitMs(value, unit, NOW), expected, `${unit} ${value}`)
})

test('retry after: invalid waits and waits over a month are ignored', () => {
  const never = [
    '',
    ' ',
    '-1',
    'soon',
    'NaN',
    'Infinity',
    '1e3',
    '0x10',
    '12:30',
    '9'.repeat(30),
    '99999999999',
    '1,5',
    '٣',
    'x'.repeat(1_000),
    '2026-13-45T99:99:99Z',
    'Xxx, 99 Foo 2026 99:99:99 GMT',
    '1m 30s',
    'm',
    'PT',
  ]
  for (const unit of ['seconds', 'retry_after', 'duration', 'date', 'minutes'] as const)
    for (const text of never) assert.equal(parseWaitMs(text, unit, NOW), undefined, `${unit} ${text}`)
  for (const value of [undefined, null, {}, [], true, Number.NaN, Infinity, -1])
    assert.equal(parseWaitMs(value, 'seconds', NOW), undefined)
})

test('retry after: any header gives undefined or a whole number of milliseconds, at most 31 days', () => {
  const units = fc.constantFrom(...WAIT_UNITS)
  const values = fc.oneof(
    fc.string(),
    fc.double(),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.integer().map(String),
    fc.stringMatching(/^[0-9dhmsPT.]{0,220}$/),
  )
  fc.assert(
    fc.property(units, values, (unit, value) => {
      const wait = parseWaitMs(value, unit, NOW)
      assert.ok(wait === undefined || (Number.isInteger(wait) && wait >= 0 && wait <= 31 * 86_400_000))
    }),
    { numRuns: 2_000 },
  )
})

test('retry after: seconds and the equivalent date give the same wait', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000 }), (seconds) => {
      assert.equal(parseWaitMs(String(seconds), 'retry_after', NOW), seconds * 1_000)
      assert.equal(
        parseWaitMs(new Date(NOW + seconds * 1_000).toUTCString(), 'retry_after', NOW),
        seconds * 1_000,
      )
    }),
  )
})

test('retry after: the first declared source with a wait wins, and Retry-After is last', () => {
  const limit = compileRateLimit({
    wait: [
      { when: { status: 403 }, header: 'x-ratelimit-reset', unit: 'timestamp' },
      { body: 'retry_after', unit: 'seconds' },
      { body: 'error.message', pattern: 'Retry after (\\S+)', unit: 'date' },
    ],
  })
  const wait = (status: number, headers: Record<string, string>, body: unknown = {}) =>
    limit.waitAfter({ status, headers, body }, NOW)
  const reset = { 'x-ratelimit-reset': String(NOW / 1_000 + 9) }
  assert.deepEqual(
    [
      wait(403, reset),
      wait(429, reset),
      wait(429, { ...reset, 'retry-after': '4' }),
      wait(403, { 'retry-after': '4' }),
      wait(429, {}, { retry_after: 0.25 }),
      wait(
        403,
        {},
        { error: { message: 'User-rate limit exceeded.  Retry after 2026-02-03T09:30:20Z (Mail sending)' } },
      ),
      wait(429, {}, { error: { message: 'Retry later' } }),
      wait(429, {}, 'busy'),
      wait(429, {}),
    ],
    [9_000, undefined, 4_000, 4_000, 250, 20_000, undefined, undefined, undefined],
  )
})

test('rate limit: the remaining count is exhausted at 0', () => {
  const limit = compileRateLimit({
    remaining: { header: 'x-left', reset: { header: 'x-reset', unit: 'seconds' } },
  })
  const spent = (headers: Record<string, string>) =>
    limit.waitWhenSpent!({ status: 200, headers, body: {} }, NOW)
  assert.deepEqual(
    [
      { 'x-left': '0', 'x-reset': '5' },
      { 'x-left': '1', 'x-reset': '5' },
      { 'x-left': '0' },
      { 'x-reset': '5' },
      { 'x-left': '', 'x-reset': '5' },
      { 'x-left': 'none', 'x-reset': '5' },
    ].map((headers) => spent(headers as never)),
    [5_000, undefined, undefined, undefined, undefined, undefined],
  )
  assert.equal(compileRateLimit().waitWhenSpent, undefined)
})
