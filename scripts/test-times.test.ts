import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readProcessTimes, type ProcessTimes } from '../test/fixtures/processor-times.ts'
import { formatProcessorTimes } from './test-times.ts'

const PRELOAD = pathToFileURL(join(import.meta.dirname, '../test/fixtures/processor-times.ts')).href
const folder = mkdtempSync(join(tmpdir(), 'patchbay-times-'))
after(() => rmSync(folder, { recursive: true }))

test('processor times: the table has the dearest file first, and a sum of all', () => {
  const path = join(folder, 'rows')
  const rows: ProcessTimes[] = [
    { file: join(import.meta.dirname, 'a.test.ts'), ownMs: 500, childrenMs: 0 },
    { file: join(import.meta.dirname, 'b.test.ts'), ownMs: 400, childrenMs: 1200 },
  ]
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  assert.deepEqual(formatProcessorTimes(path).trim().split('\n').slice(1), [
    '    1.6     0.4     1.2  scripts/b.test.ts',
    '    0.5     0.5     0.0  scripts/a.test.ts',
    '    2.1     0.9     1.2  sum of 2',
  ])
})

test(
  'processor times: a process of a test file writes its time and that of its children',
  { skip: process.platform !== 'linux' },
  () => {
    const path = join(folder, 'written')
    const work = 'const end = process.cpuUsage().user + 100_000; while (process.cpuUsage().user < end);'
    const child = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}])`
    const { NODE_TEST_CONTEXT = 'child-v8', ...env } = process.env
    const before = readProcessTimes('self').childrenMs
    const { status } = spawnSync(process.execPath, ['--import', PRELOAD, '-e', child], {
      env: { ...env, NODE_TEST_CONTEXT, TEST_TIMES_FILE: path },
    })
    assert.equal(status, 0)
    assert.match(formatProcessorTimes(path), /sum of 1/)
    assert.ok(readProcessTimes('self').childrenMs - before >= 100)
  },
)
