import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPermission } from './file-mode.ts'

test('file mode: permissions of others are found, except on Windows, where the mode says nothing about them', () => {
  assert.equal(hasPermission(0o100_644, 0o077, 'linux'), true)
  assert.equal(hasPermission(0o100_600, 0o077, 'linux'), false)
  assert.equal(hasPermission(0o100_666, 0o077, 'win32'), false)
})
