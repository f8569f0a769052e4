/**
 * Prints what exists of the toolkits: tools by the trust in their document, slugs of the original platform.
 *
 *   npm run toolkits:coverage -- [slug…] [--missing] [--by-category] [--triggers] [--json]
 *
 * `--missing` prints the slugs that do not resolve. `--triggers` prints the triggers of the most used toolkits.
 */
import { join } from 'node:path'
import { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { loadCatalog } from '../../src/catalog/index.ts'
import {
  coverageTotals,
  mostUsed,
  type ToolkitCoverage,
  toolkitCoverage,
  TRIGGERS_MIN,
  withoutTriggers,
} from './coverage.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')
const SLUG_WIDTH = 32
const NUMBER_WIDTH = 10

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    missing: { type: 'boolean' },
    'by-category': { type: 'boolean' },
    triggers: { type: 'boolean' },
    json: { type: 'boolean' },
  },
})
const all = toolkitCoverage(await loadCatalog({ folder: FOLDER }))
const toolkits = all.filter(({ slug }) => positionals.length === 0 || positionals.includes(slug))

if (values.json) stdout.write(`${JSON.stringify(toolkits, null, 2)}\n`)
else if (values.triggers) printTriggers()
else {
  const grouped = values['by-category']
    ? [...Map.groupBy(toolkits, ({ categories }) => categories[0] ?? 'other')].sort(([a], [b]) =>
        a < b ? -1 : 1,
      )
    : toolkits.map((one): [string, ToolkitCoverage[]] => [one.slug, [one]])
  printRow(values['by-category'] ? 'category' : 'toolkit', [
    'toolkits',
    'by hand',
    'generated',
    'triggers',
    'slugs',
    'resolve',
  ])
  for (const [label, group] of grouped) {
    printRow(label, [
      group.length,
      ...(['curatedTools', 'generatedTools', 'triggers', 'originalSlugs', 'resolvedSlugs'] as const).map(
        (key) => group.reduce((sum, one) => sum + one[key], 0),
      ),
    ])
    if (values.missing)
      for (const slug of group.flatMap(({ missingSlugs }) => missingSlugs)) stdout.write(`  ${slug}\n`)
  }
  stdout.write('\n')
  for (const [label, value] of coverageTotals(toolkits))
    stdout.write(`${label.padEnd(SLUG_WIDTH + NUMBER_WIDTH)} ${value}\n`)
}

function printRow(label: string, cells: readonly (string | number)[]): void {
  const numbers = cells.map((cell) => String(cell).padStart(NUMBER_WIDTH)).join('')
  stdout.write(`${label.padEnd(SLUG_WIDTH)}${numbers}\n`)
}

/** Prints the number of triggers of each of the most used toolkits, and why some have none. */
function printTriggers(): void {
  const counts = new Map(all.map(({ slug, triggers }) => [slug, triggers]))
  for (const slug of mostUsed) {
    const count = counts.get(slug) ?? 0
    const reason = count < TRIGGERS_MIN ? `  ${withoutTriggers[slug] ?? 'no reason is stated'}` : ''
    stdout.write(`${slug.padEnd(SLUG_WIDTH)}${String(count).padStart(NUMBER_WIDTH)}${reason}\n`)
  }
}
