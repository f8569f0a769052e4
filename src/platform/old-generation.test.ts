import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { execPath } from 'node:process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { clonedDatabase } from '#fixtures/clone.ts'

const MEASUREMENT = fileURLToPath(new URL('../../test/fixtures/old-generation.child.ts', import.meta.url))
/** Of what the calls refer to. A little is left by the measurement itself. */
const SHARE_MAX = 0.1

// What a call leaves in the old generation of V8 stays in memory until V8 marks the whole heap, which delays all calls.
test('statements, requests and their turns leave nothing that they refer to in the old generation of V8', async (t) => {
  const { stdout } = await promisify(execFile)(execPath, [MEASUREMENT, await clonedDatabase(t)])
  const shares = Object.entries(JSON.parse(stdout) as Record<string, number>)
  assert.equal(shares.length, 4)
  for (const [name, share] of shares)
    assert.ok(share < SHARE_MAX, `${(share * 100).toFixed(0)} % of what ${name} refer to`)
})
