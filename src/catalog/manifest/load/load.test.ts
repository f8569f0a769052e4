import assert from 'node:assert/strict'
import { symlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCatalog, catalogFromSources } from './load.ts'
import { ManifestError } from '../diagnostics.ts'
import { sampleToolkit, sampleTool, sampleSource } from '#fixtures/sample-toolkits.ts'
import { folderOf, SOUND, assertRejected, load } from '#fixtures/manifest-folders.ts'

test('manifest loading: a valid folder loads, and plain files and hidden folders are ignored', async (t) => {
  const folder = await folderOf(t, { ...SOUND(), 'README.md': 'x', '.git/config': 'x' })
  const catalog = await loadCatalog({ folder, lint: true })
  assert.deepEqual(
    [...catalog.tools].map(({ slug }) => slug),
    ['SHOP_GET_ORDER'],
  )
  assert.match(catalog.toolkit('shop')!.icon, /^<svg/)
})

test('manifest loading: all diagnostics are reported together, with file, JSON pointer and reason', async (t) => {
  await assertRejected(
    t,
    {
      'shop/toolkit.json': sampleToolkit({ slug: 'store', nam: 'x', name: undefined }),
      'shop/tools.json': { tools: [sampleTool({ effect: 'look' })] },
      'empty/icon.svg': '<svg/>',
    },
    /shop\/toolkit\.json : unknown key `nam`/,
    /shop\/toolkit\.json : `name` is missing/,
    /shop\/tools\.json \/tools\/0\/effect: must be read, create, update, delete/,
    /empty\/toolkit\.json : is missing/,
  )
})

test('manifest loading: a toolkit without tools has its accounts and raw requests', async (t) => {
  const { 'shop/tools.json': _, ...files } = SOUND()
  const catalog = await loadCatalog({ folder: await folderOf(t, files), lint: true })
  assert.deepEqual(catalog.toolkit('shop')!.tools, [])
  assert.ok(catalog.toolkit('shop')!.schemes.length > 0)
})

test('manifest loading: an underscore may stand before a digit of a slug, and __proto__ is no slug', async (t) => {
  const toolkitNamed = (slug: string) => ({
    [`${slug}/toolkit.json`]: sampleToolkit({ slug }),
    [`${slug}/icon.svg`]: SOUND()['shop/icon.svg'],
  })
  const catalog = await loadCatalog({ folder: await folderOf(t, toolkitNamed('_2go')), lint: true })
  assert.ok(catalog.toolkit('_2go'))
  assert.match(
    (await load(await folderOf(t, toolkitNamed('__proto__')))).join(),
    /must begin with a letter, a digit/,
  )
})

test('manifest loading: the error of a failed start says what to do', () => {
  assert.throws(
    () => catalogFromSources([sampleSource({ slug: 'x' })]),
    (error: ManifestError) =>
      error.name === 'ManifestError' &&
      error.exitCode === 1 &&
      error.fix.length > 0 &&
      error.message.includes('shop/toolkit.json /slug'),
  )
})

test('manifest loading: a file that is not JSON is reported as a diagnostic', async (t) => {
  await assertRejected(
    t,
    { 'shop/tools.json': '{"tools": [', 'shop/toolkit.json': '' },
    /shop\/tools\.json : is not JSON/,
    /shop\/toolkit\.json : is not JSON/,
  )
})

test('manifest loading: the error for a missing folder says which setting to change', async () => {
  await assert.rejects(
    loadCatalog({ folder: '/nowhere/toolkits' }),
    (error: Error) => error.name === 'StartupError' && error.message.includes('/nowhere/toolkits'),
  )
})

test('manifest loading: prototype keys, deep nesting and wrong types are rejected', async (t) => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  await assertRejected(
    t,
    {
      'shop/toolkit.json': JSON.stringify(sampleToolkit()).replace(
        '"name"',
        '"__proto__":{"polluted":1},"name"',
      ),
    },
    /toolkit\.json : must not use the key `__proto__`/,
  )
  await assertRejected(
    t,
    { 'shop/tools.json': `{"tools":${deep}}` },
    /tools\.json : (is nested deeper|is not JSON)/,
  )
  for (const value of ['null', '7', '"x"', '[]', '1e999'])
    await assertRejected(t, { 'shop/tools.json': value }, /tools\.json : must be object/)
  await assertRejected(
    t,
    { 'shop/toolkit.json': sampleToolkit({ constructor: 1 }) },
    /unknown key `constructor`/,
  )
  await assertRejected(
    t,
    { 'shop/toolkit.json': sampleToolkit({ request: { timeout_seconds: 1e300 } }) },
    /timeout_seconds: must be/,
  )
  assert.equal((Object.prototype as { polluted?: unknown }).polluted, undefined)
})

test('manifest loading: a link that leads out of the folder is rejected', async (t) => {
  const outside = await folderOf(t, {
    'secret.json': sampleToolkit(),
    'other/toolkit.json': sampleToolkit({ slug: 'other' }),
    'other/tools.json': { tools: [sampleTool()] },
  })
  const folder = await folderOf(t, SOUND())
  await symlink(join(outside, 'other'), join(folder, 'other'))
  await rm(join(folder, 'shop/toolkit.json'))
  await symlink(join(outside, 'secret.json'), join(folder, 'shop/toolkit.json'))
  assert.deepEqual((await load(folder, false)).map((one) => one.replace(/:.*/, '')).sort(), [
    'other ',
    'shop/toolkit.json ',
  ])
})

test('code tools: the module is imported at its first use, and the check reports a missing one', async (t) => {
  const tool = sampleTool({ slug: 'SHOP_ADD', request: undefined, run: 'code' })
  const files = { ...SOUND(), 'shop/tools.json': { tools: [tool] }, 'package.json': '{"type":"module"}' }
  const sound = await folderOf(t, {
    ...files,
    'shop/tools.ts':
      'globalThis.imported = 1 + (globalThis.imported ?? 0)\nexport const tools = { SHOP_ADD: (args: { ' +
      'id: string }) => args.id }',
  })
  const catalog = await loadCatalog({ folder: sound })
  const code = catalog.tool('SHOP_ADD', 'latest')!.tool.code!
  assert.equal((globalThis as { imported?: number }).imported, undefined)
  assert.equal((await code())({ id: 'x' }, {} as never), 'x')
  assert.equal(await code(), await code())
  assert.equal((globalThis as { imported?: number }).imported, 1)
  const unsound = await folderOf(t, {
    ...files,
    'shop/tools.ts': 'export const tools = { SHOP_SUB: () => 1 }',
  })
  assert.equal((await load(unsound)).length, 2)
  assert.equal((await load(unsound, false)).length, 0)
})
