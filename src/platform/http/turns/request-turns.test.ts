import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../api-error.ts'
import type { TurnTimer } from './turn-timer.ts'
import { bodyCostMs, createRequestTurns, type RequestTurn, type TurnLimits } from './request-turns.ts'

const LIMITS: TurnLimits = { perProject: 2, waitingMax: 4 }
const { signal } = new AbortController()

/** Turns with a clock that moves only when a test says so. */
function fakeTurns(limits = LIMITS) {
  let time = 0
  const checks = new Set<() => void>()
  const timer: TurnTimer = {
    now: () => time,
    every(_ms, run) {
      checks.add(run)
      return () => checks.delete(run)
    },
  }
  const observed = { waits: [] as number[], rejected: 0, shared: 0 }
  const turns = createRequestTurns(
    limits,
    {
      waited: (seconds) => observed.waits.push(seconds),
      rejected: () => {
        observed.rejected++
      },
      shared: () => {
        observed.shared++
      },
    },
    timer,
  )
  const settle = () =>
    new Promise((resolve) => {
      setImmediate(resolve)
    })
  return {
    turns,
    observed,
    settle,
    isChecking: () => checks.size > 0,
    start: async (project: string, costMs = 0, from = signal) =>
      turns.start(project, 'read', () => from, costMs),
    async advance(ms: number) {
      time += ms
      for (const check of [...checks]) check()
      await settle()
    },
  }
}

test('request turns: a project that is alone runs all its requests at once', async () => {
  const { turns, start } = fakeTurns()
  await Promise.all(Array.from({ length: 60 }, () => start('a')))
  assert.deepEqual(turns.count(), { running: 60, waiting: 0 })
})

test('request turns: projects share the process when one starts a request within a second after another', async () => {
  const { observed, start, advance } = fakeTurns()
  for (const project of ['a', 'a', 'b', 'b', 'a']) (await start(project)).end()
  assert.equal(observed.shared, 2)
  await advance(1_000)
  ;(await start('b')).end()
  assert.equal(observed.shared, 2)
})

test('request turns: 200 requests of one project delay the request of another one by none of them', async () => {
  const { turns, start, settle } = fakeTurns({ perProject: 2, waitingMax: 200 })
  ;(await start('honest')).end()
  const started: RequestTurn[] = []
  for (let n = 0; n < 200; n++) void start('hostile').then((turn) => started.push(turn))
  await settle()
  assert.deepEqual(turns.count(), { running: 2, waiting: 198 })
  let isHonestRunning = false
  void start('honest').then(() => {
    isHonestRunning = true
  })
  await settle()
  assert.ok(isHonestRunning)
  assert.equal(started.length, 2)
})

test('request turns: when the process is full, projects that wait start in turn', async () => {
  const { start, settle } = fakeTurns({ perProject: 16, waitingMax: 100 })
  const running: RequestTurn[] = []
  for (const project of ['w', 'x', 'y', 'z']) for (let n = 0; n < 16; n++) running.push(await start(project))
  const order: string[] = []
  for (const project of ['a', 'a', 'a', 'b', 'c', 'c']) void start(project).then(() => order.push(project))
  await settle()
  assert.deepEqual(order, [])
  for (const turn of running.slice(0, 6)) turn.end()
  await settle()
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'c', 'a'])
})

test('request turns: a request beyond the bound of the queue gets 429 with Retry-After', async () => {
  const { start, observed, settle } = fakeTurns()
  await start('b')
  for (let n = 0; n < 6; n++) void start('a')
  await settle()
  await assert.rejects(start('a'), (error: ApiError) => {
    assert.deepEqual(
      [error.status, error.slug, error.headers],
      [429, 'HTTP_TooManyRequests', { 'retry-after': '1' }],
    )
    return true
  })
  assert.equal(observed.rejected, 1)
  await start('b')
})

test('request turns: a client that disconnects leaves the queue', async () => {
  const { turns, start, settle, isChecking } = fakeTurns({ perProject: 1, waitingMax: 4 })
  const control = new AbortController()
  void start('b')
  await start('a')
  const leaving = start('a', 0, control.signal)
  await settle()
  control.abort()
  await assert.rejects(leaving, { status: 408, slug: 'HTTP_RequestTimeout' })
  assert.deepEqual([turns.count().waiting, isChecking()], [0, false])
  await assert.rejects(start('a', 0, control.signal), { status: 408, slug: 'HTTP_RequestTimeout' })
  assert.deepEqual([turns.count().waiting, isChecking()], [0, false])
})

test('request turns: a request that has waited for 30 s gets 503', async () => {
  const { turns, start, advance } = fakeTurns({ perProject: 1, waitingMax: 100 })
  await start('b')
  const outcomes: string[] = []
  // Each of them lets its project rest, so that one starts in half a second.
  for (let n = 0; n < 80; n++)
    void start('a', 1_000).then(
      () => outcomes.push('started'),
      (error: ApiError) => outcomes.push(`${error.status} ${error.slug}`),
    )
  for (let halfSeconds = 0; halfSeconds < 60; halfSeconds++) {
    void start('b')
    await advance(500)
  }
  const expected = [...Array(61).fill('started'), ...Array(19).fill('503 HTTP_ServiceUnavailable')]
  assert.deepEqual([outcomes, turns.count().waiting], [expected, 0])
})

