import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { isProcessOf } from './processes.ts'

const linuxOnly = { skip: process.platform !== 'linux' }

test('processes: PostgreSQL that an emulator of another processor runs is found', linuxOnly, async (t) => {
  const { directory, run } = await prepare(t)
  const pid = await run('postgres', directory)
  assert.equal(isProcessOf(pid, directory), true)
  assert.equal(isProcessOf(pid, join(directory, '..')), false)
})

test('processes: another program of an emulator is not PostgreSQL', linuxOnly, async (t) => {
  const { directory, run } = await prepare(t)
  assert.equal(isProcessOf(await run('node', directory), directory), false)
})

/** A shell under the name of the emulator stands for it: both read the program whose path is their argument. */
async function prepare(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'patchbay-emulated-'))
  const directory = join(root, 'data')
  const emulator = join(root, 'qemu-aarch64-static')
  await mkdir(directory)
  await copyFile(await realpath('/bin/sh'), emulator)
  t.after(() => rm(root, { recursive: true, force: true }))
  async function run(name: string, cwd: string): Promise<number> {
    const program = join(root, name)
    await writeFile(program, 'echo started; read line')
    const child = spawn(emulator, [program, program, '-D', directory], {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    t.after(async () => {
      child.kill('SIGKILL')
      await ended
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    return child.pid!
  }
  return { directory, run }
}
