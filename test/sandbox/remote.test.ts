import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createRemoteDriver, type SandboxDriver } from '../../src/sandbox/index.ts'
import { SandboxStopped } from '../../src/sandbox/types.ts'
import { createTestHost, remoteDriver, runIn } from './drivers.ts'

const RUN_MS = 20_000
const LIMITS = {
  brand: 'service',
  fileBytesMax: 1_000_000,
  diskBytesMax: 1_000_000,
  cpuSecondsMax: 60,
  idleMs: 60_000,
}

/** Sandboxes without a process, for tests in which no code runs. */
function emptySandboxes(): SandboxDriver {
  let count = 0
  return {
    name: 'empty',
    start: async () => ({
      id: `sandbox-${++count}`,
      run: () => Promise.reject(new SandboxStopped('it runs no code')),
      ended: new Promise<string>(() => {}),
      stop: () => {},
    }),
    close: async () => {},
  }
}

test('remote sandboxes: a response that breaks the contract ends the sandbox', async (t) => {
  const { driver, service } = await remoteDriver(t, emptySandboxes())
  const responses: [expected: RegExp, respond: (response: ServerResponse) => void][] = [
    [/violated the protocol: a line is not valid JSON/, (response) => response.end('no JSON\n')],
    [/a line is not an object/, (response) => response.end('[]\n')],
    [/a line has no known type/, (response) => response.end('{"type":"eval","id":1}\n')],
    [/op, text and body of a request/, (response) => response.end('{"type":"request","id":1}\n')],
    [/a line is not valid JSON/, (response) => response.end(`${'['.repeat(100)}\n`)],
    [/ended the response before/, (response) => response.end()],
    [
      /memory was exceeded/,
      (response) => response.end('{"type":"stopped","reason":"memory was exceeded"}\n'),
    ],
  ]
  for (const [expected, respond] of responses) {
    service.respond = respond
    const sandbox = await driver.start('standard')
    const run = runIn(sandbox, { name: '', kind: 'python', code: '1' }, createTestHost(), RUN_MS)
    await assert.rejects(run, (error) => error instanceof SandboxStopped && expected.test(error.message))
    assert.match(await sandbox.ended, expected)
  }
})

test('remote sandboxes: the service is asked to stop a sandbox, and one that it has ended is reported', async (t) => {
  const { driver, service } = await remoteDriver(t, emptySandboxes())
  const sandbox = await driver.start('standard')
  const again = await driver.start('standard')
  sandbox.stop('it was idle')
  assert.equal(await sandbox.ended, 'it was idle')
  await driver.close()
  assert.ok(service.requests.includes(`DELETE /v1/sandboxes/${sandbox.id}`))
  assert.ok(service.requests.includes(`DELETE /v1/sandboxes/${again.id}`))
})

test('remote sandboxes: a wrong token, a missing sandbox and a service that is down are reported', async (t) => {
  const { service } = await remoteDriver(t, emptySandboxes())
  const wrong = createRemoteDriver({ ...LIMITS, url: service.url, token: 'wrong' })
  t.after(() => wrong.close())
  await assert.rejects(wrong.start('standard'), /the sandbox service returned the status 401/)
  const right = createRemoteDriver({ ...LIMITS, url: service.url, token: service.token })
  t.after(() => right.close())
  const sandbox = await right.start('standard')
  service.respond = (response) => response.end('{"type":"stopped"}\n')
  const host = createTestHost()
  await assert.rejects(runIn(sandbox, { name: '', kind: 'bash', code: 'true' }, host, RUN_MS), /it ended/)
  const down = createRemoteDriver({ ...LIMITS, url: 'http://127.0.0.1:9', token: undefined })
  t.after(() => down.close())
  await assert.rejects(down.start('standard'), /the sandbox service cannot be reached/)
})
