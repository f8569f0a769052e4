import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { lockDataDir } from './instance-lock.ts'
import { StartupError } from './startup-error.ts'

const about = { pid: 4711, url: 'http://127.0.0.1:8080' }
// Elsewhere than on Linux the lock is a socket file; that kind can be tried here as well.
const kinds = process.platform === 'linux' ? ['linux', 'darwin'] : [process.platform]

for (const kind of kinds) {
  test(`a second server is rejected with the holder of the directory and the next step (${kind})`, async (t) => {
    const dataDir = await newDirectory(t)
    const lock = await lockDataDir(dataDir, about, kind)
    await assert.rejects(lockDataDir(dataDir, { pid: 1, url: '' }, kind), (error: unknown) => {
      assert.ok(error instanceof StartupError)
      assert.match(error.message, /process 4711, http:\/\/127\.0\.0\.1:8080/)
      assert.match(error.fix, /Stop it.*DATA_DIR.*DATABASE_URL/)
      return true
    })
    lock.update({ ...about, url: 'http://127.0.0.1:9090' })
    await assert.rejects(lockDataDir(dataDir, about, kind), /127\.0\.0\.1:9090/)
    await lock.release()
    await lock.release()
    await (await lockDataDir(dataDir, about, kind)).release()
  })

  test(`of twenty servers that start at once, one gets the directory (${kind})`, async (t) => {
    const dataDir = await newDirectory(t)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => lockDataDir(dataDir, about, kind)),
    )
    const locks = results.filter((result) => result.status === 'fulfilled')
    assert.equal(locks.length, 1)
    for (const result of results)
      if (result.status === 'rejected') assert.ok(result.reason instanceof StartupError)
    await locks[0]!.value.release()
  })

  test(`the directory is free again as soon as its holder is killed (${kind})`, async (t) => {
    const dataDir = await newDirectory(t)
    const code = `const { lockDataDir } = await import(${JSON.stringify(import.meta.resolve('./instance-lock.ts'))})
      await lockDataDir(process.argv[1], { pid: process.pid, url: 'http://child' }, process.argv[2])
      console.log('locked')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, dataDir, kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    await assert.rejects(lockDataDir(dataDir, about, kind), new RegExp(`process ${child.pid}, http://child`))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await (await lockDataDir(dataDir, about, kind)).release()
  })
}

test('data directory: another path to the same directory is the same lock', async (t) => {
  const dataDir = await newDirectory(t)
  const other = `${dataDir}-link`
  await symlink(dataDir, other)
  t.after(() => rm(other))
  const lock = await lockDataDir(dataDir, about)
  await assert.rejects(lockDataDir(other, about), /process 4711/)
  await lock.release()
})

test('data directory: a missing directory is created with its parents, or an error', async (t) => {
  await assert.rejects(lockDataDir(join(await newDirectory(t), '\0'), about), StartupError)
  for (const place of ['/dev/null/patchbay', '/proc/patchbay'])
    await assert.rejects(lockDataDir(place, about), StartupError)
  const deep = join(await newDirectory(t), 'two/three')
  await (await lockDataDir(deep, about)).release()
})

async function newDirectory(t: TestContext): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-lock-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}
