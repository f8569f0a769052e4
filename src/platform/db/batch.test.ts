import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { batchCalls } from './batch.ts'

/** A load whose batches are answered when the test says so. */
function fixture() {
  const batches: { keys: readonly number[]; answer(): void; fail(error: unknown): void }[] = []
  const load = (keys: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      batches.push({ keys, answer: () => resolve(keys.map((key) => `value ${key}`)), fail: reject })
    })
  return {
    batches,
    load,
    async sent(count: number) {
      while (batches.length < count) await setImmediate()
    },
  }
}

test('batched calls: calls of one turn share a statement, and each gets its result', async () => {
  const { batches, load } = fixture()
  const get = batchCalls(load)
  const asked = [3, 1, 2, 1].map((key) => get(key))
  assert.equal(batches.length, 0, 'nothing is sent before the turn ends')
  await setImmediate()
  assert.deepEqual(
    batches.map(({ keys }) => keys),
    [[3, 1, 2, 1]],
  )
  batches[0]?.answer()
  assert.deepEqual(await Promise.all(asked), ['value 3', 'value 1', 'value 2', 'value 1'])
})

test('batched calls: calls wait for the statement in progress, and are sent together', async () => {
  const { batches, load, sent } = fixture()
  const get = batchCalls(load)
  const asked: Promise<string>[] = []
  for (const key of [1, 2, 3]) {
    asked.push(get(key))
    await setImmediate()
  }
  assert.deepEqual(
    batches.map(({ keys }) => keys),
    [[1]],
  )
  batches[0]?.answer()
  assert.equal(await asked[0], 'value 1')
  await sent(2)
  assert.deepEqual(
    batches.map(({ keys }) => keys),
    [[1], [2, 3]],
  )
  batches[1]?.answer()
  assert.deepEqual(await Promise.all(asked), ['value 1', 'value 2', 'value 3'])
})

test('batched calls: nothing is cached', async () => {
  let loads = 0
  const get = batchCalls(async (keys: readonly number[]) => {
    loads++
    return keys.map(() => loads)
  })
  assert.deepEqual([await get(1), await get(1), loads], [1, 2, 2])
})

test('batched calls: after a batch of several calls, calls are gathered while they keep arriving', async () => {
  const { batches, load, sent } = fixture()
  const get = batchCalls(load, { gatherMs: 60_000 })
  const asked = [get(1), get(2)]
  await sent(1)
  asked.push(get(3))
  batches[0]?.answer()
  await asked[0]
  for (const key of [4, 5, 6, 7]) {
    asked.push(get(key))
    await setImmediate()
  }
  assert.equal(batches.length, 1, 'calls still arrive')
  await sent(2)
  assert.deepEqual(batches[1]?.keys, [3, 4, 5, 6, 7])
  batches[1].answer()
  await Promise.all(asked)
})

test('batched calls: calls are not gathered for longer than the limit', async () => {
  const { batches, load, sent } = fixture()
  const get = batchCalls(load, { gatherMs: 0 })
  const asked = [get(1), get(2)]
  await sent(1)
  asked.push(get(3))
  batches[0]?.answer()
  await sent(2)
  assert.deepEqual(batches[1]?.keys, [3])
  batches[1].answer()
  await Promise.all(asked)
})

test('batched calls: a statement has a maximum number of keys', async () => {
  const sizes: number[] = []
  const get = batchCalls(
    async (keys: readonly number[]) => {
      sizes.push(keys.length)
      return keys
    },
    { max: 10 },
  )
  const keys = Array.from({ length: 35 }, (_, i) => i)
  assert.deepEqual(await Promise.all(keys.map(get)), keys)
  assert.deepEqual(sizes, [10, 10, 10, 5])
})

test('batched calls: an error reaches the callers of its statement only', async () => {
  const { batches, load, sent } = fixture()
  const get = batchCalls(load, { max: 2 })
  const asked = [1, 2, 3].map((key) => get(key))
  await sent(1)
  batches[0]?.fail(new Error('the database went away'))
  const settled = await Promise.allSettled(asked.slice(0, 2))
  assert.deepEqual(
    settled.map((one) => one.status === 'rejected' && (one.reason as Error).message),
    ['the database went away', 'the database went away'],
  )
  await sent(2)
  batches[1]?.answer()
  assert.equal(await asked[2], 'value 3')
  const later = get(4)
  await sent(3)
  batches[2]?.answer()
  assert.equal(await later, 'value 4')
})

test('batched calls: a load that throws or returns too few results fails its callers', async () => {
  const throwing = batchCalls((): Promise<readonly string[]> => {
    throw new Error('not even asked')
  })
  await assert.rejects(throwing(1), /not even asked/)
  const short = batchCalls(async (keys: readonly number[]) => keys.slice(1))
  const settled = await Promise.allSettled([short(1), short(2)])
  assert.deepEqual(
    settled.map((one) => one.status === 'rejected' && (one.reason as Error).message),
    Array(2).fill('2 keys were loaded and 1 results were returned.'),
  )
})
