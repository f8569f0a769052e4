import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadCatalog } from './load.ts'
import { toolViews } from './views.ts'

const folder = fileURLToPath(new URL('../../toolkits', import.meta.url))

test('every toolkit that ships is without a mistake', async () => {
  const catalog = await loadCatalog({ folder, lint: true })
  assert.ok(catalog.toolkits.length > 0)
  for (const tool of catalog.tools) {
    const { flatInput, output } = toolViews(tool)
    assert.equal(Object.keys(flatInput).length, Object.keys((tool.input.properties ?? {}) as object).length, tool.slug)
    assert.ok(output.title)
    assert.equal((tool.request === undefined) !== (tool.code === undefined), true, tool.slug)
  }
})
