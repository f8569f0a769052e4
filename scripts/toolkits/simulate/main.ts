/**
 * Runs every generated tool against a simulation of its application and prints what fails, by toolkit.
 *
 *   npm run toolkits:simulate -- [slug…] [--faults]
 *
 * The last line says how much of all generated tools that covers. `not run` counts tools for which no arguments that
 * fit their schema could be made. `--faults` prints each fault.
 * Exits with 1 if there is one.
 */
import { join } from 'node:path'
import { argv, exit, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { loadCatalog } from '../../../src/catalog/index.ts'
import { generatedSlugs, toolRunner } from './run-tool.ts'
import { simulateTool } from './simulate-tool.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'toolkits')
const SLUG_WIDTH = 32
const NUMBER_WIDTH = 10

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { faults: { type: 'boolean' } },
})
const catalog = await loadCatalog({ folder: FOLDER })
const run = toolRunner(catalog)
const totals = [0, 0, 0, 0]
const all = { tools: 0, toolkits: 0, run: 0 }
printRow('toolkit', ['tools', 'pages', 'not run', 'faults'])
for (const toolkit of catalog.toolkits) {
  const slugs = generatedSlugs(catalog, toolkit)
  if (slugs.length === 0) continue
  all.tools += slugs.length
  all.toolkits++
  if (positionals.length > 0 && !positionals.includes(toolkit.slug)) continue
  all.run++
  const results = []
  for (const slug of slugs) results.push(await simulateTool(catalog, run, toolkit, slug))
  const faulty = results.filter(({ faults }) => faults.length > 0)
  const row = [
    slugs.length,
    results.filter(({ isPaged }) => isPaged).length,
    results.filter(({ isUnfilled }) => isUnfilled).length,
    faulty.length,
  ]
  row.forEach((count, index) => (totals[index]! += count))
  printRow(toolkit.slug, row)
  if (values.faults)
    for (const { slug, faults } of faulty) stdout.write(`  ${slug}: ${faults.join('; ').slice(0, 400)}\n`)
}
printRow('together', totals)
const ran = totals[0]! - totals[2]!
stdout.write(`${ran} of ${all.tools} generated tools ran, of ${all.run} of ${all.toolkits} toolkits\n`)
exit(totals.at(-1) === 0 ? 0 : 1)

function printRow(label: string, cells: readonly (string | number)[]): void {
  const numbers = cells.map((cell) => String(cell).padStart(NUMBER_WIDTH)).join('')
  stdout.write(`${label.padEnd(SLUG_WIDTH)}${numbers}\n`)
}
