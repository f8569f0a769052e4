import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readUsage } from './watchdog.ts'

const linuxOnly = { skip: process.platform !== 'linux' }

test('watchdog: memory is counted in bytes where the kernel has pages of 64 KiB', async (t) => {
  const proc = await processFolder(
    t,
    'Name:\tnode (x)\nVmHWM:\t  700000 kB\nVmRSS:\t  640000 kB\nRssAnon:\t  1 kB\n',
  )
  assert.deepEqual(readUsage(7, proc), { memoryBytes: 640_000 * 1_024, cpuSeconds: 10 })
})

test('watchdog: a process that has ended and was not waited for uses no memory', async (t) => {
  const proc = await processFolder(t, 'Name:\tnode (x)\nState:\tZ (zombie)\nThreads:\t1\n')
  assert.deepEqual(readUsage(7, proc), { memoryBytes: 0, cpuSeconds: 10 })
})

test('watchdog: the memory of this process is read', linuxOnly, () => {
  const before = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1_024
  const { memoryBytes } = readUsage(process.pid)!
  assert.ok(Math.abs(memoryBytes - before) < before / 5, `${memoryBytes} bytes, and before ${before}`)
})

/** A folder like `/proc` with the process 7, which has 10,000 pages and has used 10 s. */
async function processFolder(t: TestContext, status: string): Promise<string> {
  const proc = await mkdtemp(join(tmpdir(), 'patchbay-proc-'))
  t.after(() => rm(proc, { recursive: true, force: true }))
  await mkdir(join(proc, '7'))
  const fields = ['S', ...Array<number>(10).fill(0), 400, 300, 200, 100, ...Array<number>(6).fill(0), 10_000]
  await writeFile(join(proc, '7/stat'), `7 (node (x)) ${fields.join(' ')} 0 0\n`)
  await writeFile(join(proc, '7/status'), status)
  return proc
}
