import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { env } from 'node:process'
import { before, test } from 'node:test'
import { type Catalog, loadCatalog } from '../../src/catalog/index.ts'
import { renderRequest } from '../../src/catalog/manifest/compile/request/request.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { lintFiles } from '../../src/catalog/manifest/lint/lint-files.ts'
import { exampleArguments } from '../../simulation/applications/example-arguments.ts'
import { descriptionFaults } from './description-faults.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')
/** One in so many is tested; ALL_OPERATIONS=1 tests all, in a few minutes. */
const READ_ONE_IN = env['ALL_OPERATIONS'] ? 1 : 10
const COMPILE_ONE_IN = env['ALL_OPERATIONS'] ? 1 : 300

let catalog: Catalog
let sample: ToolManifest[]

const isIn = (slug: string, oneIn: number) =>
  createHash('sha256').update(slug).digest().readUInt32BE() % oneIn === 0

before(async () => {
  catalog = await loadCatalog({ folder: FOLDER })
  sample = catalog.toolkits.flatMap(({ slug, version, tools }) =>
    tools.some((tool) => isIn(tool.slug, READ_ONE_IN))
      ? [...catalog.manifests(slug, version)].filter((tool) => tool.source && isIn(tool.slug, READ_ONE_IN))
      : [],
  )
})

test('shipped operations: the texts of each have some length, are well written and describe each argument', () => {
  let count = 0
  const faults: string[] = []
  for (const { slug, version } of catalog.toolkits)
    for (const tool of catalog.manifests(slug, version)) {
      if (!tool.source) continue
      count++
      for (const fault of descriptionFaults(tool)) faults.push(`${tool.slug}: ${fault}`)
    }
  assert.ok(count > 33_000, `${count} generated tools`)
  assert.ok(sample.length > 100, `${sample.length} tools in the sample`)
  assert.deepEqual(faults, [])
})

test('shipped operations: each resolves to itself, in its own toolkit', () => {
  for (const { slug, aliases = [] } of sample)
    for (const name of [slug, ...aliases]) assert.equal(catalog.tool(name, 'latest')?.tool.slug, slug)
})

test('shipped operations: each request renders with the required arguments and with all', () => {
  for (const { slug } of sample.filter((tool) => isIn(tool.slug, READ_ONE_IN * 4))) {
    const { tool } = catalog.tool(slug, 'latest')!
    for (const which of ['all', 'required'] as const) {
      const { path } = renderRequest(tool.request!, exampleArguments(tool.input, which), () => 'value')
      assert.match(path, /^(\/|https:\/\/)/, slug)
    }
  }
})

test('shipped operations: each parameter of a path is a required argument', () => {
  const faults = sample.flatMap(({ slug, request, input }) => {
    const required = new Set((input as { required?: string[] }).required)
    const names = [...request!.path.matchAll(/\{\+?([A-Za-z_][\w.-]*)/g)].map(([, name]) => name!)
    const isWrong = names.some((name) => !required.has(name)) || request!.path.includes('undefined')
    return isWrong ? [`${slug} ${request!.path}`] : []
  })
  assert.deepEqual(faults, [])
})

test('shipped operations: no path begins with the part with which the base URL ends', () => {
  const faults = catalog.toolkits.flatMap(({ slug, baseUrl }) => {
    const last = baseUrl?.source.split('/').slice(3).at(-1)
    return sample.flatMap((tool) =>
      tool.slug.startsWith(`${slug.toUpperCase()}_`) && last && tool.request!.path.startsWith(`/${last}/`)
        ? [`${tool.slug} ${baseUrl!.source}${tool.request!.path}`]
        : [],
    )
  })
  assert.deepEqual(faults, [])
})

test('shipped operations: their schemas compile', async () => {
  const tools = sample.filter(({ slug }) => isIn(slug, COMPILE_ONE_IN))
  assert.ok(tools.length > 10)
  const faults: string[] = []
  await lintFiles({ toolkit: {}, tools: { tools } }, () => ({
    add: (path, reason) => void faults.push(`${tools[Number(path.split('/')[2])]?.slug} ${path}: ${reason}`),
  }))
  assert.deepEqual(faults, [])
})
