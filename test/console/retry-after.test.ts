import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationOf, readFailure, secondsUntil } from '../../src/console/api/failure.ts'

test('console: Retry-After is read as seconds or as a date', () => {
  const now = Date.UTC(2026, 0, 31, 12)
  const values = [
    '20',
    ' 0 ',
    '',
    null,
    'soon',
    'Sat, 31 Jan 2026 12:01:30 GMT',
    'Sat, 31 Jan 2026 11:00:00 GMT',
  ]
  assert.deepEqual(
    values.map((value) => secondsUntil(value, now)),
    [20, undefined, undefined, undefined, undefined, 90, undefined],
  )
})

test('console: an error with Retry-After says to people how long to wait', async () => {
  assert.deepEqual([1, 90, 900, 86_400].map(durationOf), ['1 second', '90 seconds', '15 minutes', '24 hours'])
  const limited = (slug: string, headers: Record<string, string>) =>
    readFailure(
      new Response(JSON.stringify({ error: { message: 'Too many.', slug, suggested_fix: 'Wait.' } }), {
        status: 429,
        headers,
      }),
    )
  assert.equal(
    (await limited('HTTP_TooManyRequests', { 'retry-after': '900' })).fix,
    'Try again in 15 minutes.',
  )
  assert.equal((await limited('HTTP_TooManyRequests', {})).fix, 'Wait.')
  assert.equal((await limited('Budget_Exceeded', { 'retry-after': '900' })).fix, 'Wait.')
})
