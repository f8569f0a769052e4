import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBinaries } from './binaries.ts'
import { cannotRun, programEnvironment, tryRunner } from './run-program.ts'

const SECRETS = { ENCRYPTION_KEYS: 'a:secret', PGDATA: '/elsewhere', LD_LIBRARY_PATH: '/elsewhere' }

test('programs of PostgreSQL: their environment has nothing of this process', () => {
  const environment = programEnvironment('linux', { ...SECRETS, PATH: '/elsewhere' })
  assert.deepEqual(Object.keys(environment).sort(), ['LC_ALL', 'PATH', 'TZ'])
  assert.doesNotMatch(Object.values(environment).join(), /secret|elsewhere/)
})

test('programs of PostgreSQL: on Windows, they get the directory of the system and of temporary files', () => {
  const environment = programEnvironment('win32', {
    ...SECRETS,
    SystemRoot: 'D:\\Windows',
    TEMP: 'D:\\Temp',
    PATH: 'C:\\elsewhere',
  })
  assert.deepEqual(environment, {
    LC_ALL: 'C',
    TZ: 'UTC',
    SystemRoot: 'D:\\Windows',
    ComSpec: 'D:\\Windows\\System32\\cmd.exe',
    TEMP: 'D:\\Temp',
    TMP: 'D:\\Temp',
    PATH: 'D:\\Windows\\System32',
  })
})

test('programs of PostgreSQL: what prevents their execution is reported', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-run-'))
  t.after(() => rm(folder, { recursive: true }))
  const binaries = await findBinaries()
  const withoutLibrary = join(folder, 'postgres')
  await writeFile(withoutLibrary, '#!/bin/sh\necho "libpq.so.5 is missing"\nexit 127\n', { mode: 0o755 })
  await tryRunner(binaries, {})
  await assert.rejects(tryRunner({ ...binaries, postgres: withoutLibrary }, {}), {
    message: 'PostgreSQL cannot be run: libpq.so.5 is missing',
  })
  await assert.rejects(tryRunner({ ...binaries, postgres: join(folder, 'missing') }, {}), {
    message: `${join(folder, 'missing')} cannot be executed: it needs a Linux with glibc (not Alpine).`,
  })
})

test('programs of PostgreSQL: on Windows, a program that is missing or blocked is reported, without a word of Linux', () => {
  for (const [code, reason] of [
    ['ENOENT', 'the file is missing'],
    ['EACCES', 'spawn EACCES'],
  ]) {
    const cause = Object.assign(new Error(`spawn ${code}`), { code })
    const { message, fix } = cannotRun('C:\\pg\\initdb.exe', cause, 'win32')
    assert.equal(message, `C:\\pg\\initdb.exe cannot be executed: ${reason}.`)
    assert.match(fix, /antivirus/)
  }
})
