import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { CACHE_DIR } from '#fixtures/shared-cache.ts'
import { SharedMemory } from '../shared-memory.ts'
import type { Sandbox } from '../types.ts'
import { createWasmDriver } from './driver.ts'

const LIMITS = { brand: 'service', fileBytesMax: 1_000_000, diskBytesMax: 10_000_000, cpuSecondsMax: 300 }

const runPython = (sandbox: Sandbox, code: string) =>
  sandbox.run(
    { kind: 'python', code, timeoutMs: 60_000, outputCharacters: 1_000, mount: [], brand: 'service' },
    async () => ({}),
  )

test('wasm sandboxes: prepare creates the memory image of Python, and sandboxes start from it', async (t) => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'patchbay-snapshot-'))
  t.after(() => rmSync(cacheDir, { recursive: true, force: true }))
  const driver = createWasmDriver({ ...LIMITS, cacheDir })
  t.after(() => driver.close())
  await driver.prepare!()
  const folder = join(cacheDir, 'sandbox')
  const [name, ...others] = readdirSync(folder)
  assert.match(name!, /^python-[0-9a-f]{16}\.snapshot$/)
  assert.deepEqual(others, [])
  const created = statSync(join(folder, name!))
  const sandbox = await driver.start('standard')
  assert.equal((await runPython(sandbox, '6 * 7')).results, '42')
  const after = statSync(join(folder, name!))
  assert.deepEqual([after.ino, after.mtimeMs], [created.ino, created.mtimeMs])
})

/** Other systems do not report the memory of a process. */
const linuxOnly = { skip: process.platform !== 'linux' }

test(
  'wasm sandboxes: one that fills the memory of all is stopped, and the others continue',
  linuxOnly,
  async (t) => {
    mkdirSync(CACHE_DIR, { recursive: true, mode: 0o700 })
    const driver = createWasmDriver({ ...LIMITS, cacheDir: CACHE_DIR, memory: new SharedMemory(700_000_000) })
    t.after(() => driver.close())
    const [quiet, hungry] = [await driver.start('standard'), await driver.start('xlarge')]
    assert.equal((await runPython(quiet, 'x = 42\nx')).results, '42')
    await assert.rejects(
      runPython(hungry, 'x = bytearray(b"x") * 380_000_000\nwhile True: pass'),
      /all sandboxes of this server together exceeded 700 MB of memory, and this one used the most/,
    )
    assert.equal((await runPython(quiet, 'x')).results, '42')
  },
)
