/**
 * Generates `toolkits/<slug>/operations.bin`: the tools of each operation that the vendor's documents have and that
 * is not written by hand, and of those that `operations.json` in the folder of the toolkit states.
 *
 *   npm run toolkits -- --facts <folder> [slug…] [--check] [--left] [--quick]
 *
 * Running it again writes the same bytes. `--check` writes nothing and fails where a file would change. `--left`
 * prints the operations that are no tools, and why. `--quick` does not compile the schemas of arguments, for work on
 * an overlay.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import type { Diagnostic } from '../../src/catalog/manifest/diagnostics.ts'
import { readToolkits } from '../../src/catalog/manifest/load/read.ts'
import { readFacts } from './facts.ts'
import { type GeneratedToolkit, generateToolkit } from './generate.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'toolkits')

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    facts: { type: 'string' },
    check: { type: 'boolean' },
    left: { type: 'boolean' },
    quick: { type: 'boolean' },
  },
})
if (values.facts === undefined) fail('Give the folder of facts: npm run toolkits -- --facts <folder> [slug…]')
const facts = readFacts(values.facts)
const diagnostics: Diagnostic[] = []
const sources = readToolkits(FOLDER, diagnostics).filter(
  ({ slug }) => positionals.length === 0 || positionals.includes(slug),
)
// A file of an older format is written again.
const unreadable = diagnostics.filter(({ file }) => !file.endsWith('/operations.bin'))
if (unreadable.length > 0) fail(unreadable.map(({ file, reason }) => `${file} ${reason}`).join('\n'))
const unknown = positionals.filter((slug) => !sources.some((source) => source.slug === slug))
if (unknown.length > 0) fail(`There is no toolkit ${unknown.join(', ')} below toolkits/.`)

let changed = 0
let toolCount = 0
for (const source of sources) {
  const generated = await generateToolkit(facts, source, FOLDER, values.quick === true).catch(
    (error: Error) => fail(error.message),
  )
  toolCount += generated.tools.length
  if (write(generated)) changed++
  if (generated.tools.length > 0 || values.left) report(generated)
}
stdout.write(
  `${toolCount} tools of ${sources.length} toolkits; ${changed} files ${values.check ? 'differ' : 'written'}\n`,
)
if (values.check && changed > 0) exit(1)

/** Writes the file where it differs; returns whether it did. */
function write({ slug, bytes }: GeneratedToolkit): boolean {
  const file = join(FOLDER, slug, 'operations.bin')
  const current = existsSync(file) ? readFileSync(file) : undefined
  if (bytes === undefined ? current === undefined : current?.equals(bytes)) return false
  if (values.check) return true
  if (bytes === undefined) rmSync(file)
  else writeFileSync(file, bytes)
  return true
}

function report({ slug, tools, curatedAliases, left, bytes }: GeneratedToolkit): void {
  const size = ((bytes?.length ?? 0) / 1_024).toFixed(0)
  const aliases = Object.keys(curatedAliases).length
  stdout.write(
    `${slug}: ${tools.length} tools, ${aliases} aliases of curated tools, ${left.size} left out, ${size} KB\n`,
  )
  if (values.left) for (const [operation, reason] of left) stdout.write(`  ${operation}: ${reason}\n`)
}

function fail(message: string): never {
  stderr.write(`${message}\n`)
  exit(2)
}
