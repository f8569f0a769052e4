import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleTool, sampleToolkit } from '../test/fixtures/sample-toolkits.ts'
import { temporaryDirectory } from '../test/fixtures/server-process.ts'
import { compareLock, contentHash } from './toolkit-lock.ts'

test('every released version of a built-in toolkit is what it was when it was released', () => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'write-toolkit-lock.ts'), '--check'], {
    stdio: 'pipe',
  })
})

test('content counts, not how the file is written; another word of a description is another content', async (t) => {
  const folder = await temporaryDirectory(t)
  const write = (toolkit: object, tools: unknown, indent?: number) => {
    writeFileSync(join(folder, 'toolkit.json'), JSON.stringify(toolkit, null, indent))
    writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools }, null, indent))
    return contentHash(folder)
  }
  const first = write(sampleToolkit(), [sampleTool()])
  assert.equal(write(Object.fromEntries(Object.entries(sampleToolkit()).reverse()), [sampleTool()], 2), first)
  assert.notEqual(
    write(sampleToolkit(), [sampleTool({ description: 'Returns one order, by its id.' })]),
    first,
  )
  assert.notEqual(write(sampleToolkit({ base_url: 'https://other.example' }), [sampleTool()]), first)
})

test('what changed, what is gone and what is new are told apart', () => {
  assert.deepEqual(
    compareLock({ a: { v1: 'x', v2: 'y' }, b: { v1: 'z' } }, { a: { v1: 'x', v2: 'other', v3: 'new' } }),
    {
      changed: [{ slug: 'a', version: 'v2' }],
      missing: [{ slug: 'b', version: 'v1' }],
      added: [{ slug: 'a', version: 'v3' }],
    },
  )
})
