import assert from 'node:assert/strict'
import { test } from 'node:test'
import { within } from './run-code.ts'

const never = () => new Promise<never>(() => {})

test('work that does not end is given up when its time is up or the caller leaves, and is told so', async () => {
  const seen: AbortSignal[] = []
  const work = (signal: AbortSignal) => {
    seen.push(signal)
    return never()
  }
  const { signal } = new AbortController()
  await assert.rejects(within(1, signal, work), { kind: 'timeout' })
  await assert.rejects(within(-5, signal, work), { kind: 'timeout' })
  const caller = new AbortController()
  const running = within(3_600_000, caller.signal, work)
  caller.abort()
  await assert.rejects(running, { kind: 'aborted' })
  await assert.rejects(within(3_600_000, caller.signal, work), { kind: 'aborted' })
  assert.deepEqual(
    seen.map((one) => one.aborted),
    [true, true, true, true],
  )
})

test('work that ends in time has its result or its own error', async () => {
  const { signal } = new AbortController()
  assert.equal(await within(3_600_000, signal, async () => 7), 7)
  assert.equal(await within(undefined, signal, async (given) => given === signal), true)
  await assert.rejects(
    within(3_600_000, signal, async () => {
      throw new TypeError('its own')
    }),
    TypeError,
  )
})
