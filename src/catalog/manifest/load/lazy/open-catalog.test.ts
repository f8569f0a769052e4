import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { LATEST_VERSION } from '../../../query/versions.ts'
import type { Toolkit } from '../../../types/index.ts'
import { toolkitContext } from '../../compile/tool.ts'
import { ManifestError } from '../../diagnostics.ts'
import type { ToolkitManifest, ToolManifest } from '../../format/index.ts'
import { loadCatalog } from '../load.ts'
import { encodeOperations } from '../operations/index.ts'
import { openCatalog } from './index.ts'

const ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const toolNamed = (slug: string, more: Record<string, unknown> = {}) =>
  sampleTool({ slug, name: slug, ...more })
const manifestOf = (slug: string, more: Record<string, unknown> = {}) => sampleToolkit({ slug, ...more })

/** A folder with these files. JSON unless they are texts or bytes. */
async function folderWith(t: TestContext, files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolkits-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFiles(folder, files)
  return folder
}

async function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
    await writeFile(join(folder, name), isRaw ? content : JSON.stringify(content))
  }
}

const shop = () => ({
  'shop/toolkit.json': manifestOf('shop'),
  'shop/tools/SHOP_GET.json': toolNamed('SHOP_GET', { important: true, aliases: ['SHOP_READ'] }),
  'shop/tools/SHOP_ADD.json': toolNamed('SHOP_ADD', { effect: 'create' }),
  'shop/icon.svg': ICON,
})
const mail = () => ({
  'mail/toolkit.json': manifestOf('mail', { name: 'Mail', categories: ['mail'] }),
  'mail/tools.json': { tools: [toolNamed('MAIL_SEND')] },
  'mail/icon.svg': ICON,
})

const ENTRY_FIELDS = [
  ...(['slug', 'toolkit', 'name', 'humanDescription', 'effect', 'important', 'deprecated'] as const),
  ...(['aliases', 'tags', 'scopeRequirements', 'scopes'] as const),
]

test('lazy loading: an opened catalogue has what a loaded one has', async (t) => {
  const generated = toolNamed('SHOP_LIST', {
    source: { document: 'shop#0', version: '3', tier: 'vendor' },
  }) as unknown as ToolManifest
  const content = { slug: 'shop', tools: [generated], curatedAliases: {}, digest: 'a'.repeat(64) }
  const context = toolkitContext(manifestOf('shop') as unknown as ToolkitManifest)
  const releases = ['20260215_00', '20260115_00'].map((version) => ({ version, changes: 'x' }))
  const folder = await folderWith(t, {
    ...shop(),
    ...mail(),
    'shop/operations.bin': encodeOperations(content, context),
    'mail/toolkit.json': manifestOf('mail', { name: 'Mail', releases }),
    'mail/versions/20260115_00/toolkit.json': manifestOf('mail', {
      name: 'Mail',
      releases: releases.slice(1),
    }),
    'mail/versions/20260115_00/tools.json': { tools: [toolNamed('MAIL_POST')] },
  })
  const [opened, loaded] = [openCatalog({ folder }), await loadCatalog({ folder })]
  const contentOf = (catalog: typeof opened) =>
    JSON.stringify({
      toolkits: catalog.toolkits.map(({ tools: _, ...toolkit }) => toolkit),
      tools: [...catalog.tools].map((tool) => ENTRY_FIELDS.map((name) => tool[name])),
      count: catalog.toolCount,
      categories: catalog.categories,
      versions: catalog.toolkits.map(({ slug }) => catalog.availableVersions(slug)),
      older: [...catalog.entries('00000000_00')].map(({ slug }) => slug),
      manifests: catalog.toolkits.map(({ slug, version }) => [...catalog.manifests(slug, version)]),
      found: ['SHOP_READ', 'SHOP_LIST', 'MAIL_POST', 'MAIL_SEND', 'SHOP_NONE'].flatMap((slug) =>
        [LATEST_VERSION, '20260115_00'].map((version) => {
          const { tool, toolkit } = catalog.tool(slug, version) ?? {}
          return [slug, version, tool, toolkit?.version]
        }),
      ),
    })
  assert.equal(opened.toolCount, 4)
  assert.deepEqual(JSON.parse(contentOf(opened)), JSON.parse(contentOf(loaded)))
})

test('lazy loading: tools are read when they are used, and a damaged file fails only that toolkit', async (t) => {
  const folder = await folderWith(t, { ...shop(), ...mail(), 'shop/tools/SHOP_ADD.json': '{"slug": ' })
  const catalog = openCatalog({ folder })
  assert.deepEqual(
    catalog.toolkits.map(({ slug, toolCount }) => [slug, toolCount]),
    [
      ['mail', 1],
      ['shop', 2],
    ],
  )
  assert.throws(
    () => catalog.tool('SHOP_GET', LATEST_VERSION),
    (error: Error & { status?: number }) =>
      error.status === 503 &&
      /toolkit shop are damaged/.test(error.message) &&
      (error.cause as ManifestError).diagnostics[0]!.file === 'shop/tools/SHOP_ADD.json',
  )
  assert.equal(catalog.tool('MAIL_SEND', LATEST_VERSION)?.tool.slug, 'MAIL_SEND')
  await writeFiles(folder, shop())
  assert.equal(catalog.tool('SHOP_GET', LATEST_VERSION)?.tool.slug, 'SHOP_GET', 'read again after the repair')
})

