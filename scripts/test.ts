import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execPath, exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { formatProcessorTimes } from './test-times.ts'

// Test files are processes of their own; four of them keep two cores busy while they wait for databases and servers.
const CONCURRENCY = 4
const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts']
// To load the application and its catalogue takes a second of processor time: files that need nothing of
// their process share one.
const TOGETHER = [
  'src/{auth-schemes,catalog,cli,engine,features,platform}/**/*.test.ts',
  'test/{contract,requirements,sdk,simulation,toolkits}/**/*.test.ts',
  'scripts/**/*.test.ts',
]
const TOGETHER_MAX = 12
const APART = new Set(['src/catalog/manifest/load/disk-cache/disk-cache.test.ts'])
// They take longest, because they start servers one after another: first, so that no core is idle at the end.
const FIRST = [
  'test/docs/guides.test.ts',
  'test/failure-injection/database-lost.test.ts',
  'test/failure-injection/killed.test.ts',
  'test/failure-injection/doctor.test.ts',
  'test/sandbox/escape.test.ts',
  'test/browser/pages.test.ts',
  'test/failure-injection/workers.test.ts',
  'test/failure-injection/start-errors.test.ts',
  'test/failure-injection/rotate-keys.test.ts',
  'test/failure-injection/stop.test.ts',
]

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

/**
 * Files that import the test files, in the order in which they start: the runner sorts by name. Groups compute, and
 * most other files wait for servers and browsers, so the two kinds alternate. With `groupMax` 1, each file has its own
 * process, so that its time can be measured.
 */
function inOrder(groupMax: number): string[] {
  const folder = join(root, 'tmp', 'test-groups') // The runner looks at nothing below node_modules.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const all = globSync(EVERYTHING, { cwd: root }).sort()
  const shared = new Set(globSync(TOGETHER, { cwd: root }).filter((file) => !APART.has(file)))
  const count = Math.ceil(shared.size / groupMax)
  const groups = Array.from({ length: count }, (_, group) =>
    [...shared].sort().filter((_, index) => index % count === group),
  )
  const single = all.filter((file) => !shared.has(file) && !FIRST.includes(file)).map((file) => [file])
  const entries = [...FIRST.map((file) => [file]), ...alternate(single, groups)]
  return entries.map((members, index) => {
    const [only, another] = members
    const name =
      another === undefined ? only!.replace(/[^a-z0-9]+/gi, '-').slice(0, -'-test-ts'.length) : 'group'
    const file = join(folder, `${String(index).padStart(3, '0')}-${name}.test.mjs`)
    writeFileSync(
      file,
      members.map((member) => `import '${pathToFileURL(join(root, member)).href}'\n`).join(''),
    )
    return file
  })
}

/** Distributes the items of both lists evenly. */
const alternate = <T>(...lists: readonly (readonly T[])[]): T[] =>
  lists
    .flatMap((list) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

const { values, positionals: files } = parseArgs({
  options: { times: { type: 'boolean' } },
  allowPositionals: true,
})
const timesFolder = values.times ? mkdtempSync(join(tmpdir(), 'patchbay-times-')) : undefined
const times = timesFolder && join(timesFolder, 'times')
const places = temporary()
const child = spawn(
  execPath,
  [
    '--import',
    pathToFileURL(join(root, 'test/fixtures/own-modules.ts')).href,
    // Fails a file that leaves a process, socket or timer behind.
    '--import',
    pathToFileURL(join(root, 'test/fixtures/leaks/leak-check.ts')).href,
    ...(times ? ['--import', pathToFileURL(join(root, 'test/fixtures/processor-times.ts')).href] : []),
    '--test',
    `--test-concurrency=${CONCURRENCY}`,
    '--test-global-setup=test/fixtures/database.ts',
    // Ends a test that hangs. Tests have no shorter limit: a machine may be slow.
    '--test-timeout=600000',
    ...(files.length ? files : inOrder(times === undefined ? TOGETHER_MAX : 1)),
  ],
  {
    stdio: 'inherit',
    env: {
      NODE_COMPILE_CACHE,
      ...places,
      // Servers that inherit the environment share what test/fixtures/shared-cache.ts prepares.
      CACHE_DIR: join(
        process.env['TMPDIR'] ?? places.TMPDIR ?? tmpdir(),
        `patchbay-test-cache-${userInfo().uid}`,
      ),
      ...process.env,
      NODE_ENV: 'test',
      ...(files.length === 0 && { TEST_FILLS_CACHE: '1' }),
      ...(times && { TEST_TIMES_FILE: times }),
    },
  },
)
child.on('exit', (code, signal) => {
  if (times && existsSync(times)) stdout.write(formatProcessorTimes(times))
  if (timesFolder) rmSync(timesFolder, { recursive: true })
  exit(signal ? 1 : (code ?? 1))
})
