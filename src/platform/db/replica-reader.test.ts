import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from './errors.ts'
import { createReplicaReader, type ReadTarget } from './replica-reader.ts'
import { type Db, type Sql, sql } from './sql.ts'

const READ = sql`select 'a read'`

interface Server {
  cluster: string
  isReplica: boolean
  position: number | null
  /** Thrown by reads that are not about the state of the server. */
  failure?: unknown
}

/** A reader on two servers that are made up, with the statements that each one ran. */
function setUp(replicaOf: Partial<Server> = {}) {
  const primary: Server = { cluster: '1', isReplica: false, position: 100 }
  const replica: Server = { cluster: '1', isReplica: true, position: 100, ...replicaOf }
  const state = { now: 0, pauses: [] as string[], targets: [] as ReadTarget[] }
  const statements = { primary: [] as string[], replica: [] as string[] }
  const database = (name: ReadTarget, server: Server): Db => {
    const one = async ({ sql: text }: Sql) => {
      statements[name].push(text.trim())
      if (text.includes('system_identifier'))
        return { cluster: server.cluster, database: 'd', isReplica: server.isReplica }
      if (text.includes('lsn')) return { position: server.position }
      if (server.failure) throw server.failure
      return { from: name }
    }
    return {
      one: one as Db['one'],
      rows: async () => [],
      run: async (query) => (await one(query), 1),
      decrypt: () => assert.fail('nothing is encrypted'),
    }
  }
  const reader = createReplicaReader({
    primary: database('primary', primary),
    replica: database('replica', replica),
    now: () => state.now,
    onPause: (reason) => state.pauses.push((reason as Error).message),
    onRead: (target) => state.targets.push(target),
  })
  return { reader, primary, replica, state, statements }
}

test('replica reader: a replica with all writes is read, and reads at the same time share the look at its state', async () => {
  const { reader, state, statements } = setUp()
  const rows = await Promise.all([reader.one(READ), reader.one(READ), reader.one(READ)])
  assert.deepEqual(rows, Array(3).fill({ from: 'replica' }))
  assert.deepEqual(state.targets, Array(3).fill('replica'))
  assert.equal(statements.primary.filter((text) => text.includes('lsn')).length, 1)
  assert.equal(await reader.run(READ), 1)
  assert.equal(statements.primary.at(-1), READ.sql)
})

test('replica reader: a replica without the latest writes is not read for five seconds', async () => {
  const { reader, replica, state } = setUp({ position: 99 })
  assert.deepEqual(await reader.one(READ), { from: 'primary' })
  replica.position = 100
  state.now += 4_999
  assert.deepEqual(await reader.one(READ), { from: 'primary' })
  state.now += 1
  assert.deepEqual(await reader.one(READ), { from: 'replica' })
  assert.deepEqual(state.pauses, ['It is more than 100 ms behind the primary.'])
})

test('replica reader: a server that is no replica, or one of another cluster, is never read', async () => {
  for (const server of [{ isReplica: false }, { cluster: '2' }]) {
    const { reader, state, statements } = setUp(server)
    for (let n = 0; n < 3; n++, state.now += 10_000)
      assert.deepEqual(await reader.one(READ), { from: 'primary' })
    assert.ok(!statements.replica.includes(READ.sql))
    assert.equal(state.pauses.length, 3)
  }
})

test('replica reader: a read that the replica cancels runs on the primary; a statement timeout is not repeated', async () => {
  const { reader, replica, state, statements } = setUp()
  replica.failure = Object.assign(new Error('canceling statement due to conflict with recovery'), {
    code: '40001',
  })
  assert.deepEqual(await reader.one(READ), { from: 'primary' })
  assert.deepEqual(state.pauses, [])
  replica.failure = new DatabaseUnavailable(Object.assign(new Error('timeout'), { code: '57014' }))
  await assert.rejects(reader.one(READ), DatabaseUnavailable)
  assert.equal(statements.primary.filter((text) => text === READ.sql).length, 1)
  replica.failure = new DatabaseUnavailable(Object.assign(new Error('gone'), { code: '57P01' }))
  assert.deepEqual(await reader.one(READ), { from: 'primary' })
  assert.equal(state.pauses.length, 1)
})

test('replica reader: a clock that is set back does not prolong the pause', async () => {
  const { reader, replica, state } = setUp({ position: 99 })
  await reader.one(READ)
  replica.position = 100
  state.now = -3_600_000
  assert.deepEqual(await reader.one(READ), { from: 'replica' })
})
