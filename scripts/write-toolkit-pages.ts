/**
 * Writes `docs/toolkits/`: a page for each built-in toolkit, an index, and the list of toolkits that are missing.
 * Writes also the numbers of toolkits and tools in the README and the guide that shows the start of the server.
 * With `--check` it writes nothing and fails when a page is out of date.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, stderr, stdout } from 'node:process'
import { loadCatalog } from '../src/catalog/index.ts'
import { readChecked, readKnownDifferences } from './toolkits/check-facts/result.ts'
import { readCheckedSources } from './toolkits/check-sources/result.ts'
import { toolkitCoverage } from './toolkits/coverage.ts'
import { OPERATION_FILE, readOperationFile } from './toolkits/operation-files/index.ts'
import { indexPage, notIncludedPage } from './toolkits/pages/index-page.ts'
import { toolkitPage } from './toolkits/pages/toolkit-page.ts'
import { readWithoutTools, withoutToolsPage } from './toolkits/pages/without-tools-page.ts'
import { readFacts, readNotIncluded } from './toolkits/sign-in/facts.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs', 'toolkits')
mkdirSync(folder, { recursive: true })

const catalog = await loadCatalog({ folder: join(root, 'toolkits') })
const facts = new Map(readFacts().map((one) => [one.slug, one]))
const toolkits = catalog.toolkits.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
const missing = readNotIncluded()
const checked = readChecked()
const reasons = new Map(readKnownDifferences().map(({ slug, fact, reason }) => [`${slug} ${fact}`, reason]))
const differencesOf = (slug: string) =>
  (checked.get(slug)?.differs ?? []).map((one) => ({
    ...one,
    reason: reasons.get(`${slug} ${one.fact}`) ?? 'The reason is not known.',
  }))
const checkedSources = readCheckedSources()
const statedSources = (slug: string) => {
  const file = readOperationFile(join(root, 'toolkits', slug, OPERATION_FILE))
  return file && { file, checked: checkedSources.get(slug) }
}
const pages = new Map([
  ['README.md', indexPage(toolkits, missing, toolkitCoverage(catalog))],
  ['not-included.md', notIncludedPage(missing)],
  ['without-tools.md', withoutToolsPage(toolkits, readWithoutTools())],
  ...toolkits.map(
    (toolkit) =>
      [
        `${toolkit.slug}.md`,
        toolkitPage(
          catalog,
          toolkit,
          facts.get(toolkit.slug),
          differencesOf(toolkit.slug),
          statedSources(toolkit.slug),
        ),
      ] as const,
  ),
])

const toolCount = toolkits.reduce((sum, toolkit) => sum + toolkit.toolCount, 0)
const NUMBERS: readonly { page: string; line: RegExp; text: string }[] = [
  { page: 'README.md', line: /^\d+ (?=\[toolkits are built in\])/m, text: `${toolkits.length} ` },
  {
    page: join('docs', 'guides', 'start-the-server.md'),
    line: /(?<=✓ catalogue   )\d+ toolkits, \d+ tools/,
    text: `${toolkits.length} toolkits, ${toolCount} tools`,
  },
]
const numbers = NUMBERS.map(({ page, line, text }) => {
  const before = readFileSync(join(root, page), 'utf8')
  return { page, before, after: before.replace(line, text) }
}).filter(({ before, after }) => before !== after)

const files = new Set(readdirSync(folder))
const outdated = [...pages].filter(
  ([name, text]) => !files.has(name) || readFileSync(join(folder, name), 'utf8') !== text,
)
const superfluous = [...files].filter((name) => !pages.has(name))
if (argv.includes('--check')) {
  const names = [...outdated.map(([name]) => name), ...superfluous, ...numbers.map(({ page }) => page)]
  if (names.length > 0) {
    stderr.write(`Out of date: ${names.join(', ')}. Run node scripts/write-toolkit-pages.ts.\n`)
    process.exitCode = 1
  }
} else {
  for (const [name, text] of outdated) writeFileSync(join(folder, name), text)
  for (const { page, after } of numbers) writeFileSync(join(root, page), after)
  for (const name of superfluous) rmSync(join(folder, name))
  stdout.write(`${pages.size} pages, ${outdated.length} written, ${superfluous.length} removed\n`)
}
