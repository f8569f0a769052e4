import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programEnvironment } from './run-program.ts'

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
