import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartupError } from '../../../startup-error.ts'
import { describeBusyLog } from './control.ts'

test('PostgreSQL by pg_ctl: a log that a remaining process has open is reported with what to do', () => {
  const busy = Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
  const described = describeBusyLog('C:\\data\\postgres.log', busy)
  assert.ok(described instanceof StartupError)
  assert.match(described.message, /^C:\\data\\postgres\.log is in use: a process of a PostgreSQL/)
  assert.match(described.fix, /end the remaining postgres\.exe processes/)
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  assert.equal(describeBusyLog('C:\\data\\postgres.log', full), full)
})
