/**
 * Compares how each toolkit signs in with what the sources of a folder of facts state, and each generated tool with the
 * operation of its document. Writes the results to `scripts/toolkits/data/checked-facts.jsonl` and
 * `checked-operations.jsonl`.
 *
 *   npm run check:facts -- <folder> [--check]
 *
 * Prints each difference. Fails for one of sign-in without a reason in `data/known-differences.json`, for a reason
 * without a difference, and for a generated tool that differs from its document. `--check` writes nothing and fails
 * where the file would change.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { type Diagnostic, ManifestError } from '../../../src/catalog/manifest/diagnostics.ts'
import type { ToolkitManifest } from '../../../src/catalog/manifest/format/index.ts'
import { readToolkits } from '../../../src/catalog/manifest/load/read.ts'
import { readFacts } from '../facts.ts'
import { OPERATION_FILE, readOperationFile } from '../operation-files/index.ts'
import { readOverlay } from '../overlay.ts'
import { type CheckedOperations, checkOperations } from './check-operations.ts'
import { compareFacts } from './compare.ts'
import { OPERATIONS_FILE } from './operations-result.ts'
import { CHECKED_FILE, type CheckedToolkit, readChecked, readKnownDifferences, resultOf } from './result.ts'
import { signInFacts } from './sign-in-facts.ts'
import { readStatedFacts } from './stated-facts.ts'

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { check: { type: 'boolean' } },
})
const [folder] = positionals
if (folder === undefined) fail('Give the folder of facts: npm run check:facts -- <folder>')

const diagnostics: Diagnostic[] = []
const toolkitsFolder = join(import.meta.dirname, '..', '..', '..', 'toolkits')
const toolkits = readToolkits(toolkitsFolder, diagnostics)
if (diagnostics.length > 0) throw new ManifestError(diagnostics)

const facts = readFacts(folder)
const stated = readStatedFacts(folder, facts)
const last = existsSync(CHECKED_FILE) ? readChecked() : new Map<string, CheckedToolkit>()
const today = new Date().toISOString().slice(0, 10)
const results = toolkits.map(({ slug, toolkit }) =>
  resultOf(slug, compareFacts(signInFacts(toolkit as ToolkitManifest), stated(slug)), last.get(slug), today),
)
report(results)
const operations = toolkits
  .map((source) =>
    checkOperations(
      source,
      source.operations ? facts.documents(source.slug) : [],
      readOverlay(join(toolkitsFolder, source.slug, 'overlay.json')),
      readOperationFile(join(toolkitsFolder, source.slug, OPERATION_FILE)),
    ),
  )
  .filter((one) => one !== undefined)
write(CHECKED_FILE, results)
write(OPERATIONS_FILE, operations)
reportOperations(operations)

function write(file: string, lines: readonly object[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  if (!values.check) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text)
    fail(`${file} is out of date. Run without --check.`)
}

/** Prints how many generated tools agree with their documents. Exits with 1 where one does not. */
function reportOperations(all: readonly CheckedOperations[]): void {
  const differences = all.flatMap(({ differs }) => differs)
  for (const line of differences) stderr.write(`${line}\n`)
  const tools = all.reduce((sum, one) => sum + one.tools, 0)
  stdout.write(
    `${tools} generated tools of ${all.length} toolkits: ${differences.length} differences from their documents\n`,
  )
  if (differences.length > 0) exit(1)
}

/** Prints the differences and totals. Exits with 1 for unknown differences. */
function report(all: readonly CheckedToolkit[]): void {
  const known = new Map(readKnownDifferences().map((one) => [`${one.slug} ${one.fact}`, one.reason]))
  const unknown: string[] = []
  for (const { slug, differs } of all)
    for (const { fact, value, stated: others } of differs) {
      const reason = known.get(`${slug} ${fact}`)
      known.delete(`${slug} ${fact}`)
      const line = `${slug} ${fact}: ${value}, sources state ${others.join(' and ')}`
      if (reason === undefined) unknown.push(line)
      else stdout.write(`${line}. ${reason}\n`)
    }
  const sum = (count: (one: CheckedToolkit) => number) => all.reduce((total, one) => total + count(one), 0)
  stdout.write(
    `${all.length} toolkits: ${sum(({ agrees }) => Object.keys(agrees).length)} facts agree with a source, ` +
      `${sum(({ differs }) => differs.length)} differ, ${sum(({ unstated }) => unstated.length)} are not stated\n`,
  )
  for (const line of unknown) stderr.write(`No reason is known: ${line}\n`)
  for (const name of known.keys()) stderr.write(`No longer a difference: ${name}\n`)
  if (unknown.length + known.size > 0) exit(1)
}

function fail(message: string): never {
  stderr.write(`${message}\n`)
  exit(2)
}
