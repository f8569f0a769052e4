import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCatalog } from '../../../src/catalog/index.ts'
import { generatedSlugs, toolRunner } from './run-tool.ts'
import { simulateTool } from './simulate-tool.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'toolkits')
/** `npm run toolkits:simulate` runs all tools. */
const TOOLS_PER_TOOLKIT = 3

const catalog = await loadCatalog({ folder: FOLDER })
const run = toolRunner(catalog)
const digestOf = (slug: string) => createHash('sha256').update(slug).digest('hex')

/** The same tools in each run, spread over the toolkit; a list with pages is among them if there is one. */
function sampleOf(toolkit: (typeof catalog.toolkits)[number]): string[] {
  const slugs = generatedSlugs(catalog, toolkit).sort((a, b) => (digestOf(a) < digestOf(b) ? -1 : 1))
  const paged = slugs.find((slug) => catalog.tool(slug, 'latest')!.tool.pagination !== undefined)
  return [...new Set([...(paged === undefined ? [] : [paged]), ...slugs])].slice(0, TOOLS_PER_TOOLKIT)
}

test('generated tools: three of each toolkit run against a simulation, with an error and two pages', async () => {
  const faults: string[] = []
  let pagedCount = 0
  for (const toolkit of catalog.toolkits)
    for (const slug of sampleOf(toolkit)) {
      const result = await simulateTool(catalog, run, toolkit, slug)
      if (result.isPaged) pagedCount++
      faults.push(...result.faults.map((fault) => `${slug} ${fault}`))
    }
  assert.deepEqual(faults, [])
  assert.ok(pagedCount > 20, `${pagedCount} lists with pages were read`)
})

test('generated tools: a parameter that the request does not send is a fault', async () => {
  const toolkit = catalog.toolkit('notion')!
  const slug = generatedSlugs(catalog, toolkit).find((one) =>
    catalog.tool(one, 'latest')!.tool.manifest.request!.path.includes('{'),
  )!
  const broken = {
    ...catalog,
    tool: (...args: Parameters<typeof catalog.tool>) => {
      const found = catalog.tool(...args)!
      const { manifest } = found.tool
      const request = { ...manifest.request!, path: '/elsewhere' }
      return { ...found, tool: { ...found.tool, manifest: { ...manifest, request } } }
    },
  } as typeof catalog
  const { faults } = await simulateTool(broken, run, toolkit, slug)
  assert.notDeepEqual(faults, [])
})