test('property: no limit is exceeded, every request starts or leaves, and nothing is left afterwards', async () => {
  const steps = fc.array(
    fc.record({
      project: fc.constantFrom('a', 'b', 'c'),
      costMs: fc.constantFrom(0, 0, 7),
      leaves: fc.boolean(),
      ends: fc.nat(2),
      passMs: fc.constantFrom(0, 1, 5, 60),
    }),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (list, perProject) => {
      const { turns, start, advance, settle, isChecking } = fakeTurns({ perProject, waitingMax: 100 })
      const running: RequestTurn[] = []
      let settled = 0
      for (const { project, costMs, leaves, ends, passMs } of list) {
        for (const other of ['d', 'e']) void start(other).then((turn) => turn.end())
        const control = new AbortController()
        void start(project, costMs, control.signal)
          .then(
            (turn) => running.push(turn),
            () => {},
          )
          .finally(() => settled++)
        await settle()
        if (leaves) control.abort()
        for (const turn of running.splice(0, ends)) turn.end()
        await advance(passMs)
        assert.ok(turns.count().running <= 3 * perProject)
      }
      for (let n = 0; settled < list.length; n++) {
        assert.ok(n < 200, 'every request starts or leaves')
        await advance(100)
      }
      assert.deepEqual([turns.count().waiting, isChecking()], [0, false])
    }),
    { numRuns: 100 },
  )
})

test('request turns: a request that waits for an application leaves its turn to the next one', async () => {
  const { turns, start, settle } = fakeTurns({ perProject: 1, waitingMax: 4 })
  await start('b')
  const first = await start('a')
  let respond = (_: string) => {}
  const response = new Promise<string>((resolve) => {
    respond = resolve
  })
  const waiting = first.whileWaiting(response, () => 0)
  const second = await start('a')
  respond('late')
  await settle()
  assert.deepEqual(turns.count(), { running: 2, waiting: 1 })
  second.end()
  assert.equal(await waiting, 'late')
  assert.deepEqual(turns.count(), { running: 2, waiting: 0 })
  first.end()
  first.end()
  assert.deepEqual(turns.count(), { running: 1, waiting: 0 })
})

test('request turns: a failure of the application reaches its request', async () => {
  const { start } = fakeTurns()
  const turn = await start('a')
  await assert.rejects(
    turn.whileWaiting(Promise.reject(new Error('refused')), () => 0),
    { message: 'refused' },
  )
})

test('request turns: a request that runs for more than 100 ms is no longer counted', async () => {
  const { turns, start, advance, settle } = fakeTurns({ perProject: 1, waitingMax: 4 })
  await start('b')
  await start('a')
  let hasStarted = false
  void start('a').then(() => {
    hasStarted = true
  })
  await settle()
  await advance(99)
  assert.equal(hasStarted, false)
  await advance(1)
  assert.equal(hasStarted, true)
  assert.equal(turns.count().waiting, 0)
})

test('request turns: after expensive work a project rests three times as long, if others are active', async () => {
  const { start, advance } = fakeTurns({ perProject: 8, waitingMax: 4 })
  ;(await start('b')).end()
  const turn = await start('a')
  turn.charge(40)
  turn.end()
  let hasStarted = false
  void start('a').then(() => {
    hasStarted = true
  })
  ;(await start('b')).end()
  await advance(119)
  assert.equal(hasStarted, false)
  await advance(1)
  assert.equal(hasStarted, true)
})

test('request turns: a large body delays the next request of its project before it is read', async () => {
  const { turns, start, settle } = fakeTurns({ perProject: 8, waitingMax: 4 })
  await start('b')
  await start('a', bodyCostMs(4 * 1_048_576))
  void start('a')
  await settle()
  assert.deepEqual(turns.count(), { running: 2, waiting: 1 })
  assert.deepEqual([bodyCostMs(1_000), bodyCostMs(1_048_576)], [0, 15])
})

test('request turns: what an operation has cost is expected of the next request, which starts a rest', async () => {
  const { turns, start, advance, settle } = fakeTurns({ perProject: 8, waitingMax: 20 })
  ;(await start('b')).end()
  const first = await start('a')
  first.charge(10)
  first.end()
  ;(await start('b')).end()
  await advance(30)
  // Three milliseconds are expected: four times as long passes before the next one starts.
  await start('a')
  void start('a')
  await settle()
  assert.deepEqual(turns.count(), { running: 1, waiting: 1 })
  ;(await start('b')).end()
  await advance(11)
  assert.equal(turns.count().waiting, 1)
  await advance(1)
  assert.deepEqual(turns.count(), { running: 2, waiting: 0 })
})

test('request turns: expected work is not charged again, and cheap requests end the expectation', async () => {
  const { turns, start, advance, settle } = fakeTurns({ perProject: 8, waitingMax: 20 })
  const cost = async (ms: number) => {
    ;(await start('b')).end()
    const turn = await start('a')
    turn.charge(ms)
    turn.end()
    await advance(500)
  }
  await cost(10)
  ;(await start('b')).end()
  const turn = await start('a')
  turn.charge(2)
  turn.end()
  ;(await start('b')).end()
  await advance(12)
  await start('a')
  assert.equal(turns.count().waiting, 0)
  await advance(500)
  for (let n = 0; n < 10; n++) await cost(0)
  ;(await start('b')).end()
  await Promise.all([start('a'), start('a'), start('a')])
  await settle()
  assert.equal(turns.count().waiting, 0)
})

test('request turns: the cost of an operation is expected neither of other operations nor of other projects', async () => {
  const { turns } = fakeTurns({ perProject: 8, waitingMax: 20 })
  const start = async (project: string, operation: string) => turns.start(project, operation, () => signal, 0)
  ;(await start('b', 'list')).end()
  const first = await start('a', 'list')
  first.charge(0.5)
  first.end()
  await Promise.all([start('b', 'list'), start('b', 'list'), start('b', 'list')])
  assert.equal(turns.count().waiting, 0)
})
