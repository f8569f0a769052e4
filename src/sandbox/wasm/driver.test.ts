import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWasmDriver } from './driver.ts'

test('wasm sandboxes: prepare creates the memory image of Python, and sandboxes start from it', async (t) => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'patchbay-snapshot-'))
  t.after(() => rmSync(cacheDir, { recursive: true, force: true }))
  const driver = createWasmDriver({
    cacheDir,
    brand: 'service',
    fileBytesMax: 1_000_000,
    diskBytesMax: 10_000_000,
    cpuSecondsMax: 300,
  })
  t.after(() => driver.close())
  await driver.prepare!()
  const folder = join(cacheDir, 'sandbox')
  const [name, ...others] = readdirSync(folder)
  assert.match(name!, /^python-[0-9a-f]{16}\.snapshot$/)
  assert.deepEqual(others, [])
  const created = statSync(join(folder, name!))
  const sandbox = await driver.start('standard')
  const outcome = await sandbox.run(
    {
      kind: 'python',
      code: '6 * 7',
      timeoutMs: 60_000,
      outputCharacters: 1_000,
      mount: [],
      brand: 'service',
    },
    async () => ({}),
  )
  assert.equal(outcome.results, '42')
  const after = statSync(join(folder, name!))
  assert.deepEqual([after.ino, after.mtimeMs], [created.ino, created.mtimeMs])
})
