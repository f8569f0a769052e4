import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'node:test'
import { withTimeout } from './timeout.ts'

test('timeout: the result and the error of work that ends in time are passed on', async () => {
  assert.equal(await withTimeout(Promise.resolve(1), 60_000), 1)
  await assert.rejects(withTimeout(Promise.reject(new Error('failed')), 60_000), /failed/)
})

test('timeout: work that takes longer gives undefined, the fallback value, or the error of the fallback', async () => {
  const never = new Promise<number>(() => {})
  const keepAlive = setInterval(() => {}, 1_000)
  assert.equal(await withTimeout(never, 1), undefined)
  assert.equal(await withTimeout(never, 1, () => 'late'), 'late')
  await assert.rejects(
    withTimeout(never, 1, () => {
      throw new Error('not within 1 ms')
    }),
    /not within 1 ms/,
  )
  clearInterval(keepAlive)
})

test('timeout: an error after the time limit is no unhandled rejection', async () => {
  const { promise, reject } = Promise.withResolvers<number>()
  const keepAlive = setInterval(() => {}, 1_000)
  assert.equal(await withTimeout(promise, 1), undefined)
  reject(new Error('late'))
  await wait(5)
  clearInterval(keepAlive)
})
