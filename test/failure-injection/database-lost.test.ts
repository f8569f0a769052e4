import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test, type TestContext } from 'node:test'
import { endsWithin } from '#fixtures/ends-within.ts'
import { findPostmaster } from '../../src/platform/db/embedded/processes.ts'
import { startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { queryOnce } from '../../src/platform/db/check.ts'
import { hashKey } from '../../src/platform/crypto/index.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import {
  type Reply,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'
import { wireTo } from '../fixtures/wire.ts'

const AUTH_CONFIGS = '/api/v3/auth_configs'
/**
 * Longest that a call may take while the database does not answer: a free connection (5 s) and the statement
 * (9 s), and as much again on a busy machine.
 */
const ANSWER_MAX_MS = 40_000
const READY_MAX_MS = 10_000
const STOP_MAX_MS = 20_000

const create = (server: ServerProcess): Promise<Reply> =>
  server.call('POST', AUTH_CONFIGS, {
    toolkit: { slug: 'parse' },
    auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', name: 'a', credentials: {} },
  })
const execute = (server: ServerProcess): Promise<Reply> =>
  server.call('POST', '/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME', {
    arguments: { timezone: 'UTC' },
  })
const list = (server: ServerProcess): Promise<Reply> => server.call('GET', AUTH_CONFIGS)
const works = (server: ServerProcess) =>
  until(
    'the server works again',
    async () =>
      (await list(server)).status === 200 &&
      (await create(server)).status === 201 &&
      (await execute(server)).status === 200,
  )

function isUnavailable(reply: Reply): void {
  assert.equal(reply.status, 503, JSON.stringify(reply.body))
  assert.equal(reply.body.error?.slug, 'HTTP_ServiceUnavailable')
  assert.ok(reply.body.error?.request_id)
  assert.ok(Number(reply.headers.get('retry-after')) >= 1, 'it says when to try again')
}

/**
 * A tool that ran although its log row could not be written has run: its result is returned, so that nobody runs
 * it twice.
 */
function hasRunOrIsUnavailable(reply: Reply): void {
  if (reply.status === 200) assert.equal(reply.body['successful'], true)
  else isUnavailable(reply)
}

/**
 * Jobs run again: one that was put into the queue of this database is taken out of it. A sweep that was under
 * way when all was lost stays there for hours; the next minute's does its work.
 */
async function jobsRun(databaseUrl: string): Promise<void> {
  await queryOnce(
    databaseUrl,
    `select graphile_worker.add_job('connectedAccounts.removeOldFlows', '{}', job_key := 'seen')`,
  )
  await until(
    'a job is done',
    async () =>
      (await queryOnce(databaseUrl, `select 1 from graphile_worker.jobs where key = 'seen'`)).length === 0,
  )
}

/** Jobs that have begun and cannot end: another holds the table that they need. */
async function jobsUnderWay(databaseUrl: string): Promise<void> {
  queryOnce(databaseUrl, 'lock table authorization_flows; select pg_sleep(12)').catch(() => {})
  await until(
    'the table is held',
    async () =>
      (
        await queryOnce(
          databaseUrl,
          `select 1 from pg_locks where relation = 'authorization_flows'::regclass and mode = ` +
            `'AccessExclusiveLock' and granted`,
        )
      ).length > 0,
  )
  await queryOnce(
    databaseUrl,
    `select graphile_worker.add_job('connectedAccounts.removeOldFlows', '{}') from generate_series(1, 4)`,
  )
  await until(
    'the jobs are under way',
    async () =>
      (
        await queryOnce(
          databaseUrl,
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
      ).length >= 3,
  )
}

/**
 * Asserts that the connection that listens for changes is back: a key that another process deletes stops
 * working before the ten seconds end for which the server caches it.
 */
async function assertRevocationArrives(server: ServerProcess, databaseUrl: string): Promise<void> {
  const { project_id: id, organization_api_key: orgKey, project_api_key: first } = await server.keys()
  const made = await server.call(
    'POST',
    `/api/v3/org/owner/project/${id}/api_keys`,
    {},
    { 'x-org-api-key': orgKey },
  )
  const key = made.body['key'] as string
  const tryKey = (one: string) => server.call('GET', AUTH_CONFIGS, undefined, { 'x-api-key': one })
  for (let i = 0; i < 3; i++) assert.equal((await tryKey(key)).status, 200)
  await queryOnce(
    databaseUrl,
    `with deleted as (delete from api_keys where key_hash = '\\x${hashKey(key).toString('hex')}' returning id)
     select pg_notify('changes', '{"kind":"principals_changed"}') from deleted`,
  )
  await until('the revoked key is rejected', async () => (await tryKey(key)).status === 401, 5_000)
  assert.equal((await tryKey(first)).status, 200, 'and no other')
}

async function onWire(t: TestContext) {
  const direct = await clonedDatabase(t)
  const wire = await wireTo(t, direct)
  const server = await startServer(t, { env: { DATABASE_URL: wire.url } })
  await works(server)
  return { direct, wire, server }
}

describe('the database is lost while serving, and comes back', { concurrency: 3 }, () => {
  test(
    'the built-in PostgreSQL killed with -9 is restarted automatically; meanwhile calls return 503',
    checkKilledPostgres,
  )

  test('a database server that is stopped and started again is used again', checkRestartedServer)

  test('a primary that returns at another address is used, with the rows of the former one', checkMovedServer)

  test(
    'an interrupted network: calls return 503 at once, and work again when the network does',
    checkInterruptedNetwork,
  )

  test(
    'a frozen server: every call is answered within a bound, and all works again when it thaws',
    checkFrozenServer,
  )

  test(
    'connections that are lost without a reset: a revoked key is still rejected, and calls work again',
    checkLostConnections,
  )

  test('a stop while the database is frozen takes no longer than any other', checkStop)
})

async function checkKilledPostgres(t: TestContext): Promise<void> {
  const server = await startServer(t)
  await works(server)
  const directory = `${server.dataDir}/postgres`
  const before = findPostmaster(directory)
  assert.ok(before)
  process.kill(before.pid, 'SIGKILL')
  const seen = new Set<number>()
  await until('another postmaster answers', async () => {
    const reply = await list(server)
    seen.add(reply.status)
    if (reply.status === 503) isUnavailable(reply)
    return reply.status === 200 && findPostmaster(directory)?.pid !== before.pid
  })
  assert.deepEqual(
    [...seen].filter((status) => status !== 200 && status !== 503),
    [],
    'no other failure',
  )
  await works(server)
  assert.equal((await server.call('GET', '/readyz')).status, 200)
  assert.equal((await server.stop()).code, 0)
}

async function checkRestartedServer(t: TestContext): Promise<void> {
  const dataDir = await temporaryDirectory(t)
  const database = await startEmbedded({ dataDir: `${dataDir}/data` })
  const server = await startServer(t, { env: { DATABASE_URL: database.url } })
  await works(server)
  await database.stop()
  isUnavailable(await list(server))
  isUnavailable(await create(server))
  assert.equal((await server.call('GET', '/readyz')).status, 503)
  assert.equal((await server.call('GET', '/healthz')).status, 200, 'the process itself is well')
  const again = await startEmbedded({ dataDir: `${dataDir}/data` })
  await works(server)
  await jobsRun(again.url)
  await assertRevocationArrives(server, again.url)
  assert.equal((await server.stop()).code, 0)
  await again.stop()
}

async function checkMovedServer(t: TestContext): Promise<void> {
  const dataDir = await temporaryDirectory(t)
  const former = await startEmbedded({ dataDir: `${dataDir}/former` })
  const wire = await wireTo(t, former.url)
  const server = await startServer(t, { env: { DATABASE_URL: wire.url } })
  await works(server)
  const { status, body } = await create(server)
  assert.equal(status, 201)
  const { id } = body['auth_config'] as { id: string }
  await former.stop()
  wire.cut()
  isUnavailable(await create(server))
  execFileSync('cp', ['-a', `${dataDir}/former`, `${dataDir}/next`])
  const next = await startEmbedded({ dataDir: `${dataDir}/next` })
  wire.moveTo(next.url)
  await works(server)
  assert.equal((await server.call('GET', `${AUTH_CONFIGS}/${id}`)).status, 200)
  await jobsRun(next.url)
  await assertRevocationArrives(server, next.url)
  assert.equal((await server.stop()).code, 0)
  await next.stop()
}

async function checkInterruptedNetwork(t: TestContext): Promise<void> {
  const { direct, wire, server } = await onWire(t)
  wire.cut()
  for (const call of [list, create]) isUnavailable(await call(server))
  hasRunOrIsUnavailable(await execute(server))
  wire.repair()
  await works(server)
  await jobsRun(direct)
  await assertRevocationArrives(server, direct)
  assert.equal((await server.stop()).code, 0)
}

async function checkFrozenServer(t: TestContext): Promise<void> {
  const { direct, wire, server } = await onWire(t)
  await jobsUnderWay(direct)
  wire.freeze()
  const calls = Array.from({ length: 8 }, () => [list, create])
    .flat()
    .map((call) => call(server))
  const executions = Array.from({ length: 8 }, () => execute(server))
  const ready = await endsWithin('readiness', READY_MAX_MS, server.call('GET', '/readyz'))
  assert.equal(ready.status, 503)
  const replies = Promise.all([Promise.all(calls), Promise.all(executions)])
  const [called, executed] = await endsWithin('all responses', ANSWER_MAX_MS, replies)
  for (const reply of called) isUnavailable(reply)
  for (const reply of executed) hasRunOrIsUnavailable(reply)
  await until('how the jobs ended cannot be written down', () =>
    /Failed to (fail|complete) jobs/.test(server.output()),
  )
  wire.repair()
  await works(server)
  await jobsRun(direct)
  await assertRevocationArrives(server, direct)
  assert.equal((await server.stop()).code, 0)
}

async function checkLostConnections(t: TestContext): Promise<void> {
  const { direct, wire, server } = await onWire(t)
  wire.lose()
  await Promise.all([
    until('new connections are used', async () => (await list(server)).status === 200, ANSWER_MAX_MS),
    jobsRun(direct),
  ])
  await works(server)
  await assertRevocationArrives(server, direct)
}

async function checkStop(t: TestContext): Promise<void> {
  const { wire, server } = await onWire(t)
  wire.freeze()
  const call = create(server).catch(() => undefined)
  const ended = await endsWithin('the stop', STOP_MAX_MS, server.stop())
  assert.equal(ended.code, 0, ended.output)
  await call
}
