import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadCatalog } from '../../src/catalog/index.ts'
import { readWithoutTools, withoutToolsPage } from './pages/without-tools-page.ts'

const catalog = await loadCatalog({ folder: join(import.meta.dirname, '..', '..', 'toolkits') })

test('without tools: each toolkit without tools has exactly one reason, and no other toolkit has one', () => {
  const listed = Object.values(readWithoutTools()).flat().sort()
  const empty = catalog.toolkits.filter(({ toolCount }) => toolCount === 0).map(({ slug }) => slug)
  assert.deepEqual(listed, empty.sort())
})

test('without tools: the page has a row for each toolkit, with its name and reason', () => {
  const page = withoutToolsPage(catalog.toolkits, { 'No source.': ['zenserp', 'accelo'] })
  assert.match(page, /\| `accelo` \[Accelo\]\(accelo\.md\) \| No source\. \|\n\| `zenserp` \[Zenserp\]/)
})
