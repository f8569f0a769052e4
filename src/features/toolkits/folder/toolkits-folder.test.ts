import assert from 'node:assert/strict'
import { mkdir, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { createToolkitsFolder, toolkitFiles } from '#fixtures/toolkits-folder.ts'
import { until } from '#fixtures/until.ts'
import { type Catalog, LATEST_VERSION } from '../../../catalog/index.ts'
import { type ToolkitsFolder, watchToolkitsFolder } from './index.ts'

const VERSION = LATEST_VERSION

const describe = (catalog: Catalog, tool: string) => catalog.tool(tool, VERSION)?.tool.description
const slugs = (catalog: Catalog) => catalog.toolkits.map(({ slug }) => slug).toSorted()
const reasons = (toolkits: ToolkitsFolder) => toolkits.problems().map((problem) => problem.reasons.join())

test('toolkits folder: its toolkits are added, changed and removed while the server runs', async (t) => {
  const s = await createToolkitsFolder(t, toolkitFiles('shop'))
  const changes: string[][] = []
  s.toolkits.onChange(() => changes.push(slugs(s.toolkits.catalog())))
  assert.deepEqual(slugs(s.toolkits.catalog()), ['post', 'shop'])
  await s.write(toolkitFiles('mail'))
  await s.write(toolkitFiles('shop', 'Reads one purchase of a shop.'))
  assert.equal(describe(s.toolkits.catalog(), 'SHOP_GET'), 'Reads one order of a shop.', 'a copy is used')
  await s.settle()
  assert.equal(describe(s.toolkits.catalog(), 'SHOP_GET'), 'Reads one purchase of a shop.')
  await s.remove('shop')
  await s.settle()
  assert.deepEqual(changes, [
    ['mail', 'post', 'shop'],
    ['mail', 'post'],
  ])
  assert.equal(s.toolkits.catalog().tool('SHOP_GET', VERSION), undefined)
  await s.remove('mail')
  await s.settle()
  assert.deepEqual([slugs(s.toolkits.catalog()), s.toolkits.problems()], [['post'], []])
})

test('toolkits folder: files are used when they are the same in two looks', async (t) => {
  const s = await createToolkitsFolder(t, toolkitFiles('shop'))
  await s.write(toolkitFiles('shop', 'Reads one incomplete order.'))
  assert.equal(await s.toolkits.look(), true)
  await s.write(toolkitFiles('shop', 'Reads one complete order.'))
  assert.equal(await s.toolkits.look(), true)
  assert.equal(describe(s.toolkits.catalog(), 'SHOP_GET'), 'Reads one order of a shop.')
  assert.equal(await s.toolkits.look(), false)
  assert.equal(describe(s.toolkits.catalog(), 'SHOP_GET'), 'Reads one complete order.')
})

test('toolkits folder: an invalid toolkit keeps its last valid version, also after a restart, and is reported', async (t) => {
  const s = await createToolkitsFolder(t, { ...toolkitFiles('shop'), ...toolkitFiles('mail') })
  await s.write({ 'shop/tools.json': '{"tools": [' })
  await s.settle()
  assert.equal(describe(s.toolkits.catalog(), 'SHOP_GET'), 'Reads one order of a shop.')
  assert.match(reasons(s.toolkits).join(), /^shop\/tools\.json: is not JSON/)
  assert.deepEqual(s.lines.slice(2), [
    'toolkits folder: a toolkit is invalid; its last valid version stays in use',
  ])
  const restarted = await s.open()
  assert.equal(describe(restarted.catalog(), 'SHOP_GET'), 'Reads one order of a shop.')
  assert.deepEqual(
    restarted.problems().map(({ slug, usesEarlierVersion }) => [slug, usesEarlierVersion]),
    [['shop', true]],
  )
  await s.write(toolkitFiles('shop', 'Reads one repaired order.'))
  await s.settle()
  assert.deepEqual(
    [describe(s.toolkits.catalog(), 'SHOP_GET'), s.toolkits.problems()],
    ['Reads one repaired order.', []],
  )
})

test('toolkits folder: an invalid toolkit does not prevent a start, and is used when it is corrected', async (t) => {
  const s = await createToolkitsFolder(t, { ...toolkitFiles('mail'), 'shop/toolkit.json': { slug: 'shop' } })
  assert.deepEqual(slugs(s.toolkits.catalog()), ['mail', 'post'])
  assert.deepEqual(
    s.toolkits.problems().map(({ slug, usesEarlierVersion }) => [slug, usesEarlierVersion]),
    [['shop', false]],
  )
  await s.write(toolkitFiles('shop'))
  await s.settle()
  assert.deepEqual([slugs(s.toolkits.catalog()), s.toolkits.problems()], [['mail', 'post', 'shop'], []])
})

test('toolkits folder: a shipped toolkit is replaced only if the setting names it', async (t) => {
  const files = { ...toolkitFiles('post'), ...toolkitFiles('shop') }
  const ignoring = await createToolkitsFolder(t, files)
  assert.equal(ignoring.toolkits.catalog().tool('POST_GET', VERSION), undefined)
  assert.match(reasons(ignoring.toolkits).join(), /ships a toolkit with this slug.*TOOLKITS_REPLACE/)
  const replaced = await createToolkitsFolder(t, files, ['post'])
  const catalog = replaced.toolkits.catalog()
  assert.deepEqual(
    [describe(catalog, 'POST_GET'), catalog.tool('POST_SEND', VERSION), replaced.toolkits.problems()],
    ['Reads one order of a shop.', undefined, []],
  )
  await replaced.remove('post')
  await replaced.settle()
  assert.ok(replaced.toolkits.catalog().tool('POST_SEND', VERSION), 'the shipped one is back')
})

test('toolkits folder: a tool slug of another toolkit is rejected until that toolkit is gone', async (t) => {
  const s = await createToolkitsFolder(t, {
    ...toolkitFiles('shop'),
    'shop/tools.json': {
      tools: ['SHOP_GET', 'SHOP_EU_GET'].map((slug) => sampleTool({ slug, name: slug.toLowerCase() })),
    },
  })
  await s.write(toolkitFiles('shop_eu'))
  await s.settle()
  assert.deepEqual(reasons(s.toolkits), ['shop_eu: SHOP_EU_GET is also a tool of shop.'])
  await s.remove('shop')
  await s.settle()
  await s.settle()
  assert.deepEqual([slugs(s.toolkits.catalog()), s.toolkits.problems()], [['post', 'shop_eu'], []])
})

test('toolkits folder: changed code is used, and code that cannot be imported is reported', async (t) => {
  const code = (result: string) =>
    `import { text } from './texts.ts'\nexport const tools: Record<string, () => unknown> = {\n` +
    `  SHOP_GET: () => ({ text: text + ${JSON.stringify(result)} }),\n}\n`
  const { request: _, ...tool } = sampleTool({ slug: 'SHOP_GET', name: 'Get', run: 'code' })
  const s = await createToolkitsFolder(t, {
    ...toolkitFiles('shop'),
    'shop/tools.json': { tools: [tool] },
    'shop/tools.ts': code('one'),
    'shop/texts.ts': `export const text: string = 'first '\n`,
  })
  const run = async () => {
    const found = s.toolkits.catalog().tool('SHOP_GET', VERSION)?.tool
    return (await found?.code?.())?.({}, {} as never)
  }
  assert.deepEqual([await run(), s.toolkits.problems()], [{ text: 'first one' }, []])
  await s.write({ 'shop/texts.ts': `export const text: string = 'second '\n` })
  await s.settle()
  assert.deepEqual(await run(), { text: 'second one' }, 'a changed import is read again')
  await s.write({ 'shop/tools.ts': 'export const tools = {' })
  await s.settle()
  assert.match(reasons(s.toolkits).join(), /shop\/tools\.ts: cannot be imported/)
  assert.deepEqual(await run(), { text: 'second one' })
})

test('toolkits folder: toolkits that extend a family change with it', async (t) => {
  const { description: _, ...own } = sampleToolkit({ slug: 'shop', extends: 'stores' })
  const s = await createToolkitsFolder(t, {
    ...toolkitFiles('shop'),
    'shop/toolkit.json': own,
    '_families/stores.json': { description: 'Sells things of the first family.' },
  })
  const description = () => s.toolkits.catalog().toolkit('shop')?.description
  assert.deepEqual([description(), s.toolkits.problems()], ['Sells things of the first family.', []])
  await s.write({ '_families/stores.json': { description: 'Sells things of the second family.' } })
  await s.settle()
  assert.equal(description(), 'Sells things of the second family.')
})

test('toolkits folder: mounted volumes with links are read, and everything stays while the folder is missing', async (t) => {
  const s = await createToolkitsFolder(t, toolkitFiles('mail'))
  await mkdir(join(s.folder, 'shop'))
  await mkdir(join(s.folder, '..', 'data'))
  for (const [name, content] of Object.entries(toolkitFiles('shop'))) {
    const target = join(s.folder, '..', 'data', name.replace('/', '-'))
    await writeFile(target, typeof content === 'string' ? content : JSON.stringify(content))
    await symlink(target, join(s.folder, name))
  }
  await s.settle()
  assert.deepEqual(slugs(s.toolkits.catalog()), ['mail', 'post', 'shop'])
  await rename(s.folder, `${s.folder}-away`)
  await s.settle()
  assert.deepEqual(slugs(s.toolkits.catalog()), ['mail', 'post', 'shop'])
  assert.match(reasons(s.toolkits).join(), /TOOLKITS_DIR cannot be read/)
  await rename(`${s.folder}-away`, s.folder)
  await s.settle()
  assert.deepEqual(s.toolkits.problems(), [])
})

test('toolkits folder: a folder that does not exist prevents a start, and old copies are removed by one', async (t) => {
  const s = await createToolkitsFolder(t, toolkitFiles('shop'))
  const old = join(s.cache, 'a'.repeat(40))
  await mkdir(old)
  await utimes(old, new Date(0), new Date(0))
  await mkdir(join(s.cache, 'b'.repeat(40)))
  await s.open()
  const names = await readdir(s.cache)
  assert.deepEqual(
    [names.includes('a'.repeat(40)), names.includes('b'.repeat(40)), names.length],
    [false, true, 3],
  )
  await rm(s.folder, { recursive: true })
  await assert.rejects(s.open(), /TOOLKITS_DIR cannot be read/)
})

test('toolkits folder: changes are found with and without notifications of the file system', async (t) => {
  const never = 600_000
  for (const [soonMs, pollMs] of [
    [5, never],
    [5, 5],
  ] as const) {
    const s = await createToolkitsFolder(t, toolkitFiles('shop'))
    const { folder, toolkits, log } = s
    const watch = watchToolkitsFolder({ folder, toolkits, log, soonMs, pollMs })
    t.after(() => watch.close())
    await s.write(toolkitFiles('mail'))
    await until('the toolkit is in use', () => toolkits.catalog().toolkit('mail') !== undefined)
    await watch.close()
  }
})
