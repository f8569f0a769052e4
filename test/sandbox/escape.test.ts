import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createWasmDriver, type SandboxDriver } from '../../src/sandbox/index.ts'
import { ESCAPE_ATTEMPTS, EXHAUSTION_ATTEMPTS, type EscapeAttempt } from './escape-attempts.ts'
import { createTestHost, runIn, sandboxCache } from './drivers.ts'

process.env['PLANTED_SECRET'] = 'planted'

/** The drivers that this machine can run. */
const DRIVERS: readonly [name: string, create: () => SandboxDriver][] = [
  [
    'wasm',
    () =>
      createWasmDriver({
        cacheDir: sandboxCache(),
        brand: 'service',
        fileBytesMax: 50_000_000,
        diskBytesMax: 100_000_000,
        cpuSecondsMax: 300,
      }),
  ],
]

for (const [name, create] of DRIVERS)
  test(`escape: no attempt leaves a sandbox of the ${name} driver`, async (t) => {
    const driver = create()
    t.after(() => driver.close())
    const connections: string[] = []
    const server = createServer((socket) => {
      connections.push('tcp')
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const secret = join(mkdtempSync(join(tmpdir(), 'sandbox-secret-')), 'encryption.keys')
    writeFileSync(secret, 'planted secret')
    const { port } = server.address() as AddressInfo
    const prepare = ({ code, ...attempt }: EscapeAttempt): EscapeAttempt => ({
      ...attempt,
      code: code.replaceAll('SECRET_PATH', secret).replaceAll('PORT', String(port)),
    })
    const host = createTestHost()
    let sandbox = await driver.start('standard')

    assert.ok(ESCAPE_ATTEMPTS.length >= 60)
    const escaped: string[] = []
    for (const attempt of ESCAPE_ATTEMPTS.map(prepare)) {
      const outcome = await runIn(sandbox, attempt, host, 10_000).catch(async (error: Error) => {
        sandbox = await driver.start('standard')
        return { stdout: '', stderr: error.message, results: '' }
      })
      if (/ESCAPED|planted/.test(`${outcome.stdout}${outcome.results}`)) escaped.push(attempt.name)
    }
    assert.deepEqual(escaped, [])
    assert.deepEqual(connections, [], 'nothing connected to the machine')
    assert.deepEqual(
      host.operations.filter(({ op, text }) => op.startsWith('mount.') && text.includes('..')),
      [],
      'no request left the mount',
    )

    for (const attempt of EXHAUSTION_ATTEMPTS) {
      const startedAt = performance.now()
      const outcome = await runIn(sandbox, attempt, host, 1_500).catch((error: Error) => ({
        stdout: '',
        error: error.message,
      }))
      assert.ok(performance.now() - startedAt < 20_000, `${attempt.name} ended`)
      assert.ok(outcome.stdout.length < 30_000, `${attempt.name}: its output is cut`)
      const isRunning = await Promise.race([sandbox.ended.then(() => false), nextTurn(true)])
      assert.ok(isRunning || attempt.ends, `${attempt.name} does not end the sandbox: ${outcome.stdout}`)
      if (!isRunning) sandbox = await driver.start('standard')
      const after = await runIn(sandbox, { name: 'after', kind: 'python', code: '6 * 7' }, host, 10_000)
      assert.equal(after.results, '42', `the call after ${attempt.name} works: ${after.error}`)
    }
  })
