import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { argv, execPath, exit, stderr } from 'node:process'

// Test files are processes of their own; three of them keep two cores busy while they wait for databases and servers.
const CONCURRENCY = 3
const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts']
// To load the application and its catalogue takes a second of processor time: files that need nothing of
// their process share one.
const TOGETHER = [
  'src/{auth-schemes,catalog,cli,engine,features,platform}/**/*.test.ts',
  'test/{contract,requirements,sdk,simulation,toolkits}/**/*.test.ts',
  'scripts/**/*.test.ts',
]
const TOGETHER_MAX = 6
const APART = new Set(['src/catalog/manifest/load/disk-cache/disk-cache.test.ts'])

const root = join(import.meta.dirname, '..')
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>
}
// Without them files fail one by one, each with an error that names a module and not the cause.
const missing = Object.keys(devDependencies).filter(
  (name) => !existsSync(join(root, 'node_modules', name, 'package.json')),
)
if (missing.length > 0) {
  stderr.write(
    `The tests need packages that are not installed: ${missing.join(', ')}.\nRun npm ci, without ` +
      `--omit=dev and with NODE_ENV other than production, then npm test again.\n`,
  )
  exit(1)
}

// Every file compiles the same sources again; with this, a process that starts the app takes 0.5 s of
// processor time instead of 0.9.
const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compile')

// Each test clones a database, which is three hundred files: in memory that takes a third of the time in the kernel.
const MEMORY = '/dev/shm'
const MEMORY_FREE_MIN = 4 * 2 ** 30

/** Where temporary files go, unless the caller says so: memory, when the machine has enough of it. */
function temporary(): { TMPDIR?: string } {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MEMORY_FREE_MIN ? { TMPDIR: MEMORY } : {}
  } catch {
    return {}
  }
}

/** Files that import several test files each, and all others as they are. */
function inGroups(): string[] {
  const folder = join(root, 'tmp', 'test-groups') // The runner looks at nothing below node_modules.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const all = globSync(EVERYTHING, { cwd: root })
  const shared = new Set(globSync(TOGETHER, { cwd: root }).filter((file) => !APART.has(file)))
  const count = Math.ceil(shared.size / TOGETHER_MAX)
  const groups = Array.from({ length: count }, (_, group) => {
    const file = join(folder, `${String(group).padStart(3, '0')}.test.mjs`)
    const members = [...shared].sort().filter((_, index) => index % count === group)
    writeFileSync(
      file,
      members.map((member) => `import '${pathToFileURL(join(root, member)).href}'\n`).join(''),
    )
    return file
  })
  return [...groups, ...all.filter((file) => !shared.has(file))]
}

const [...files] = argv.slice(2)
const child = spawn(
  execPath,
  [
    // Fails a file that leaves a process, socket or timer behind.
    '--import',
    pathToFileURL(join(root, 'test/fixtures/leaks/leak-check.ts')).href,
    '--test',
    `--test-concurrency=${CONCURRENCY}`,
    '--test-global-setup=test/fixtures/database.ts',
    '--test-timeout=180000',
    ...(files.length ? files : inGroups()),
  ],
  { stdio: 'inherit', env: { NODE_COMPILE_CACHE, ...temporary(), ...process.env, NODE_ENV: 'test' } },
)
child.on('exit', (code, signal) => exit(signal ? 1 : (code ?? 1)))
