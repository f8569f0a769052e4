import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { wireTo } from '#fixtures/wire.ts'
import { until } from '#fixtures/until.ts'
import { connect } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { createLog } from '../log.ts'
import { enqueue, enqueueEach, startJobs, type Task } from './index.ts'

const silent = createLog('silent')

async function queue(t: TestContext) {
  const url = await clonedDatabase(t)
  const db = connect(url, { max: 2 })
  t.after(() => db.close())
  const jobs = () =>
    db.rows<{ key: string | null; attempts: number; last_error: string | null }>(
      sql`select key, attempts, last_error from graphile_worker.jobs where task_identifier like 'test.%'`,
    )
  const work = (tasks: readonly Task[], options?: { deadAfterMs: number }) => {
    const running = startJobs(url, { schedules: [], tasks }, silent, options)
    t.after(() => running.close())
  }
  return { url, db, jobs, work }
}

test('jobs: a job exists only if its transaction commits, and runs with its payload', async (t) => {
  const { db, jobs, work } = await queue(t)
  const ran: unknown[] = []
  await assert.rejects(
    db.begin(async (tx) => {
      await enqueue(tx, 'test.one', { id: 'gone' })
      throw new Error('no')
    }),
  )
  assert.deepEqual(await jobs(), [])
  await db.begin((tx) => enqueue(tx, 'test.one', { id: 'kept' }))
  work([
    {
      task: 'test.one',
      run: async (payload, attempt) => {
        ran.push([payload, attempt])
      },
    },
  ])
  await until('the job is gone', async () => (await jobs()).length === 0)
  assert.deepEqual(ran, [[{ id: 'kept' }, { number: 1, isLast: false }]])
})

test('jobs: one key has one waiting job, and a later time is respected', async (t) => {
  const { db, jobs } = await queue(t)
  await enqueue(db, 'test.one', { id: 'a' }, { key: 'k', runAt: new Date(Date.now() + 3_600_000) })
  await enqueue(db, 'test.one', { id: 'b' }, { key: 'k', runAt: new Date(Date.now() + 3_600_000) })
  await enqueueEach(db, 'test.one', ['x', 'y', 'x'])
  assert.deepEqual((await jobs()).map(({ key }) => key).sort(), ['k', 'test.one:x', 'test.one:y'])
})

test('jobs: a failed attempt is repeated, and the last attempt is marked as the last', async (t) => {
  const { db, jobs, work } = await queue(t)
  const tries: unknown[] = []
  await enqueue(db, 'test.bad', { id: 'a' }, { maxAttempts: 2 })
  work([
    {
      task: 'test.bad',
      run: async (_payload, attempt) => {
        tries.push(attempt)
        throw new Error(`try ${attempt.number}`)
      },
    },
  ])
  await until('it has failed for good', async () => (await jobs())[0]?.last_error?.includes('try 2'))
  assert.deepEqual(tries, [
    { number: 1, isLast: false },
    { number: 2, isLast: true },
  ])
})

test('jobs: a job whose process is killed runs again', async (t) => {
  const { url, db, jobs, work } = await queue(t)
  await enqueue(db, 'test.slow', { id: 'a' })
  const child = fork(new URL('../../../test/fixtures/jobs.child.ts', import.meta.url).pathname, [url])
  assert.deepEqual(await once(child, 'message'), ['begun', undefined])
  child.kill('SIGKILL')
  await once(child, 'exit')
  const ran: unknown[] = []
  work(
    [
      {
        task: 'test.slow',
        run: async (payload, { number }) => {
          ran.push([payload, number])
        },
      },
    ],
    { deadAfterMs: 0 },
  )
  await until('the job is gone', async () => (await jobs()).length === 0)
  assert.deepEqual(ran, [[{ id: 'a' }, 2]])
})

test('jobs: a job whose worker lost the database runs again soon', async (t) => {
  const url = await clonedDatabase(t)
  const wire = await wireTo(t, url)
  const db = connect(url, { max: 2 })
  t.after(() => db.close())
  let ran = 0
  const messages: string[] = []
  const log = Object.assign(createLog('silent'), {
    error: (_about: unknown, message: string) => void messages.push(message),
  })
  const running = startJobs(
    wire.url,
    {
      schedules: [],
      tasks: [
        {
          task: 'test.cut',
          async run() {
            if (++ran > 1) return
            wire.cut()
          },
        },
      ],
    },
    log,
  )
  t.after(() => running.close())
  await enqueue(db, 'test.cut', {})
  await until('its end could not be written down', () =>
    messages.some((message) => message.startsWith('Failed to complete jobs')),
  )
  assert.equal(ran, 1)
  wire.repair()
  await until(
    'the job is gone',
    async () =>
      (await db.one(sql`select 1 from graphile_worker.jobs where task_identifier = 'test.cut'`)) ===
      undefined,
  )
  assert.equal(ran, 2)
})

test('jobs: a worker whose first query failed works as soon as the database does', async (t) => {
  const { url, db, jobs } = await queue(t)
  await db.run(sql`alter table graphile_worker._private_tasks rename to away`)
  const messages: string[] = []
  const log = Object.assign(createLog('silent'), {
    debug: (_about: unknown, message: string) => void messages.push(message),
  })
  let ran = 0
  const running = startJobs(
    url,
    {
      schedules: [],
      tasks: [
        {
          task: 'test.one',
          async run() {
            ran += 1
          },
        },
      ],
    },
    log,
  )
  t.after(() => running.close())
  await until('it looked', () => messages.some((message) => message.startsWith('Failed to acquire job')))
  await db.run(sql`alter table graphile_worker.away rename to _private_tasks`)
  await enqueue(db, 'test.one', {})
  await until('the job is done', async () => (await jobs()).length === 0)
  assert.equal(ran, 1)
})
