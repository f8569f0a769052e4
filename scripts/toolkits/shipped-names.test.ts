import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { loadCatalog } from '../../src/catalog/index.ts'
import { isComplete } from './sentence-names.ts'
import { isBaseVerb } from './verb-forms.ts'

let tools: { slug: string; toolkit: string; name: string; isGenerated: boolean }[]

before(async () => {
  const catalog = await loadCatalog({ folder: join(import.meta.dirname, '..', '..', 'toolkits') })
  // Manifests only: to compile all tools takes seconds.
  tools = catalog.toolkits.flatMap((toolkit) =>
    [...catalog.manifests(toolkit.slug, toolkit.version)].map(({ slug, name, source }) => ({
      slug,
      toolkit: toolkit.slug,
      name,
      isGenerated: source !== undefined,
    })),
  )
})

const faults = (isFault: (name: string) => boolean) =>
  tools
    .filter(({ isGenerated, name }) => isGenerated && isFault(name))
    .map(({ slug, name }) => `${slug}: ${name}`)

test('names of generated tools: each begins with the base form of an English verb', () => {
  assert.ok(tools.filter(({ isGenerated }) => isGenerated).length > 28_000)
  assert.deepEqual(
    faults((name) => !isBaseVerb(name.split(/[ ,]/)[0]!)),
    [],
  )
})

test('names of generated tools: each is a complete phrase', () => {
  assert.deepEqual(
    faults((name) => !isComplete(name) || name.split(' ').length < 2),
    [],
  )
})

test('names of tools: no two tools of a toolkit have the same one', () => {
  const shared = [...Map.groupBy(tools, ({ toolkit, name }) => `${toolkit}: ${name.toLowerCase()}`)]
    .filter(([, all]) => all.length > 1 && all.some(({ isGenerated }) => isGenerated))
    .map(([name, all]) => `${name} (${all.map(({ slug }) => slug).join(', ')})`)
  assert.deepEqual(shared, [])
})
