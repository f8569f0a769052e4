// Writes `dist/`, the program as JavaScript, for the npm package: Node does not strip types from files below
// `node_modules`. `npm pack` and `npm publish` run this first (`prepack`). `dist/` has the same folders as the
// repository, so that every relative path of the program is valid in both.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { exit, stdout } from 'node:process'
import { buildConsole } from '../../src/server/console/build.ts'
import { writeBundle } from '../../src/server/console/bundle-folder.ts'
import { billOfMaterials, type LockFile } from './sbom.ts'

const root = join(import.meta.dirname, '..', '..')
const dist = join(root, 'dist')
/** Folders whose files the program reads; those that need compiling are listed in tsconfig.json too. */
const FOLDERS = ['src', 'simulation', 'toolkits', 'migrations', 'docs']
const FILES = ['package.json', 'CHANGELOG.md', 'SECURITY.md']
const COMPILED = new Set(['.ts', '.tsx'])

function compile(config: string): void {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  const { status, error } = spawnSync(tsc, ['-p', join(import.meta.dirname, config)], {
    stdio: 'inherit',
    timeout: 300_000,
  })
  if (status === 0) return
  stdout.write(
    `The TypeScript compiler failed${error ? `: ${error.message}` : ''}. Run npm ci and try again.\n`,
  )
  exit(1)
}

/** Copies what is not compiled: manifests, pages, SQL, binary data. */
function copyData(): number {
  const files = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*`, { cwd: root, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !COMPILED.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  for (const file of [...files, ...FILES]) {
    mkdirSync(dirname(join(dist, file)), { recursive: true })
    cpSync(join(root, file), join(dist, file))
  }
  return files.length + FILES.length
}

rmSync(dist, { recursive: true, force: true })
compile('tsconfig.json')
compile('client.tsconfig.json')
const copied = copyData()
// The package has neither the sources of the console nor, in the image, the bundler.
await writeBundle(join(dist, 'console'), await buildConsole())
if (!existsSync(join(dist, 'src', 'main.js')))
  throw new Error('dist/src/main.js is missing after compilation.')
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile
writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(lock), null, 1)}\n`)
stdout.write(`dist/: compiled ${globSync('**/*.js', { cwd: dist }).length} modules, copied ${copied} files\n`)
