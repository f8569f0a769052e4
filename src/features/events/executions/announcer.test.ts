import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { until } from '#fixtures/until.ts'
import { type ChangeOn, createChangeBus } from '../../../platform/change-bus.ts'
import { connect } from '../../../platform/db/pool.ts'
import { ExecutionAnnouncer, FOLLOWED_MS } from './announcer.ts'
import type { EndedExecution } from './message.ts'

type Ended = Extract<ChangeOn<'events'>, { kind: 'executions_ended' }>

const execution = (id: number, projectId = 'proj_1', userId = 'user-1'): EndedExecution => ({
  ...{ id: `log_${id}`, projectId, userId, toolSlug: 'SHOP_GET', toolkitSlug: 'shop', version: 'v' },
  ...{ dryRun: false, connectedAccountId: null, authConfigId: null, sessionId: null, requestId: 'r' },
  ...{ startedAt: 1_767_225_600_000, successful: true, statusCode: 200, durationMs: 3 },
})

/** An announcer, and what a process that listens receives. */
async function announce(t: TestContext) {
  const url = await clonedDatabase(t)
  const db = connect(url, { max: 2 })
  t.after(() => db.close())
  const received: Ended[] = []
  const listener = createChangeBus(url).subscribe(
    'events',
    (change) => {
      if (change.kind === 'executions_ended') received.push(change)
    },
    () => {},
  )
  t.after(() => listener.close())
  await until('the connection listens', () => listener.connected)
  const time = { ms: 0 }
  const failures = { confirm: false, db: false }
  const announcer = new ExecutionAnnouncer({
    db: { run: (statement) => (failures.db ? Promise.reject(new Error('down')) : db.run(statement)) },
    log: { debug: () => {} },
    confirm: async () => !failures.confirm,
    now: () => time.ms,
  })
  t.after(() => announcer.close())
  const count = () => received.reduce((sum, { executions, missed }) => sum + executions.length + missed, 0)
  return { announcer, received, failures, time, count }
}

test('executions on the stream: a burst is announced in portions, and the rest of it is counted', async (t) => {
  const { announcer, received, count } = await announce(t)
  for (let n = 0; n < 5_010; n++) announcer.ended(execution(n))
  await until('all are accounted for', () => count() === 5_010)
  assert.deepEqual(
    received.flatMap(({ executions }) => executions.map(({ log_id: id }) => id)),
    Array.from({ length: 250 }, (_, n) => `log_${n}`),
  )
  assert.deepEqual([received.length > 1, received.at(-1)?.missed], [true, 4_760])
})

test('executions on the stream: one that is too large for a notification is counted', async (t) => {
  const { announcer, received, count } = await announce(t)
  announcer.ended(execution(1, 'proj_1', 'é'.repeat(4_000)))
  announcer.ended(execution(2))
  await until('both are accounted for', () => count() === 2)
  assert.deepEqual(
    received.map(({ executions, missed }) => [executions.length, missed]),
    [[1, 1]],
  )
})

test('executions on the stream: those that could not be announced are counted in the next announcement', async (t) => {
  const { announcer, received, failures, count } = await announce(t)
  failures.db = true
  announcer.ended(execution(1))
  await announcer.flush()
  failures.db = false
  announcer.ended(execution(2, 'proj_2'))
  await until('both are accounted for', () => count() === 2)
  assert.deepEqual(received.map(({ projectId, missed }) => [projectId, missed]).toSorted(), [
    ['proj_1', 1],
    ['proj_2', 0],
  ])
})

test('executions on the stream: a project without readers is announced only while readers may be unknown', async (t) => {
  const { announcer, received, failures, time, count } = await announce(t)
  const end = async (id: number, projectId: string) => {
    announcer.ended(execution(id, projectId))
    await announcer.flush()
  }
  await end(1, 'proj_start')
  time.ms = FOLLOWED_MS
  await end(2, 'proj_none')
  announcer.follow('proj_read')
  await end(3, 'proj_read')
  time.ms += FOLLOWED_MS + 1
  await end(4, 'proj_read')
  failures.confirm = true
  await end(5, 'proj_lost')
  failures.confirm = false
  time.ms += FOLLOWED_MS
  announcer.followAll()
  await end(6, 'proj_missed')
  await until('four are announced', () => count() >= 4)
  assert.deepEqual(
    received.map(({ projectId }) => projectId),
    ['proj_start', 'proj_read', 'proj_lost', 'proj_missed'],
  )
})
