/**
 * Holds built-in toolkits to their versions: `toolkits/versions.lock.json` has the SHA-256 of each version's content. Run it after a toolkit got a new
 * version; it adds what is new and refuses what changed. `--replace <slug>,<slug>` locks the versions of toolkits anew that were never released.
 * With `--check` it writes nothing and fails when the file is not what it would write.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stderr, stdout } from 'node:process'
import { compareLock, contentHash, type Lock } from './toolkit-lock.ts'

const folder = join(import.meta.dirname, '..', 'toolkits')
const file = join(folder, 'versions.lock.json')
const replaced = new Set(argv.includes('--replace') ? argv[argv.indexOf('--replace') + 1]?.split(',') : [])

const found: Lock = {}
for (const manifest of globSync('*/{,versions/*/}toolkit.json', { cwd: folder }).sort()) {
  const at = join(folder, manifest, '..')
  const slug = manifest.split('/')[0] as string
  const { releases } = JSON.parse(readFileSync(join(folder, manifest), 'utf8')) as {
    releases: { version: string }[]
  }
  const version = manifest.includes('/versions/')
    ? (manifest.split('/')[2] as string)
    : (releases[0]?.version as string)
  found[slug] = { ...found[slug], [version]: contentHash(at) }
}

const locked = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Lock) : {}
const { changed, missing, added } = compareLock(locked, found)
const faults = [
  ...changed
    .filter(({ slug }) => !replaced.has(slug))
    .map(
      ({ slug, version }) =>
        `${slug} ${version} is not what was released. Put the old content into toolkits/${slug}/versions/${version}/ and give the new one a version of its own.`,
    ),
  ...missing
    .filter(({ slug }) => !replaced.has(slug))
    .map(
      ({ slug, version }) =>
        `${slug} ${version} was released and is gone. Put it back into toolkits/${slug}/versions/${version}/.`,
    ),
]
if (argv.includes('--check'))
  faults.push(
    ...added.map(
      ({ slug, version }) =>
        `${slug} ${version} is not locked. Run node scripts/write-toolkit-lock.ts and commit the result.`,
    ),
  )
if (faults.length) {
  stderr.write(`${faults.join('\n')}\n`)
  exit(1)
}
if (!argv.includes('--check')) {
  const kept = Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
  stdout.write(
    `${Object.values(kept).flatMap(Object.keys).length} versions of ${Object.keys(kept).length} toolkits are locked\n`,
  )
}
