import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'
import { createToolSearch, indexOf } from '../../../search/tool-search.ts'
import { searchToolkits } from '../../../search/segments/catalog-documents.ts'
import { toolkitContext } from '../../compile/tool.ts'
import { ManifestError } from '../../diagnostics.ts'
import type { ToolkitManifest, ToolManifest } from '../../format/index.ts'
import { loadCatalog } from '../load.ts'
import { type CuratedAliases, encodeOperations } from './index.ts'

const TOOLKIT = sampleToolkit() as unknown as ToolkitManifest
const generated = (slug: string, more: Record<string, unknown> = {}) =>
  sampleTool({
    slug,
    name: slug,
    source: { document: 'shop#0', version: '3', tier: 'vendor' },
    ...more,
  }) as unknown as ToolManifest

const TOOLS = [
  generated('SHOP_CANCEL_ORDER', {
    effect: 'update',
    aliases: ['SHOP_ABORT_ORDER'],
    request: { method: 'POST', path: '/orders/{id}/cancel' },
  }),
  generated('SHOP_LIST_REGION_ORDERS', {
    input: { type: 'object', properties: { region: { type: 'string', description: 'Region.' } } },
    request: { method: 'GET', path: '/orders', query: ['region'] },
  }),
]

async function shop(
  t: TestContext,
  tools: readonly ToolManifest[] = TOOLS,
  { aliases = {}, files = {} }: { aliases?: CuratedAliases; files?: Record<string, unknown> } = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'operations-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'shop'))
  const content = { slug: 'shop', tools, curatedAliases: aliases, digest: 'a'.repeat(64) }
  const written: Record<string, unknown> = {
    'toolkit.json': TOOLKIT,
    'tools.json': { tools: [sampleTool({ important: true, phrases: ['show an order'] })] },
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'operations.bin': encodeOperations(content, toolkitContext(TOOLKIT)),
    ...files,
  }
  for (const [name, value] of Object.entries(written))
    if (value !== undefined)
      await writeFile(
        join(folder, 'shop', name),
        typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value),
      )
  return folder
}

test('generated tools: they are tools of the toolkit, after those that are written by hand', async (t) => {
  const catalog = await loadCatalog({ folder: await shop(t) })
  assert.equal(catalog.toolCount, 3)
  assert.deepEqual(
    [...catalog.tools].map(({ slug }) => slug),
    ['SHOP_GET_ORDER', 'SHOP_CANCEL_ORDER', 'SHOP_LIST_REGION_ORDERS'],
  )
  const found = catalog.tool('shop_cancel_order', 'latest')!
  assert.equal(found.toolkit.slug, 'shop')
  assert.equal(found.tool.effect, 'update')
  assert.equal(found.tool.request?.method, 'POST')
  assert.deepEqual(found.tool.manifest.source, { document: 'shop#0', version: '3', tier: 'vendor' })
  assert.equal(catalog.tool('SHOP_ABORT_ORDER', 'latest')?.tool.slug, 'SHOP_CANCEL_ORDER')
  assert.equal(catalog.ownerOf('SHOP_LIST_REGION_ORDERS'), 'shop')
  assert.deepEqual(
    [...catalog.manifests('shop', '20260115_00')].map(({ slug }) => slug),
    ['SHOP_GET_ORDER', 'SHOP_CANCEL_ORDER', 'SHOP_LIST_REGION_ORDERS'],
  )
})

test('generated tools: a name leads to the tool that is written by hand before a generated one', async (t) => {
  const folder = await shop(t, [...TOOLS, generated('SHOP_GET_ORDER', { name: 'Generated' })], {
    aliases: { SHOP_RETRIEVE_ORDER: 'SHOP_GET_ORDER' },
  })
  const catalog = await loadCatalog({ folder })
  assert.equal(catalog.tool('SHOP_GET_ORDER', 'latest')?.tool.name, 'Get order')
  assert.equal(catalog.tool('SHOP_RETRIEVE_ORDER', 'latest')?.tool.name, 'Get order')
  assert.equal(catalog.entry('SHOP_RETRIEVE_ORDER', 'latest')?.slug, 'SHOP_GET_ORDER')
})

