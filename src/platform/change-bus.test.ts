import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { type Change, createChangeBus, notification, parseChange, publishChange } from './change-bus.ts'
import { connect } from './db/pool.ts'
import { sql } from './db/sql.ts'

const CHANGES: readonly Change[] = [
  { kind: 'principals_changed' },
  { kind: 'policies_changed' },
  { kind: 'budgets_changed' },
  { kind: 'accounts_changed', projectId: 'proj_1', userId: 'u1' },
  { kind: 'accounts_changed', projectId: 'proj_1', userId: null },
  { kind: 'mcp_servers_changed', projectId: 'proj_1' },
  { kind: 'toolkits_changed', projectId: 'proj_1' },
  { kind: 'toolkits_changed', projectId: null },
  { kind: 'mcp_call_cancelled', callId: 'call_1' },
  { kind: 'cooldown_started', processId: 'p', key: 'ca_1', milliseconds: 1_500.5 },
  { kind: 'events_published', projectId: 'proj_1' },
  { kind: 'executions_followed', projectId: 'proj_1' },
  { kind: 'executions_ended', projectId: 'proj_1', executions: [{ log_id: 'log_1' }], missed: 2 },
  { kind: 'deliveries_due' },
]

test('change bus: a change is parsed as it was sent', () => {
  assert.deepEqual(
    CHANGES.map((change) => parseChange(JSON.stringify(change))),
    CHANGES,
  )
})

test('change bus: an unknown payload, and one without a required field, is undefined', () => {
  const payloads = [
    '{"kind":"executions_ended","projectId":"proj_1","executions":[1],"missed":0}',
    '{"kind":"executions_ended","projectId":"proj_1","executions":{},"missed":0}',
    '',
    '[]',
    'null',
    '1',
    '{"kind":"from_the_future"}',
    '{"kind":"constructor"}',
  ]
  for (const payload of [...payloads, '{"kind":"mcp_call_cancelled"}', '{"kind":"toolkits_changed"}'])
    assert.equal(parseChange(payload), undefined, payload)
})

test('change bus: a payload that PostgreSQL would reject is an error before it is sent', () => {
  assert.throws(
    () => notification({ kind: 'mcp_call_cancelled', callId: 'x'.repeat(8_000) }),
    /mcp_call_cancelled is larger than 7999 bytes/,
  )
})

test('change bus: a subscriber receives the changes of its channel after they commit, once each', async (t) => {
  const url = await clonedDatabase(t)
  const db = connect(url, { max: 2 })
  t.after(() => db.close())
  const received: Change[] = []
  const { promise: started, resolve: onMissed } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: onLast } = Promise.withResolvers<void>()
  const listener = createChangeBus(url).subscribe(
    'changes',
    (change) => {
      received.push(change)
      if (change.kind === 'toolkits_changed') onLast()
    },
    onMissed,
  )
  t.after(() => listener.close())
  await started
  const rollback = db.begin(async (tx) => {
    await publishChange(tx, { kind: 'mcp_call_cancelled', callId: 'rolled back' })
    throw new Error('rolled back')
  })
  await assert.rejects(rollback, /rolled back/)
  await db.begin(async (tx) => {
    await publishChange(tx, { kind: 'policies_changed' })
    await publishChange(tx, { kind: 'events_published', projectId: 'another channel' })
    await tx.run(sql`select ${notification({ kind: 'policies_changed' })} from generate_series(1, 3)`)
  })
  await publishChange(db, { kind: 'toolkits_changed', projectId: null })
  await arrived
  assert.deepEqual(received, [{ kind: 'policies_changed' }, { kind: 'toolkits_changed', projectId: null }])
})

test('change bus: a message of an unknown kind is reported as missed changes', async (t) => {
  const url = await clonedDatabase(t)
  const db = connect(url, { max: 1 })
  t.after(() => db.close())
  let missed = 0
  let wake = Promise.withResolvers<void>()
  const onMissed = () => {
    missed++
    wake.resolve()
  }
  const listener = createChangeBus(url).subscribe('deliveries', () => assert.fail('unknown'), onMissed)
  t.after(() => listener.close())
  await wake.promise
  wake = Promise.withResolvers()
  await db.run(sql`select pg_notify('deliveries', '')`)
  await wake.promise
  assert.equal(missed, 2)
})
