import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Diagnostic } from '../src/catalog/manifest/diagnostics.ts'
import { readToolkit } from '../src/catalog/manifest/load/read.ts'
import { sampleTool, sampleToolkit } from '../test/fixtures/sample-toolkits.ts'
import { temporaryDirectory } from '../test/fixtures/server-process.ts'
import { compareLock, contentHash } from './toolkit-lock.ts'

test('toolkit lock: no released version of a built-in toolkit has changed', () => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'write-toolkit-lock.ts'), '--check'], {
    stdio: 'pipe',
  })
})

test('toolkit lock: the hash depends on the content and not on the layout of the files', async (t) => {
  const root = await realpath(await temporaryDirectory(t))
  const folder = join(root, 'shop')
  mkdirSync(join(folder, 'tools'), { recursive: true })
  const write = async (files: Record<string, unknown>, indent?: number) => {
    rmSync(join(folder, 'tools'), { recursive: true })
    mkdirSync(join(folder, 'tools'))
    for (const name of ['tools.json', 'schemas.json']) rmSync(join(folder, name), { force: true })
    for (const [name, value] of Object.entries(files))
      writeFileSync(join(folder, name), JSON.stringify(value, null, indent))
    const diagnostics: Diagnostic[] = []
    const source = readToolkit(root, 'shop', diagnostics)
    assert.deepEqual(diagnostics, [])
    return contentHash(source!)
  }
  const output = { type: 'object', properties: { id: { type: 'string', description: 'Id.' } } }
  const list = sampleTool({ slug: 'SHOP_LIST' })
  const first = await write({
    'toolkit.json': sampleToolkit(),
    'tools.json': { tools: [sampleTool(), list] },
  })
  const withPhrases = await write({
    'toolkit.json': sampleToolkit(),
    'tools.json': { tools: [{ ...sampleTool(), phrases: ['what is in stock'] }, list] },
  })
  assert.equal(withPhrases, first, 'what only the search reads does not count')
  const reversed = Object.fromEntries(Object.entries(sampleToolkit()).reverse())
  assert.equal(
    await write({ 'toolkit.json': reversed, 'tools.json': { tools: [list, sampleTool()] } }, 2),
    first,
  )
  assert.equal(
    await write({
      'toolkit.json': { $schema: '../schema.json', ...sampleToolkit() },
      'schemas.json': { $defs: { order: output } },
      'tools/SHOP_LIST.json': { ...list, output: { $ref: '#/$defs/order' } },
      'tools/SHOP_GET_ORDER.json': sampleTool({ output: { $ref: '#/$defs/order' } }),
    }),
    first,
  )
  const reworded = sampleTool({ description: 'Returns one order, by its id.' })
  assert.notEqual(await write({ 'tools.json': { tools: [reworded, list] } }), first)
  const moved = sampleToolkit({ base_url: 'https://other.example' })
  assert.notEqual(
    await write({ 'toolkit.json': moved, 'tools.json': { tools: [sampleTool(), list] } }),
    first,
  )
  const [auth] = sampleToolkit().auth as [Record<string, unknown>]
  const guided = sampleToolkit({ auth: [{ ...auth, setup: { steps: ['Open the settings.'] } }] })
  assert.equal(
    await write({ 'toolkit.json': guided, 'tools.json': { tools: [sampleTool(), list] } }),
    first,
    'set-up steps may be corrected without a new version',
  )
})

test('toolkit lock: changed, missing and new versions are reported separately', () => {
  assert.deepEqual(
    compareLock({ a: { v1: 'x', v2: 'y' }, b: { v1: 'z' } }, { a: { v1: 'x', v2: 'other', v3: 'new' } }),
    {
      changed: [{ slug: 'a', version: 'v2' }],
      missing: [{ slug: 'b', version: 'v1' }],
      added: [{ slug: 'a', version: 'v3' }],
    },
  )
})
