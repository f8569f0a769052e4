import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { loadCatalog, readAllTools, searchOf } from '../index.ts'

test('search: every curated tool is offered for its own name with the name of its application', async () => {
  const catalog = await loadCatalog({
    folder: join(import.meta.dirname, '../../../toolkits'),
    operations: false,
  })
  const search = searchOf(catalog)
  const withheld = [...readAllTools(catalog)].flatMap(({ slug, name, toolkit }) => {
    const { fit } = search.find(`${name} in ${catalog.toolkit(toolkit)!.name}`, { limit: 1 })
    return fit.level === 'none' ? [slug] : []
  })
  assert.deepEqual(withheld, [])
})
