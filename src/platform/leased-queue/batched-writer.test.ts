import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../db/errors.ts'
import { createBatchedWriter } from './batched-writer.ts'

test('batched writer: results that arrive together are written together, and each receives its own value', async () => {
  const batches: number[][] = []
  const write = createBatchedWriter(async (numbers: readonly number[]) => {
    batches.push([...numbers])
    return numbers.map((number) => number * 2)
  }, 100)
  assert.deepEqual(await Promise.all([1, 2, 3].map(write)), [2, 4, 6])
  assert.deepEqual(batches, [[1, 2, 3]])
})

test('batched writer: a result that cannot be stored does not reject the others of its batch', async () => {
  const write = createBatchedWriter(async (numbers: readonly number[]) => {
    if (numbers.includes(2)) throw new Error('2 is invalid')
    return numbers
  }, 100)
  const settled = await Promise.allSettled([1, 2, 3].map(write))
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
    [1, '2 is invalid', 3],
  )
})

test('batched writer: while the database is unavailable a batch is not written one by one', async () => {
  let writes = 0
  const write = createBatchedWriter(async (): Promise<readonly number[]> => {
    writes++
    throw new DatabaseUnavailable('away')
  }, 100)
  const settled = await Promise.allSettled([1, 2, 3].map(write))
  assert.deepEqual([settled.map(({ status }) => status), writes], [['rejected', 'rejected', 'rejected'], 1])
})