test('generated tools: every release has them, and the digest of older releases stays', async (t) => {
  const older = {
    ...TOOLKIT,
    releases: [
      { version: '20260120_00', changes: 'More.' },
      { version: '20260115_00', changes: 'First release.' },
    ],
  }
  const folder = await shop(t, TOOLS, { files: { 'toolkit.json': older } })
  const version = join(folder, 'shop', 'versions', '20260115_00')
  await mkdir(version, { recursive: true })
  await writeFile(join(version, 'toolkit.json'), JSON.stringify(TOOLKIT))
  await writeFile(join(version, 'tools.json'), JSON.stringify({ tools: [sampleTool()] }))
  const [withThem, without] = [
    await loadCatalog({ folder }),
    await loadCatalog({ folder, operations: false }),
  ]
  for (const version of ['20260115_00', '00000000_00', 'latest']) {
    assert.equal(withThem.tool('SHOP_CANCEL_ORDER', version)?.tool.slug, 'SHOP_CANCEL_ORDER', version)
    assert.ok([...withThem.entries(version)].some(({ slug }) => slug === 'SHOP_CANCEL_ORDER'))
  }
  assert.equal(withThem.toolkit('shop', '20260115_00')?.toolCount, 3)
  assert.equal(withThem.tool('SHOP_CANCEL_ORDER', '20260114_00'), undefined)
  assert.equal(withThem.digest('shop', '20260115_00'), without.digest('shop', '20260115_00'))
  assert.notEqual(withThem.digest('shop', '20260120_00'), without.digest('shop', '20260120_00'))
  assert.notEqual(withThem.digest('shop'), without.digest('shop'))
})

test('generated tools: a toolkit may have no other tools', async (t) => {
  const folder = await shop(t, TOOLS, { files: { 'tools.json': undefined } })
  const catalog = await loadCatalog({ folder, lint: true })
  assert.equal(catalog.toolkit('shop')?.toolCount, 2)
  assert.equal(catalog.tool('SHOP_CANCEL_ORDER', 'latest')?.tool.slug, 'SHOP_CANCEL_ORDER')
})

test('generated tools: search finds them, and knows which are written by hand', async (t) => {
  const catalog = await loadCatalog({ folder: await shop(t) })
  const [toolkit] = [...searchToolkits(catalog)]
  assert.deepEqual(
    toolkit!.tools.map(({ slug, isCurated }) => [slug, isCurated]),
    [
      ['SHOP_GET_ORDER', true],
      ['SHOP_CANCEL_ORDER', false],
      ['SHOP_LIST_REGION_ORDERS', false],
    ],
  )
  const search = createToolSearch(indexOf([toolkit!]))
  const { tools } = search.find('cancel an order in shop', { limit: 3 })
  assert.equal(tools[0]?.slug, 'SHOP_CANCEL_ORDER')
})

test('generated tools: a damaged file is reported at the start, and later when a part is read', async (t) => {
  const folder = await shop(t)
  const file = join(folder, 'shop', 'operations.bin')
  const bytes = await readFile(file)
  const catalog = await loadCatalog({ folder })
  const damaged = Buffer.from(bytes)
  damaged.fill(0, bytes.length - 40)
  await writeFile(file, damaged)
  assert.throws(() => catalog.tool('SHOP_CANCEL_ORDER', 'latest'), /operations\.bin is damaged/)
  await writeFile(file, bytes.subarray(0, bytes.length - 1))
  await assert.rejects(loadCatalog({ folder }), (error) => {
    assert.ok(error instanceof ManifestError)
    assert.deepEqual(error.diagnostics, [
      {
        file: 'shop/operations.bin',
        path: '',
        reason: 'is damaged or of another format. Run npm run toolkits.',
      },
    ])
    return true
  })
})

test('generated tools: the same content gives the same bytes', () => {
  const content = { slug: 'shop', tools: TOOLS, curatedAliases: {}, digest: 'b'.repeat(64) }
  const context = toolkitContext(TOOLKIT)
  assert.deepEqual(
    encodeOperations(content, context),
    encodeOperations({ ...content, tools: TOOLS.toReversed() }, context),
  )
})

test('generated tools: two catalogues with the same tools compile them with their own toolkits', async (t) => {
  const open = { ...TOOLKIT, base_url: 'https://shop.example', auth: [{ scheme: 'NO_AUTH' }] }
  const catalogs = [
    await loadCatalog({ folder: await shop(t) }),
    await loadCatalog({ folder: await shop(t, TOOLS, { files: { 'toolkit.json': open } }) }),
  ]
  assert.deepEqual(
    catalogs.map((catalog) => catalog.tool('SHOP_CANCEL_ORDER', 'latest')!.tool.noAuth),
    [false, true],
  )
})

test('generated tools: a tool stays in memory, unless its caller reads many tools once', async (t) => {
  const catalog = await loadCatalog({ folder: await shop(t) })
  const read = (remember: boolean) => catalog.tool('SHOP_CANCEL_ORDER', 'latest', { remember })!.tool
  assert.notEqual(read(false), read(false))
  const remembered = read(true)
  assert.equal(read(true), remembered)
  assert.equal(read(false), remembered)
})