test('lazy loading: lists of tools and toolkits compile nothing', async (t) => {
  const trigger = { slug: 'SHOP_NEW_ORDER', unknown_field: true }
  const folder = await folderWith(t, {
    ...shop(),
    // It fits the format, but not its toolkit: nothing declares the argument.
    'shop/tools/SHOP_ADD.json': toolNamed('SHOP_ADD', {
      scopes: { all_of: ['write'] },
      request: { method: 'POST', path: '/orders/{not_declared}' },
    }),
    'mail/toolkit.json': manifestOf('mail', { name: 'Mail' }),
    'mail/triggers.json': { triggers: [trigger] },
    'mail/icon.svg': ICON,
  })
  const { toolkits, entry, tool, tools } = openCatalog({ folder })
  const [mail, shopToolkit] = toolkits
  assert.deepEqual(
    shopToolkit!.schemeModes,
    loadedModes(await loadCatalog({ folder: await folderWith(t, shop()) })),
  )
  assert.deepEqual(
    [...tools].map(({ slug }) => slug),
    ['SHOP_GET', 'SHOP_ADD'],
  )
  assert.deepEqual(entry('SHOP_ADD', LATEST_VERSION)?.scopes, ['write'])
  assert.equal(shopToolkit!.triggerCount, 0)
  const isDamaged = (error: Error & { status?: number }) => error.status === 503
  assert.throws(() => tool('SHOP_ADD', LATEST_VERSION), isDamaged)
  assert.throws(() => shopToolkit!.schemes, isDamaged)
  assert.throws(() => mail!.triggerCount, isDamaged, 'triggers that do not fit the format are not counted')
})

const loadedModes = ({ toolkits }: { readonly toolkits: readonly Toolkit[] }) =>
  toolkits[0]!.schemes.map(({ mode }) => mode)

test('lazy loading: a toolkit.json that lists need is checked when the folder is opened', async (t) => {
  const broken = async (files: Record<string, unknown>, expected: RegExp) => {
    const folder = await folderWith(t, { ...shop(), ...mail(), ...files })
    assert.throws(() => openCatalog({ folder }), expected)
  }
  await broken(
    { 'shop/toolkit.json': manifestOf('shop', { name: undefined }) },
    /shop\/toolkit\.json: `name` is missing/,
  )
  await broken({ 'shop/toolkit.json': manifestOf('store') }, /shop\/toolkit\.json \/slug: .*`shop`/)
  await broken({ 'shop/toolkit.json': '{' }, /shop\/toolkit\.json: is not JSON/)
  await broken({ 'shop/operations.bin': 'x' }, /shop\/operations\.bin: /)
})

test('lazy loading: of many tools those that were used last stay in memory', async (t) => {
  const toolsOf = (toolkit: string, description: string) => ({
    tools: Array.from({ length: 200 }, (_, at) => toolNamed(`${toolkit}_GET_${at}`, { description })),
  })
  const folder = await folderWith(t, {
    'shop/toolkit.json': manifestOf('shop'),
    'shop/tools.json': toolsOf('SHOP', 'First text about an order.'),
    'mail/toolkit.json': manifestOf('mail', { name: 'Mail' }),
    'mail/tools.json': toolsOf('MAIL', 'First text about an order.'),
  })
  const catalog = openCatalog({ folder, compiledBytesMax: 600_000 })
  const describe = (slug: string) => catalog.tool(slug, LATEST_VERSION)!.tool.description
  describe('SHOP_GET_1')
  await writeFiles(folder, { 'shop/tools.json': toolsOf('SHOP', 'Second text about an order.') })
  assert.equal(describe('SHOP_GET_2'), 'First text about an order.', 'one of them does not read again')
  describe('MAIL_GET_1')
  assert.equal(describe('SHOP_GET_2'), 'Second text about an order.', 'both together are more than the limit')
})

test('lazy loading: all tools that are shipped stay in memory once they are used', () => {
  const catalog = openCatalog({ folder: fileURLToPath(new URL('../../../../../toolkits', import.meta.url)) })
  const byHand = catalog.toolkits.flatMap(({ slug, tools }) =>
    tools.slice(0, 1).map((tool) => [slug, tool.slug] as const),
  )
  const compiled = () => byHand.map(([, slug]) => catalog.tool(slug, LATEST_VERSION)!.tool)
  const first = compiled()
  assert.ok(compiled().every((tool, at) => tool === first[at]))
})

test('lazy loading: the digest changes with a tool, and not with the icon', async (t) => {
  const folder = await folderWith(t, { ...shop(), ...mail() })
  const digest = () => openCatalog({ folder }).digest('shop')
  const first = digest()
  await writeFiles(folder, { 'shop/icon.svg': ICON.replace('/>', ' />') })
  assert.equal(digest(), first)
  await writeFiles(folder, { 'shop/tools/SHOP_ADD.json': toolNamed('SHOP_ADD', { effect: 'update' }) })
  assert.notEqual(digest(), first)
})
