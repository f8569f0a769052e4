import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { firstError, openLog, readReason } from './log-file.ts'

test('built-in PostgreSQL: the log is emptied above 10 MB, and the reason comes from the last start', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-log-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'postgres.log')
  await writeFile(file, 'FATAL:  of an earlier start\n')
  const log = await openLog(file)
  assert.equal(log.size, 28)
  assert.equal(await readReason(file, log.size), undefined)
  await log.handle.write('LOG:  starting\nFATAL:  no memory\nLOG:  database system is shut down\n')
  await log.handle.close()
  assert.equal(await readReason(file, log.size), 'FATAL:  no memory')

  await truncate(file, 10_000_001)
  const next = await openLog(file)
  await next.handle.close()
  assert.equal(next.size, 0)
  assert.equal((await stat(file)).size, 0)
})

test('built-in PostgreSQL: the first error is the reason', () => {
  assert.equal(
    firstError('running ...\nFATAL:  no space\nPANIC:  cannot abort\nchild ended\n'),
    'FATAL:  no space',
  )
  assert.equal(firstError('cannot load\n'), 'cannot load')
  assert.equal(
    firstError('starting\r\nFATAL:  no space\r\nended\r\n'),
    'FATAL:  no space',
    'lines of Windows',
  )
})
