import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { encodeFrame } from './frames.ts'
import { CHANNEL_FD, connectProcess } from './process.ts'
import type { SandboxRun } from './types.ts'

const LIMITS = { memoryBytesMax: 500_000_000, cpuSecondsMax: 60 }

/** A process that reports that it is ready, and answers a run with `done` and this body. */
async function hostileSandbox(t: TestContext, body: string) {
  const frame = (type: string, id: number, text: string) =>
    encodeFrame({ type, id }, Buffer.from(text)).toString('base64')
  const program = `
    const channel = new (require('node:net').Socket)({ fd: ${CHANNEL_FD} })
    channel.write(Buffer.from('${frame('ready', 0, '')}', 'base64'))
    channel.once('data', () => channel.write(Buffer.from('${frame('done', 1, body)}', 'base64')))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const options = { id: 'test', limits: LIMITS, messageBytesMax: 10_000_000, startMs: 20_000 }
  return { sandbox: await connectProcess({ ...options, child }), pid: child.pid as number }
}

const RUN: SandboxRun = {
  kind: 'python',
  code: '1',
  timeoutMs: 20_000,
  outputCharacters: 1_000,
  mount: [],
  brand: 'service',
}

test('sandbox process: an outcome that is deeply nested or has many values stops the sandbox', async (t) => {
  for (const body of ['['.repeat(50_000), `{"results":[${'1,'.repeat(20_000)}1]}`, 'not JSON']) {
    const { sandbox } = await hostileSandbox(t, body)
    const run = sandbox.run(RUN, () => Promise.reject(new Error('The run calls no helper.')))
    await assert.rejects(run, /violated the protocol/, body.slice(0, 20))
    await sandbox.ended
  }
})

const linuxOnly = { skip: process.platform !== 'linux' }

test('sandbox process: without memory, the kernel ends a sandbox before the server', linuxOnly, async (t) => {
  const { sandbox, pid } = await hostileSandbox(t, '')
  assert.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '1000')
  sandbox.stop('the test is over')
})
