/**
 * Writes `docs/toolkits/`: a page for each built-in toolkit, an index, and the list of toolkits that are missing.
 * With `--check` it writes nothing and fails when a page is out of date.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, stderr, stdout } from 'node:process'
import { loadCatalog } from '../src/catalog/index.ts'
import { readChecked, readKnownDifferences } from './toolkits/check-facts/result.ts'
import { toolkitCoverage } from './toolkits/coverage.ts'
import { indexPage, notIncludedPage } from './toolkits/pages/index-page.ts'
import { toolkitPage } from './toolkits/pages/toolkit-page.ts'
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
const pages = new Map([
  ['README.md', indexPage(toolkits, missing, toolkitCoverage(catalog))],
  ['not-included.md', notIncludedPage(missing)],
  ...toolkits.map(
    (toolkit) =>
      [
        `${toolkit.slug}.md`,
        toolkitPage(catalog, toolkit, facts.get(toolkit.slug), differencesOf(toolkit.slug)),
      ] as const,
  ),
])

const files = new Set(readdirSync(folder))
const outdated = [...pages].filter(
  ([name, text]) => !files.has(name) || readFileSync(join(folder, name), 'utf8') !== text,
)
const superfluous = [...files].filter((name) => !pages.has(name))
if (argv.includes('--check')) {
  const names = [...outdated.map(([name]) => name), ...superfluous]
  if (names.length > 0) {
    stderr.write(
      `docs/toolkits is out of date: ${names.join(', ')}. Run node scripts/write-toolkit-pages.ts.\n`,
    )
    process.exitCode = 1
  }
} else {
  for (const [name, text] of outdated) writeFileSync(join(folder, name), text)
  for (const name of superfluous) rmSync(join(folder, name))
  stdout.write(`${pages.size} pages, ${outdated.length} written, ${superfluous.length} removed\n`)
}
