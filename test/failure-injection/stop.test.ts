import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { endsWithin } from '#fixtures/ends-within.ts'
import { processesIn } from '../../src/platform/db/embedded/processes.ts'
import { clonedDatabase } from '../fixtures/clone.ts'
import { endOf, launch, type ServerProcess, startServer } from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'
import { upstream } from '../fixtures/upstream.ts'

const STOP_MAX_MS = 10_000
/** Less than a stop that waits for calls although none is in progress. */
const SOON_MS = 5_000

/** Not the question whose account it is. */
const isToolCall = (path: string) => path.startsWith('/classes')

/** A call of a tool whose application answers when `answer` is called. */
async function slowCall(t: TestContext, server: ServerProcess) {
  const released = Promise.withResolvers<void>()
  const application = await upstream(t, async ({ path }) => {
    if (isToolCall(path)) await released.promise
    return { json: { results: [] } }
  })
  const config = await server.call('POST', '/api/v3/auth_configs', {
    toolkit: { slug: 'parse' },
    auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY', name: 'slow', credentials: {} },
  })
  assert.equal(config.status, 201, JSON.stringify(config.body))
  const account = await server.call('POST', '/api/v3/connected_accounts', {
    auth_config: { id: (config.body['auth_config'] as { id: string }).id },
    connection: {
      user_id: 'ada',
      state: {
        authScheme: 'API_KEY',
        val: { status: 'ACTIVE', server_url: application.url, application_id: 'app', generic_api_key: 'key' },
      },
    },
  })
  assert.equal(account.status, 201, JSON.stringify(account.body))
  const reply = server.call('POST', '/api/v3.1/tools/execute/PARSE_QUERY_OBJECTS', {
    user_id: 'ada',
    arguments: { class_name: 'Score' },
  })
  await Promise.race([
    until('the application is asked', () => application.requests.some(({ path }) => isToolCall(path))),
    reply.then((early) => assert.fail(JSON.stringify(early.body))),
  ])
  return { reply, answer: released.resolve }
}

async function leavesNothing({ dataDir, pid }: ServerProcess): Promise<void> {
  assert.deepEqual(processesIn(join(dataDir, 'postgres')), [])
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  const left = [...(await readdir(dataDir)), ...(await readdir(join(dataDir, 'postgres')))].filter((name) =>
    /\.pid$|\.lock$|^\.s\.|\.sock|\.new$|\.first$|\.next$/.test(name),
  )
  assert.deepEqual(left, [])
}

const EGRESS = { EGRESS_ALLOW: '127.0.0.1' }

describe('SIGTERM', { concurrency: 3 }, () => {
  test(
    'lets a call under way end with its answer, takes no new ones, exits 0, and leaves nothing behind',
    checkCallInProgress,
  )

  test('ends a call that never ends, and exits 0 within 10 s all the same', checkEndlessCall)

  test('sent twice does no harm', checkSecondSignal)

  test('during a first start ends it, and the next start succeeds', checkFirstStart)

  test('ends a process that only works on jobs', checkWorker)

  test('is needed to stop a server: it continues when the reader of its output ends', checkClosedOutput)
})

async function checkCallInProgress(t: TestContext): Promise<void> {
  const server = await startServer(t, { env: EGRESS })
  const { reply, answer } = await slowCall(t, server)
  server.kill('SIGTERM')
  await until(
    'nobody listens any more',
    () =>
      server.call('GET', '/healthz').then(
        () => false,
        () => true,
      ),
    STOP_MAX_MS,
  )
  answer()
  const { status, body } = await reply
  assert.equal(status, 200)
  assert.equal(body['successful'], true)
  assert.equal((await endsWithin('the end after the last response', SOON_MS, endOf(server))).code, 0)
  await leavesNothing(server)
}

async function checkEndlessCall(t: TestContext): Promise<void> {
  const server = await startServer(t, { env: EGRESS })
  const { reply } = await slowCall(t, server)
  const cut = assert.rejects(reply)
  const ended = await endsWithin('the stop', STOP_MAX_MS, server.stop())
  assert.equal(ended.code, 0, ended.output)
  await cut
  await leavesNothing(server)
}

async function checkSecondSignal(t: TestContext): Promise<void> {
  const server = await startServer(t, { env: { ...EGRESS, DATABASE_URL: await clonedDatabase(t) } })
  const { reply, answer } = await slowCall(t, server)
  server.kill('SIGTERM')
  await until('it stops', () => server.output().includes('stopping'))
  server.kill('SIGTERM')
  server.kill('SIGINT')
  answer()
  assert.equal((await reply).status, 200)
  assert.equal((await endOf(server)).code, 0)
}

async function checkFirstStart(t: TestContext): Promise<void> {
  const server = await launch(t)
  await until('it creates its database', () => server.output().includes('Creating the database'))
  const ended = await endsWithin('the stop', STOP_MAX_MS, server.stop())
  assert.equal(ended.code, 0, ended.output)
  assert.deepEqual(processesIn(join(server.dataDir, 'postgres')), [])
  const next = await startServer(t, { dataDir: server.dataDir })
  assert.equal((await next.call('GET', '/api/v3/auth_configs')).status, 200, 'with keys that open it')
  assert.equal((await next.stop()).code, 0)
  await leavesNothing(next)
}

async function checkWorker(t: TestContext): Promise<void> {
  const server = await startServer(t, { env: { ROLE: 'work', DATABASE_URL: await clonedDatabase(t) } })
  const ended = await server.stop()
  assert.equal(ended.code, 0, ended.output)
}

async function checkClosedOutput(t: TestContext): Promise<void> {
  const server = await startServer(t, { env: { DATABASE_URL: await clonedDatabase(t) } })
  server.closeOutput()
  for (let i = 0; i < 3; i++) assert.equal((await server.call('GET', '/api/v3/auth_configs')).status, 200)
  assert.equal((await server.stop()).code, 0)
}
