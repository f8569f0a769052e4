import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReadQueue } from './read-queue.ts'

test('log streams: the reads of a project run one after another, also after a failure, and other projects do not wait', async () => {
  const queue = new ReadQueue()
  const log: string[] = []
  const ends: (() => void)[] = []
  const read =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} starts`)
      await new Promise<void>((resolve) => ends.push(resolve))
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const results = [
    queue.run('a', read('a1', true)),
    queue.run('a', read('a2')),
    queue.run('a', read('a3')),
    queue.run('b', read('b1')),
  ]
  const outcomes = Promise.allSettled(results)
  for (let n = 0; n < 4; n++) {
    await settle()
    ends.shift()?.()
  }
  await settle()
  assert.deepEqual(log, [
    'a1 starts',
    'b1 starts',
    'a1 ends',
    'a2 starts',
    'b1 ends',
    'a2 ends',
    'a3 starts',
    'a3 ends',
  ])
  assert.deepEqual(
    (await outcomes).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
    ['a1', 'a2', 'a3', 'b1'],
  )
})
