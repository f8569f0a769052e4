import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * Syntax that PostgreSQL 14, the oldest version that the server supports, does not have; with the version that has it.
 */
const NEWER: readonly (readonly [RegExp, string])[] = [
  [/^\s+\w+ [\w[\]() ]+ storage (external|extended|main|plain)\b/im, '16: STORAGE in CREATE TABLE'],
  [/\bnulls not distinct\b/i, '15: UNIQUE NULLS NOT DISTINCT'],
  [/\bmerge into\b/i, '15: MERGE'],
  [/\bany_value\(/i, '16: any_value'],
  [/\bjson_table\(/i, '17: JSON_TABLE'],
  [/\buuidv7\(/i, '18: uuidv7'],
  [/\bgenerated always as \([^)]*\) virtual\b/i, '18: virtual generated columns'],
]

test('migrations: no syntax that PostgreSQL 14 lacks', () => {
  for (const file of globSync('migrations/0*.sql', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [pattern, version] of NEWER)
      assert.doesNotMatch(text, pattern, `${file} needs PostgreSQL ${version}`)
  }
})
