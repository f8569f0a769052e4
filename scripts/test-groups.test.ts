import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { allTestFiles, groupTestFiles } from './test-groups.ts'

const ROOT = join(import.meta.dirname, '..')

test('test groups: every test file of the repository is in exactly one process', () => {
  const files = allTestFiles(ROOT)
  assert.ok(files.includes('scripts/test-groups.test.ts') && files.includes('test/docs/guides.test.ts'))
  for (const isEachAlone of [false, true]) {
    const groups = groupTestFiles(ROOT, isEachAlone)
    assert.deepEqual(groups.flat().sort(), files)
    assert.ok(groups.every((group) => group.length > 0 && (!isEachAlone || group.length === 1)))
  }
})
