import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '#fixtures/until.ts'
import { createLog } from '../log.ts'
import type { JobLimiter, LeasedQueue } from './queue.ts'
import { startQueue } from './runner.ts'

interface Row {
  id: number
  claims: number
  isLeased: boolean
  isDone: boolean
}
type Run = (row: Row, signal: AbortSignal) => Promise<void>

class TestLimiter implements JobLimiter<Row, true> {
  running = 0
  runningMax = 0
  readonly #max: number
  readonly #waiting: Row[] = []

  constructor(max: number) {
    this.#max = max
  }

  capacity = () => this.#max - this.running - this.#waiting.length
  isLow = () => this.running + this.#waiting.length < this.#max / 2
  add = (row: Row) => void this.#waiting.push(row)
  next() {
    const start = this.#waiting.splice(0)
    this.running += start.length
    this.runningMax = Math.max(this.runningMax, this.running)
    return { start, expired: [] }
  }
  done = () => void this.running--
  clear = () => this.#waiting.splice(0)
}

/** A table in memory, and a queue of its rows. */
function createTable(count: number) {
  const rows = Array.from({ length: count }, (_, id): Row => ({
    id,
    claims: 0,
    isLeased: false,
    isDone: false,
  }))
  const claims: number[] = []
  const failures = { claim: 0, write: 0 }
  const start = (t: TestContext, run: Run, { max = 10, pollMs = 10, drainMs = 50 } = {}) => {
    const limiter = new TestLimiter(max)
    const queue: LeasedQueue<Row, true> = {
      name: 'rows',
      async claim(limit) {
        if (failures.claim-- > 0) throw new Error('The database is away.')
        const jobs = rows.filter((row) => !row.isLeased && !row.isDone).slice(0, limit)
        claims.push(jobs.length)
        for (const row of jobs) Object.assign(row, { isLeased: true, claims: row.claims + 1 })
        return { jobs }
      },
      run: async (row, signal) => {
        await run(row, signal)
        return true
      },
      async write(row) {
        if (failures.write-- > 0) throw new Error('The result is invalid.')
        Object.assign(row, { isDone: true, isLeased: false })
      },
      release: async (jobs) => {
        for (const row of jobs) row.isLeased = false
      },
      describe: ({ id }) => ({ id }),
    }
    const runner = startQueue(queue, limiter, { pollMs, drainMs }, createLog('silent'))
    t.after(() => runner.close())
    return { runner, limiter }
  }
  return { rows, claims, failures, start, areDone: () => rows.every(({ isDone }) => isDone) }
}

test('queue: all due jobs run once, never more at a time than the limiter allows', async (t) => {
  const table = createTable(100)
  const { limiter } = table.start(t, async () => wait(1))
  await until('all jobs are done', table.areDone)
  assert.equal(limiter.runningMax, 10)
  assert.ok(table.rows.every(({ claims }) => claims === 1))
})

test('queue: it claims again when few jobs are left, not after each job', async (t) => {
  const table = createTable(40)
  table.start(t, async ({ id }) => wait(id), { pollMs: 60_000 })
  await until('all jobs are done', table.areDone)
  assert.ok(table.claims.length < 30, `${table.claims.length} claims for 40 jobs`)
})

test('queue: a wake signal starts the next claim before the poll interval ends', async (t) => {
  const table = createTable(1)
  table.rows[0]!.isLeased = true
  const { runner } = table.start(t, async () => {}, { pollMs: 60_000 })
  await until('the first claim found nothing', () => table.claims.length === 1)
  table.rows[0]!.isLeased = false
  runner.wake()
  await until('the job is done', table.areDone)
})

test('queue: a failed claim is tried again', async (t) => {
  const table = createTable(1)
  table.failures.claim = 1
  table.start(t, async () => {})
  await until('the job is done', table.areDone)
})

test('queue: a job that fails stays leased and does not stop the others', async (t) => {
  const table = createTable(3)
  table.start(t, async ({ id }) => {
    if (id === 1) throw new Error('The job failed.')
  })
  await until('the other jobs are done', () => table.rows.filter(({ isDone }) => isDone).length === 2)
  assert.deepEqual(
    table.rows.map(({ isDone, isLeased }) => [isDone, isLeased]),
    [
      [true, false],
      [false, true],
      [true, false],
    ],
  )
})

test('queue: a result that cannot be stored leaves its job leased, and the next job runs', async (t) => {
  const table = createTable(2)
  table.failures.write = 1
  table.start(t, async () => {}, { max: 1 })
  await until('one job is done', () => table.rows.some(({ isDone }) => isDone))
  assert.equal(table.rows.filter(({ isLeased }) => isLeased).length, 1)
})

test('queue: close waits for jobs in progress, then aborts and releases the rest', async (t) => {
  const table = createTable(2)
  const run: Run = ({ id }, signal) => wait(id === 0 ? 20 : 60_000, undefined, { signal })
  const { runner } = table.start(t, run, { drainMs: 200 })
  await until('both jobs are claimed', () => table.rows.every(({ claims }) => claims === 1))
  await runner.close()
  assert.deepEqual(
    table.rows.map(({ isDone, isLeased }) => [isDone, isLeased]),
    [
      [true, false],
      [false, false],
    ],
  )
})
