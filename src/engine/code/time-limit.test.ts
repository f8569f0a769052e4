import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTimeLimit } from './time-limit.ts'

const never = () => new Promise<never>(() => {})

test('time limit: work ends when its time is up or the client disconnects, and its signal is aborted', async () => {
  const signals: AbortSignal[] = []
  const work = (signal: AbortSignal) => {
    signals.push(signal)
    return never()
  }
  const { signal } = new AbortController()
  await assert.rejects(withTimeLimit(1, signal, work), { kind: 'timeout' })
  await assert.rejects(withTimeLimit(-5, signal, work), { kind: 'timeout' })
  const caller = new AbortController()
  const running = withTimeLimit(3_600_000, caller.signal, work)
  caller.abort()
  await assert.rejects(running, { kind: 'aborted' })
  await assert.rejects(withTimeLimit(3_600_000, caller.signal, work), { kind: 'aborted' })
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true, true, true],
  )
})

test('time limit: work that ends in time returns its result or throws its own error', async () => {
  const { signal } = new AbortController()
  assert.equal(await withTimeLimit(3_600_000, signal, async () => 7), 7)
  assert.equal(await withTimeLimit(undefined, signal, async (received) => received === signal), true)
  await assert.rejects(
    withTimeLimit(3_600_000, signal, async () => {
      throw new TypeError('its own')
    }),
    TypeError,
  )
})
