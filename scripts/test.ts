import { spawn } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
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
import { NODE_COMPILE_CACHE } from './compile-cache.ts'
import { groupTestFiles } from './test-groups.ts'
import { formatProcessorTimes } from './test-times.ts'

// Test files are processes of their own; four of them keep two cores busy while they wait for databases and servers.
const CONCURRENCY = 4

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

/** Writes a file for each process, which imports its test files. The runner sorts by name and starts them in this order. */
function writeGroups(isEachAlone: boolean): string[] {
  const folder = join(root, 'tmp', 'test-groups') // The runner looks at nothing below node_modules.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return groupTestFiles(root, isEachAlone).map((members, index) => {
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

const reportTo = (reporter: string, destination: string): string[] => [
  `--test-reporter=${reporter}`,
  `--test-reporter-destination=${destination}`,
]

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
    ...reportTo('spec', 'stdout'),
    ...reportTo(pathToFileURL(join(root, 'scripts/failure-reporter.ts')).href, 'stderr'),
    // Ends a test that hangs. Tests have no shorter limit: a machine may be slow.
    '--test-timeout=600000',
    ...(files.length ? files : writeGroups(times !== undefined)),
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
