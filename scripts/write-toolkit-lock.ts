/**
 * Writes `toolkits/versions.lock.json`: the SHA-256 of the content of each version of each built-in toolkit.
 * Run it after a toolkit got a new version. It adds new versions and rejects changes of released ones.
 * `--replace <slug>,<slug>` locks the versions of toolkits again that were never released. With `--check` it
 * writes nothing and fails when the file is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stderr, stdout } from 'node:process'
import { type Diagnostic, ManifestError } from '../src/catalog/manifest/diagnostics.ts'
import { readToolkits } from '../src/catalog/manifest/load/read.ts'
import { compareLock, contentHash, type Lock } from './toolkit-lock.ts'

const folder = join(import.meta.dirname, '..', 'toolkits')
const file = join(folder, 'versions.lock.json')
const replaced = new Set(argv.includes('--replace') ? argv[argv.indexOf('--replace') + 1]?.split(',') : [])

const diagnostics: Diagnostic[] = []
const current: Lock = {}
for (const source of readToolkits(folder, diagnostics)) {
  const { releases } = source.toolkit as { releases: { version: string }[] }
  current[source.slug] = Object.fromEntries([
    ...(source.versions ?? []).map((older) => [older.version, contentHash(older)]),
    [releases[0]!.version, contentHash(source)],
    // The generated tools have a digest of their own, under the first release: all releases have the same ones, and
    // they change without the tools that are written by hand.
    ...(source.operations
      ? [[`${releases.at(-1)!.version}+operations`, source.operations.summary.digest] as const]
      : []),
  ])
}
if (diagnostics.length > 0) throw new ManifestError(diagnostics)

const locked = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Lock) : {}
const { changed, missing, added } = compareLock(locked, current)
const problems = [
  ...changed
    .filter(({ slug }) => !replaced.has(slug))
    .map(
      ({ slug, version }) =>
        `${slug} ${version} was changed after its release. Put the released files into ` +
        `toolkits/${slug}/versions/${version}/ and give the new content a version of its own.`,
    ),
  ...missing
    .filter(({ slug }) => !replaced.has(slug))
    .map(
      ({ slug, version }) =>
        `${slug} ${version} was released and is missing. Put it back into toolkits/${slug}/versions/${version}/.`,
    ),
]
if (argv.includes('--check'))
  problems.push(
    ...added.map(
      ({ slug, version }) =>
        `${slug} ${version} is not locked. Run node scripts/write-toolkit-lock.ts and commit the result.`,
    ),
  )
if (problems.length > 0) {
  stderr.write(`${problems.join('\n')}\n`)
  exit(1)
}
if (!argv.includes('--check')) {
  const sorted = Object.fromEntries(Object.entries(current).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
  const versions = Object.values(sorted).flatMap(Object.keys).length
  stdout.write(`${versions} versions of ${Object.keys(sorted).length} toolkits are locked\n`)
}
