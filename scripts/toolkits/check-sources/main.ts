/**
 * Looks for the method and path of each operation of `toolkits/<slug>/operations.json` in the sources that it names,
 * and writes the result to `scripts/toolkits/data/checked-sources.jsonl`.
 *
 *   npm run check:sources -- <folder> [slug…] [--print]
 *
 * The folder has the sources: `<owner>+<name>/…` for a repository, `npm/<name>@<version>/package/…` for a package. The
 * result of the last run stays for a toolkit that did not change and whose sources the folder lacks. `--print` prints
 * each operation that was not found, which a person has to read.
 */
import { globSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { argv, exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { OPERATION_FILE, readOperationFile } from '../operation-files/index.ts'
import { type CheckedSources, checkFile, requestsDigest } from './check-file.ts'
import { CHECKED_SOURCES_FILE, readCheckedSources } from './result.ts'
import { sourceTexts } from './source-texts.ts'

const TOOLKITS = join(import.meta.dirname, '..', '..', '..', 'toolkits')
const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: { print: { type: 'boolean' } },
})
const [folder, ...chosen] = positionals
if (folder === undefined) {
  stderr.write('Give the folder of the sources: npm run check:sources -- <folder> [slug…]\n')
  exit(2)
}

const last = readCheckedSources()
const results = globSync(`*/${OPERATION_FILE}`, { cwd: TOOLKITS })
  .map((path) => dirname(path))
  .sort()
  .map((slug) => checkToolkit(folder, slug))
writeFileSync(CHECKED_SOURCES_FILE, results.map((line) => `${JSON.stringify(line)}\n`).join(''))
const sum = (count: (one: CheckedSources) => number) => results.reduce((total, one) => total + count(one), 0)
stdout.write(
  `${sum(({ operations }) => operations)} operations of ${results.length} toolkits: ` +
    `${sum(({ found }) => found)} were found in their sources, ${sum(({ read }) => read.length)} were not\n`,
)

function checkToolkit(sources: string, slug: string): CheckedSources {
  const file = readOperationFile(join(TOOLKITS, slug, OPERATION_FILE))!
  const before = last.get(slug)
  const isSame = before?.digest === requestsDigest(file)
  if (isSame && chosen.length > 0 && !chosen.includes(slug)) return before
  const known = new Map(Object.values(file.sources).map(({ at }) => [at, sourceTexts(sources, at)]))
  if (isSame && [...known.values()].every((texts) => texts === undefined)) return before
  const result = checkFile(slug, file, (at) => known.get(at))
  if (values.print && (chosen.length === 0 || chosen.includes(slug)))
    for (const name of result.read) stdout.write(`${name} was not found in enough of its sources\n`)
  return result
}
