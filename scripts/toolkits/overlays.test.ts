import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { type Catalog, loadCatalog } from '../../src/catalog/index.ts'
import { originalSlugs } from './coverage.ts'
import { optionalNames, readOverlay } from './overlay.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')
const overlays = globSync('*/overlay.json', { cwd: FOLDER }).map(
  (file) => [dirname(file), readOverlay(join(FOLDER, file))] as const,
)
const withoutNames = (path: string) => path.replace(/\{[^{}]*\}/g, '{}')
let catalog: Catalog

before(async () => {
  catalog = await loadCatalog({ folder: FOLDER })
})

test('overlays: each alias is a name of the original platform', () => {
  const unknown = overlays.flatMap(([slug, { aliases = {} }]) =>
    Object.keys(aliases).filter((alias) => !originalSlugs.get(slug)?.includes(alias)),
  )
  assert.ok(overlays.length > 10)
  assert.deepEqual(unknown, [])
})

test('overlays: each alias leads to the tool or to the operation that it names', () => {
  const wrong = overlays.flatMap(([, { aliases = {} }]) =>
    Object.entries(aliases).flatMap(([alias, target]) => {
      const { slug, request } = catalog.tool(alias, 'latest')?.tool.manifest ?? {}
      const path = withoutNames(request?.path ?? '').replace(/^https:\/\/[^/]*/, '')
      const [method = '', route = ''] = withoutNames(target).split(' ')
      const isOperation = request?.method === method && (route.endsWith(path) || path.endsWith(route))
      return slug === target || isOperation
        ? []
        : [`${alias}: ${target} is ${slug} ${request?.method} ${path}`]
    }),
  )
  assert.deepEqual(wrong, [])
})

test('overlays: a name that means none of the operations leads to no tool, and is one of the original platform', () => {
  const names = overlays.flatMap(([slug, { unresolved = {} }]) =>
    Object.keys(unresolved).map((name) => [slug, name] as const),
  )
  assert.ok(names.length > 0)
  for (const [slug, name] of names) {
    assert.ok(originalSlugs.get(slug)?.includes(name), name)
    assert.equal(catalog.tool(name, 'latest')?.tool.slug, undefined, name)
  }
})

test('overlays: optional arguments are given by operation, with * for any text', () => {
  const optional = { 'POST /crm/*/search': ['after'], 'PATCH /pages/{id}': ['*'], '*': ['type'] }
  const names = (operation: string) => optionalNames({ optional }, operation)
  assert.deepEqual(names('POST /crm/tasks/search'), ['after', 'type'])
  assert.deepEqual(names('POST /crm/tasks'), ['type'])
  assert.deepEqual(names('PATCH /pages/{id}'), ['*', 'type'])
  assert.deepEqual(names('PATCH /pages/{id}/draft'), ['type'])
})
