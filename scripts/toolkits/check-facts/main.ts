/**
 * Compares how each toolkit signs in with what the sources of a folder of facts state, and writes the result to
 * `scripts/toolkits/data/checked-facts.jsonl`.
 *
 *   npm run check:facts -- <folder> [--check]
 *
 * Prints each difference. Fails for one without a reason in `data/known-differences.json`, and for a reason without a
 * difference. `--check` writes nothing and fails where the file would change.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { type Diagnostic, ManifestError } from '../../../src/catalog/manifest/diagnostics.ts'
import type { ToolkitManifest } from '../../../src/catalog/manifest/format/index.ts'
import { readToolkits } from '../../../src/catalog/manifest/load/read.ts'
import { readFacts } from '../facts.ts'
import { compareFacts } from './compare.ts'
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
const toolkits = readToolkits(join(import.meta.dirname, '..', '..', '..', 'toolkits'), diagnostics)
if (diagnostics.length > 0) throw new ManifestError(diagnostics)

const stated = readStatedFacts(folder, readFacts(folder))
const last = existsSync(CHECKED_FILE) ? readChecked() : new Map<string, CheckedToolkit>()
const today = new Date().toISOString().slice(0, 10)
const results = toolkits.map(({ slug, toolkit }) =>
  resultOf(slug, compareFacts(signInFacts(toolkit as ToolkitManifest), stated(slug)), last.get(slug), today),
)
report(results)
const text = results.map((result) => `${JSON.stringify(result)}\n`).join('')
if (!values.check) writeFileSync(CHECKED_FILE, text)
else if (readFileSync(CHECKED_FILE, 'utf8') !== text)
  fail(`${CHECKED_FILE} is out of date. Run without --check.`)

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
