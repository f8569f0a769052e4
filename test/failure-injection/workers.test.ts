import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { clonedDatabase } from '../fixtures/clone.ts'
import { runToEnd, type ServerProcess, startServer } from '../fixtures/server-process.ts'
import { until } from '../fixtures/until.ts'

const CALLERS = 8
/** The pause of a caller between two calls: at full speed the load would delay the start of the new workers. */
const PAUSE_MS = 5
const EXECUTE = '/api/v3.1/tools/execute/UTILITIES_GENERATE_UUIDS'
const CALL = { user_id: 'u', arguments: {} }

/** The Node processes that a process has started. */
const workersOf = ({ pid }: ServerProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('patchbay.js'))

/** Calls a tool from several callers until `stop`, and returns how every call ended. */
function startLoad(t: TestContext, server: ServerProcess, key: string) {
  const outcomes: string[] = []
  let isStopped = false
  const caller = async () => {
    while (!isStopped) {
      const outcome = await server
        .call('POST', EXECUTE, CALL, { 'x-api-key': key })
        .then(({ status }) => String(status))
        .catch((error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message}`)
      outcomes.push(outcome)
      await wait(PAUSE_MS)
    }
  }
  const callers = Array.from({ length: CALLERS }, caller)
  t.after(() => {
    isStopped = true
  })
  return {
    outcomes,
    async stop() {
      isStopped = true
      await Promise.all(callers)
      return outcomes
    },
  }
}

/** Opens connections to the server, and returns a function that sends another request on each. */
async function openIdleConnections(t: TestContext, server: ServerProcess, count: number) {
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  t.after(() => agents.forEach((agent) => agent.destroy()))
  const send = async (agent: Agent) => {
    const sent = request(`${server.url}/readyz`, { agent }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    return `connection: ${response.headers.connection}, used before: ${sent.reusedSocket}`
  }
  await Promise.all(agents.map(send))
  return () => Promise.all(agents.map((agent) => send(agent).catch((error: Error) => error.message)))
}

test('WORKERS: a rolling restart under load loses no request', async (t) => {
  // The callers send as many calls as the server takes.
  const server = await startServer(t, { env: { WORKERS: '2', RATE_LIMIT_PER_MINUTE: '0' } })
  const { project_api_key: key } = await server.keys()
  await until('both workers', () => workersOf(server).length === 2)
  const before = workersOf(server)
  await until('the pool is complete', () => server.output().includes('2 processes'))
  const load = startLoad(t, server, key)
  await until('the load', () => load.outcomes.length > 50)
  const callOnIdleConnections = await openIdleConnections(t, server, 8)
  server.kill('SIGUSR2')
  await until(
    'both workers are replaced',
    () => server.output().split('a worker was replaced').length === 3,
    180_000,
  )
  const used = await callOnIdleConnections()
  assert.deepEqual([...new Set(used)], ['connection: close, used before: true'])
  const counted = load.outcomes.length
  await until('calls after the restart', () => load.outcomes.length > counted + 50)
  const outcomes = await load.stop()
  // More calls than there are connections, so that each connection that a worker waits for is used.
  const last = await Promise.all(
    Array.from({ length: 8 * CALLERS }, () => server.call('POST', EXECUTE, CALL, { 'x-api-key': key })),
  )
  assert.ok(last.every(({ status }) => status === 200))
  await until('the earlier workers have ended', () => workersOf(server).every((pid) => !before.includes(pid)))
  assert.deepEqual([...new Set(outcomes)], ['200'], `of ${outcomes.length} calls`)
  const { code } = await server.stop()
  assert.equal(code, 0)
  for (const pid of before) assert.throws(() => process.kill(pid, 0), 'no process is left')
})

test('WORKERS: a worker that is killed is replaced, and the others continue', async (t) => {
  const server = await startServer(t, { env: { WORKERS: '2' } })
  const { project_api_key: key } = await server.keys()
  await until('the pool is complete', () => server.output().includes('2 processes'))
  const [first, second] = workersOf(server)
  process.kill(second!, 'SIGKILL')
  await until('it is gone', () => !workersOf(server).includes(second!))
  // Its connections are gone with it, so these calls open new ones.
  const calls = await Promise.all(
    Array.from({ length: 20 }, () =>
      server.call('POST', EXECUTE, CALL, { 'x-api-key': key, connection: 'close' }),
    ),
  )
  assert.deepEqual([...new Set(calls.map(({ status }) => status))], [200])
  await until('another one', () => workersOf(server).length === 2)
  assert.ok(workersOf(server).includes(first!), 'the first one still runs')
  assert.equal((await server.stop()).code, 0)
})

test('WORKERS: a start that fails ends with the message of the worker', async (t) => {
  const DATABASE_URL = await clonedDatabase(t, 'template1')
  const keyRing = (byte: number) => `a:${Buffer.alloc(32, byte).toString('base64')}`
  const earlier = await startServer(t, { env: { DATABASE_URL, ENCRYPTION_KEYS: keyRing(1) } })
  assert.equal((await earlier.stop()).code, 0)
  const env = { DATABASE_URL, ENCRYPTION_KEYS: keyRing(2), WORKERS: '2' }
  const { code, output } = await runToEnd(t, { env })
  assert.equal(code, 1)
  assert.match(output, /encrypt/i)
  assert.match(output, /A worker process did not start/)
})
