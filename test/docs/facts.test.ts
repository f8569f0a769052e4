import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { loadCatalog } from '../../src/catalog/index.ts'
import { AREAS } from '../../src/contract/route.ts'
import { ACCOUNT_STATUSES } from '../../src/contract/schemes.ts'
import { page, ROOT } from './markdown.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
/** First cells of the table rows that begin with code, and the cells after it. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| `([^`]+)`([^|]*)\|(.*)\|$/gm)].map(([, name = '', , rest = '']) => [
    name,
    ...rest.split('|').map((cell) => cell.trim()),
  ])

test('every dependency is argued for, and nothing else is', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >
  const argued = [...read('docs/decisions/0002-dependencies.md').matchAll(/^### (.+)$/gm)].flatMap(
    ([, heading = '']) => [...heading.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  assert.deepEqual(
    argued.toSorted(),
    Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).toSorted(),
  )
})

test('decisions: numbers are unique, and each page states question, decision, alternatives and failures', () => {
  const files = readdirSync(join(ROOT, 'docs/decisions'))
    .filter((file) => file.endsWith('.md'))
    .sort()
  // A number may be missing: a decision that was withdrawn keeps its number.
  const numbers = files.map((file) => file.slice(0, 4))
  assert.deepEqual([...new Set(numbers)], numbers)
  files.forEach((file) => {
    const text = read(`docs/decisions/${file}`)
    assert.match(file, /^\d{4}-[a-z0-9-]+\.md$/)
    assert.ok(text.startsWith(`# ${Number(file.slice(0, 4))}. `), `${file} has another number in its heading`)
    if (file.includes('dependencies')) return
    for (const part of ['**Question.**', '**Decision.**', '**Weighed', '**How it fails.**'])
      assert.ok(text.includes(part), `${file} lacks ${part}`)
  })
})

test('docs/toolkits/README.md: the table has each built-in toolkit with its number of tools and schemes', async () => {
  const catalog = await loadCatalog({ folder: join(ROOT, 'toolkits') })
  const ships = catalog.toolkits.map(({ slug, toolCount, schemes }) => [
    slug,
    String(toolCount),
    schemes.map(({ mode }) => mode).join(', '),
  ])
  const rows = rowsOf(page('docs/toolkits/README.md').text).filter((row) => row.length === 3)
  assert.deepEqual(
    rows,
    ships.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
})

test('the architecture names every table of the database and every folder of the source', () => {
  const text = read('docs/architecture.md')
  // Without partitions. A table that was replaced is created twice.
  const created = globSync('migrations/[0-9]*.sql', { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/^create table (\w+) \(/gm)].map(([, name]) => name),
  )
  assert.deepEqual(
    rowsOf(text)
      .map(([name]) => name)
      .filter((name) => /^[a-z_]+$/.test(name ?? ''))
      .toSorted(),
    [...new Set(created)].toSorted(),
  )
  const entries = readdirSync(join(ROOT, 'src')).filter((name) => !name.endsWith('.test.ts'))
  for (const name of entries) assert.ok(text.includes(name), `docs/architecture.md does not name src/${name}`)
})

test('the guide to keys names every area, and the guide to OAuth only statuses that exist', () => {
  const keys = read('docs/guides/scoped-keys.md')
  assert.deepEqual(
    Object.keys(AREAS).filter((area) => !keys.includes(`\`${area}\``)),
    [],
  )
  const statuses: readonly string[] = ACCOUNT_STATUSES
  assert.deepEqual(
    rowsOf(read('docs/guides/own-oauth-app.md'))
      .map(([name]) => name)
      .filter((name) => !statuses.includes(name ?? '')),
    [],
  )
})

test('guides: the example toolkit and its trigger pass every check of built-in toolkits', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-guide-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const blocks = ['docs/guides/write-a-toolkit.md', 'docs/guides/write-a-trigger.md'].flatMap(
    (file) => page(file).blocks,
  )
  for (const { words, text } of blocks) {
    const file = words.find((word) => word.startsWith('file='))?.slice('file='.length)
    if (!file) continue
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  await writeFile(join(folder, 'inventory/icon.svg'), read('toolkits/utilities/icon.svg'))
  const catalog = await loadCatalog({ folder, lint: true })
  assert.deepEqual(
    [...catalog.tools].map(({ slug }) => slug),
    ['INVENTORY_FIND_ARTICLES', 'INVENTORY_SET_QUANTITY'],
  )
  assert.ok(catalog.trigger('INVENTORY_ARTICLE_ADDED', 'latest'))
})
