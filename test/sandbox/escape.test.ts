import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { endsWithin } from '#fixtures/ends-within.ts'
import type { SandboxDriver } from '../../src/sandbox/index.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { type DriverName, ESCAPE_ATTEMPTS, type EscapeAttempt } from './escape-attempts.ts'
import { EXHAUSTION_ATTEMPTS, NATIVE_EXHAUSTION } from './exhaustion-attempts.ts'
import { NATIVE_ATTEMPTS } from './native-attempts.ts'
import { createTestHost, runIn, TEST_DRIVERS, type TestHost } from './drivers.ts'

process.env['PLANTED_SECRET'] = 'planted'

const ATTEMPTS_MIN = 60
const ATTEMPT_MS = 10_000
const EXHAUSTION_MS = 1_500
/** For attempts that end by themselves, on a slow machine too. */
const COMPLETED_MS = 30_000
/** An attempt ends within its time limit, the same time to store its files, and the time of a busy machine. */
const ENDED_MS_MAX = 60_000

/** A server of this machine that code must not reach. Returns its port, and the connections that it got. */
async function forbiddenServer(t: TestContext) {
  const connections: string[] = []
  const server = createServer((socket) => {
    connections.push('connection')
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const abstract = createServer((socket) => {
    connections.push('abstract name')
    socket.end()
  })
  if (process.platform === 'linux') {
    abstract.listen(`\0patchbay-sandbox-${port}`)
    await once(abstract, 'listening')
  }
  t.after(() => {
    server.close()
    if (abstract.listening) abstract.close()
  })
  return { port, connections }
}

/** A file of this machine that code must not read. */
function plantSecret(): string {
  const secret = join(mkdtempSync(join(tmpdir(), 'sandbox-secret-')), 'encryption.keys')
  writeFileSync(secret, 'planted secret')
  return secret
}

async function assertConfined(
  driver: SandboxDriver,
  attempts: readonly EscapeAttempt[],
  host: TestHost,
): Promise<void> {
  let sandbox = await driver.start('standard')
  const escaped: string[] = []
  for (const attempt of attempts) {
    const outcome = await runIn(sandbox, attempt, host, ATTEMPT_MS).catch(async (error: Error) => {
      sandbox = await driver.start('standard')
      return { stdout: '', stderr: error.message, results: '' }
    })
    if (/ESCAPED|planted/.test(`${outcome.stdout}${outcome.results}`)) escaped.push(attempt.name)
  }
  assert.deepEqual(escaped, [])
  sandbox.stop('the attempts are over')
}

async function assertUsableAfter(
  driver: SandboxDriver,
  sandbox: Sandbox,
  attempt: EscapeAttempt,
  host: TestHost,
): Promise<Sandbox> {
  const mayEnd = Array.isArray(attempt.ends) ? attempt.ends.includes(driver.name) : attempt.ends
  const run = runIn(sandbox, attempt, host, mayEnd ? EXHAUSTION_MS : COMPLETED_MS).catch((error: Error) => ({
    stdout: '',
    error: error.message,
  }))
  const outcome = await endsWithin(attempt.name, ENDED_MS_MAX, run)
  assert.ok(outcome.stdout.length < 30_000, `${attempt.name}: its output is cut`)
  const isRunning = await Promise.race([sandbox.ended.then(() => false), nextTurn(true)])
  assert.ok(isRunning || mayEnd, `${attempt.name} does not end the sandbox: ${outcome.error}`)
  // What the attempt left in memory may end a sandbox that it did not end.
  if (isRunning && mayEnd) sandbox.stop('the attempt is over')
  const next = isRunning && !mayEnd ? sandbox : await driver.start('standard')
  const after = await runIn(next, { name: 'after', kind: 'python', code: '6 * 7' }, host, ATTEMPT_MS)
  assert.equal(after.results, '42', `the call after ${attempt.name} works: ${after.error}`)
  return next
}

for (const [name, skip, create] of TEST_DRIVERS) {
  const isAttempt = ({ isNormal = [] }: EscapeAttempt) => !isNormal.includes(name as DriverName)
  test(`escape: no attempt leaves a sandbox of the ${name} driver`, { skip }, async (t) => {
    const driver = await create(t)
    const { port, connections } = await forbiddenServer(t)
    const secret = plantSecret()
    const prepare = ({ code, ...attempt }: EscapeAttempt): EscapeAttempt => ({
      ...attempt,
      code: code
        .replaceAll('SECRET_PATH', secret)
        .replaceAll('SERVER_PID', String(process.pid))
        .replaceAll('PORT', String(port)),
    })
    const host = createTestHost()
    const attempts = [...ESCAPE_ATTEMPTS, ...NATIVE_ATTEMPTS].filter(isAttempt).map(prepare)
    assert.ok(attempts.length >= ATTEMPTS_MIN)
    await assertConfined(driver, attempts, host)
    assert.deepEqual(connections, [], 'nothing connected to the machine')
    assert.deepEqual(
      host.operations.filter(({ op, text }) => op.startsWith('mount.') && text.includes('..')),
      [],
      'no request left the mount',
    )
  })

  test(
    `exhaustion: a sandbox of the ${name} driver that uses up its limits ends alone`,
    { skip },
    async (t) => {
      const driver = await create(t)
      const host = createTestHost()
      let sandbox = await driver.start('standard')
      const native = name === 'bubblewrap' ? NATIVE_EXHAUSTION : []
      for (const attempt of [...EXHAUSTION_ATTEMPTS, ...native])
        sandbox = await assertUsableAfter(driver, sandbox, attempt, host)
    },
  )
}
