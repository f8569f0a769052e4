import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createConcurrencyLimiter, QueueFullError } from './concurrency-limiter.ts'

const { signal } = new AbortController()
const HOUR = 3_600_000

test('concurrency limiter: an account has a limit, and waiting accounts take turns', async () => {
  const limiter = createConcurrencyLimiter(4)
  const order: string[] = []
  const enter = async (account: string) => {
    await limiter.acquire('o', account, 2, signal, HOUR)
    order.push(account)
  }
  const entered = [...Array.from({ length: 6 }, () => 'noisy'), 'quiet', 'quiet', 'late'].map(enter)
  await Promise.all([...entered.slice(0, 2), ...entered.slice(6, 8)])
  assert.deepEqual(
    [order.splice(0), limiter.count()],
    [['noisy', 'noisy', 'quiet', 'quiet'], { running: 4, waiting: 5 }],
  )
  for (const done of ['noisy', 'noisy', 'quiet', 'quiet', 'noisy', 'late', 'noisy'])
    limiter.release('o', done)
  await Promise.all(entered)
  assert.deepEqual(order, ['noisy', 'late', 'noisy', 'noisy', 'noisy'])
  for (const done of ['noisy', 'noisy']) limiter.release('o', done)
  assert.deepEqual(limiter.count(), { running: 0, waiting: 0 })
})

test('concurrency limiter: servers divide the limit of an account, and each has at least one', async () => {
  let replicas = 3
  const control = new AbortController()
  const limiter = createConcurrencyLimiter(8, () => replicas)
  const turns = ([account, most]: [string, number]) =>
    Array.from({ length: 8 }, () => limiter.acquire('o', account, most, control.signal, HOUR))
  const ended = Promise.allSettled(
    (
      [
        ['a', 7],
        ['b', 2],
      ] as [string, number][]
    ).flatMap(turns),
  )
  assert.deepEqual(limiter.count(), { running: 3, waiting: 13 })
  replicas = 1
  limiter.release('o', 'a')
  assert.deepEqual(
    limiter.count(),
    { running: 8, waiting: 7 },
    'the others are gone, and their places are taken at once',
  )
  control.abort()
  await ended
})

test('concurrency limiter: a canceled or late request leaves the queue; a full queue rejects requests', async () => {
  const limiter = createConcurrencyLimiter(1)
  assert.equal(limiter.acquire('o', 'a', 1, signal, HOUR), undefined)
  const control = new AbortController()
  const leaving = limiter.acquire('o', 'a', 1, control.signal, HOUR)!
  const late = limiter.acquire('o', 'b', 1, signal, 1)!
  control.abort()
  await assert.rejects(leaving, { kind: 'aborted' })
  await assert.rejects(late, { kind: 'timeout' })
  await assert.rejects(limiter.acquire('o', 'a', 1, control.signal, HOUR)!, { kind: 'aborted' })
  assert.deepEqual(limiter.count(), { running: 1, waiting: 0 })
  const crowd = Array.from({ length: 256 }, () => limiter.acquire('o', 'a', 1, signal, HOUR)!)
  assert.throws(() => limiter.acquire('o', 'a', 1, signal, HOUR), QueueFullError)
  for (const turn of crowd) {
    limiter.release('o', 'a')
    await turn
  }
  limiter.release('o', 'a')
  assert.deepEqual(limiter.count(), { running: 0, waiting: 0 })
})

test('property: no limit is exceeded, every request starts or ends, and the limiter is empty afterwards', async () => {
  const steps = fc.array(
    fc.record({
      account: fc.constantFrom('a', 'b', 'c'),
      origin: fc.constantFrom('x', 'y'),
      leaves: fc.nat(3),
      aborts: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (list, originMax, most) => {
        const limiter = createConcurrencyLimiter(originMax)
        const running: [string, string][] = []
        let ended = 0
        const settle = () =>
          new Promise((resolve) => {
            setImmediate(resolve)
          })
        const check = () => {
          for (const origin of ['x', 'y'])
            assert.ok(running.filter(([at]) => at === origin).length <= originMax)
          for (const account of ['a', 'b', 'c'])
            for (const origin of ['x', 'y'])
              assert.ok(running.filter(([at, of]) => at === origin && of === account).length <= most)
        }
        for (const { account, origin, leaves, aborts } of list) {
          const control = new AbortController()
          const turn = limiter.acquire(origin, account, most, control.signal, HOUR)
          if (turn)
            turn.then(
              () => running.push([origin, account]),
              () => {
                ended++
              },
            )
          else running.push([origin, account])
          if (aborts) control.abort()
          for (let n = 0; n < leaves && running.length > 0; n++) limiter.release(...running.shift()!)
          await settle()
          check()
        }
        while (running.length > 0) {
          ended++
          limiter.release(...running.shift()!)
          await settle()
          check()
        }
        assert.deepEqual(limiter.count(), { running: 0, waiting: 0 })
        assert.ok(ended <= list.length)
      },
    ),
    { numRuns: 100 },
  )
})
