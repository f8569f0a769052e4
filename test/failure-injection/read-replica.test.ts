import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { startStreamingReplica } from '#fixtures/streaming-replica.ts'
import { until } from '#fixtures/until.ts'
import { searchLogs, usageSummary } from '../../src/contract/logs/index.ts'
import { readOverview } from '../../src/contract/overview.ts'
import { executeTool } from '../../src/contract/tools/index.ts'
import { queryOnce } from '../../src/platform/db/check.ts'

const PAUSE_MS = 6_000

/** Runs a tool, and returns whether the log has the call at once. */
async function logsCall({ call }: TestApp): Promise<boolean> {
  const executed = await call(executeTool, {
    params: { tool_slug: 'UTILITIES_GENERATE_UUIDS' },
    body: { user_id: 'u', arguments: {} },
  })
  assert.equal(executed.status, 200, JSON.stringify(executed.body))
  const { body, status } = await call(searchLogs, { body: { limit: 1 } })
  assert.equal(status, 200)
  return body.logs[0]?.id === executed.body.log_id
}

/** How many statements each database has read, according to the metrics. */
async function reads({ app }: TestApp): Promise<{ replica: number; primary: number }> {
  const text = (await app.http.inject('/metrics')).body
  const count = (target: string) =>
    Number(
      new RegExp(`^patchbay_replica_reads_total\\{target="${target}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
    )
  return { replica: count('replica'), primary: count('primary') }
}

/** Reads until the replica is used again: after a failure, it is not tried for some seconds. */
const untilReplicaIsRead = (s: TestApp, { replica }: { replica: number }) =>
  until('the replica is read', async () => {
    s.clock.advance(PAUSE_MS)
    assert.equal((await s.call(readOverview)).status, 200)
    return (await reads(s)).replica > replica
  })

test('DATABASE_READ_URL: logs and usage come from the replica while it has every completed write, else from the primary', async (t) => {
  const { primaryUrl, replicaUrl, stopReplica, startReplica } = await startStreamingReplica(t)
  const s = await testApp(t, { databaseUrl: primaryUrl, databaseReadUrl: replicaUrl })
  for (let n = 0; n < 20; n++) assert.ok(await logsCall(s), `call ${n} is in the log`)
  await untilReplicaIsRead(s, { replica: 0 })
  const usage = await s.call(usageSummary, { body: {} })
  assert.equal(usage.body.entities['tool_calls']?.event_count, 20)

  await queryOnce(replicaUrl, 'select pg_wal_replay_pause()')
  s.clock.advance(PAUSE_MS)
  const lagging = await reads(s)
  assert.ok(await logsCall(s), 'the replica does not have the call')
  assert.deepEqual(
    [(await reads(s)).replica, (await reads(s)).primary > lagging.primary],
    [lagging.replica, true],
  )
  await queryOnce(replicaUrl, 'select pg_wal_replay_resume()')
  await untilReplicaIsRead(s, lagging)

  await stopReplica()
  s.clock.advance(PAUSE_MS)
  const stopped = await reads(s)
  for (let n = 0; n < 3; n++) assert.ok(await logsCall(s), 'without the replica')
  assert.equal((await reads(s)).replica, stopped.replica)
  await startReplica()
  await untilReplicaIsRead(s, stopped)
})
