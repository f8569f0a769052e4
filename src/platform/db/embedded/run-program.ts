import { spawn, type ChildProcessWithoutNullStreams, type SpawnOptions } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { StartupError } from '../../startup-error.ts'
import { makeExecutable, type Binaries } from './binaries.ts'
import { canReach, type ServerUser } from './user.ts'

/**
 * How PostgreSQL's programs are run: as which user, and with which capability if that user cannot pass a
 * directory.
 */
export interface Runner {
  user?: ServerUser
  capability?: Capability
}

type Capability = 'dac_read_search' | 'dac_override'

const runAsNormalUser =
  'Start as a normal user, move Patchbay and DATA_DIR to a directory that every user can pass (not ' +
  '/root), or set DATABASE_URL.'

// The programs get none of our environment: it has keys, and PGDATA or LD_LIBRARY_PATH would change what
// runs. With TZ, initdb does not search for the time zone of the machine.
const environment = programEnvironment()

/** Returns the environment of PostgreSQL's programs. On Windows, sockets and `cmd` need the directory of the system. */
export function programEnvironment(
  platform: string = process.platform,
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const always = { LC_ALL: 'C', TZ: 'UTC' }
  if (platform !== 'win32')
    return { ...always, PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
  // Node.js reads variables of Windows in any case.
  const { SystemRoot: system = 'C:\\Windows', TEMP: temporary = `${system}\\Temp` } = own
  const shell = `${system}\\System32\\cmd.exe`
  return {
    ...always,
    SystemRoot: system,
    ComSpec: shell,
    TEMP: temporary,
    TMP: temporary,
    PATH: `${system}\\System32`,
  }
}

/**
 * Decides how to run the programs as `user` on a cluster in `dataDir`, without running one.
 * @throws StartupError if no capability lets `user` pass the directories above them
 */
export async function chooseRunner(
  binaries: Binaries,
  dataDir: string,
  user: ServerUser | undefined,
): Promise<Runner> {
  const runner: Runner = user ? { user } : {}
  if (user) {
    await makeExecutable(binaries)
    const reachable = await Promise.all(
      [binaries.postgres, ...binaries.reads, dataDir].map((path) => canReach(user, path)),
    )
    if (reachable.includes(false)) runner.capability = await chooseCapability()
  }
  return runner
}

/**
 * Runs `postgres -V`, whose output says why PostgreSQL cannot be run, such as a missing library. It takes 10 to 20 ms,
 * so a start runs it only before it creates a cluster, and after the server did not start.
 * @throws StartupError if it cannot be run
 */
export async function tryRunner(binaries: Binaries, runner: Runner): Promise<void> {
  const { user } = runner
  const trial = await run(runner, binaries.postgres, ['-V'], { cwd: '/', timeoutMs: 10_000 })
  if (trial.code === 0) return
  throw new StartupError(
    `PostgreSQL cannot be run${user ? ` as user ${user.uid}` : ''}: ` +
      `${trial.output.trim() || `exit code ${trial.code}`}`,
    user ? runAsNormalUser : 'Set DATABASE_URL to your own PostgreSQL.',
  )
}

/**
 * Returns the capability to pass closed directories. Reading and searching is sufficient, because PostgreSQL
 * owns what it writes; but Docker grants root only the wider capability, which is still less than root.
 */
async function chooseCapability(): Promise<Capability> {
  const status = await readFile('/proc/self/status', 'utf8')
  const capabilities = (name: string): bigint =>
    BigInt(`0x${new RegExp(`^${name}:\\s*([0-9a-f]+)`, 'm').exec(status)?.[1] ?? '0'}`)
  const usable = capabilities('CapPrm') & capabilities('CapBnd')
  if ((usable >> 2n) & 1n) return 'dac_read_search'
  if ((usable >> 1n) & 1n) return 'dac_override'
  throw new StartupError(
    'PostgreSQL does not run as root, and the user it would run as cannot pass a directory above its files.',
    runAsNormalUser,
  )
}

/** Returns the command line and spawn options that run `program`. */
export function command(
  runner: Runner,
  program: string,
  args: string[],
): { file: string; args: string[]; options: SpawnOptions } {
  const { user, capability } = runner
  if (!user) return { file: program, args, options: { env: environment } }
  // libuv also drops the supplementary groups when it changes the user.
  if (!capability) return { file: program, args, options: { env: environment, uid: user.uid, gid: user.gid } }
  const only = `-all,+${capability}`
  // The securebit is needed because access(2), with which initdb looks for `postgres`, ignores the capability
  // otherwise.
  const drop = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=${only}`,
    `--ambient-caps=${only}`,
  ]
  return { file: 'setpriv', args: [...drop, program, ...args], options: { env: environment } }
}

const outputCharsMax = 20_000

/**
 * Runs a program to its end, with `input` on its standard input.
 *
 * @returns its exit code and the last 20,000 characters of its output
 *
 * @throws StartupError if it cannot be started or does not end within `timeoutMs`
 */
export async function run(
  runner: Runner,
  program: string,
  args: string[],
  { cwd, input = '', timeoutMs }: { cwd: string; input?: string; timeoutMs: number },
): Promise<{ code: number | null; output: string }> {
  const { file, args: allArgs, options } = command(runner, program, args)
  const child = spawnOrThrow(file, allArgs, { ...options, cwd, timeout: timeoutMs, killSignal: 'SIGKILL' })
  return new Promise((resolve, reject) => {
    let output = ''
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-outputCharsMax)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (cause) => reject(cannotRun(file, cause)))
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL')
        reject(
          new StartupError(
            `${program} was killed or did not end within ${timeoutMs / 1000} s.`,
            'Check the load, memory and disk of this machine, and start again.',
          ),
        )
      else resolve({ code, output })
    })
    child.stdin.on('error', () => {}) // The program ended before it read everything; its exit code shows why.
    child.stdin.end(input)
  })
}

/**
 * Spawns a program. Node throws some errors (such as a user that is not allowed) and reports others as
 * events.
 */
function spawnOrThrow(file: string, args: string[], options: SpawnOptions): ChildProcessWithoutNullStreams {
  try {
    return spawn(file, args, { ...options, stdio: 'pipe' })
  } catch (cause) {
    throw cannotRun(file, cause as Error)
  }
}

/** Describes why a program could not be run. */
export function cannotRun(file: string, cause: Error, platform: string = process.platform): StartupError {
  if (file === 'setpriv') {
    return new StartupError(
      'PostgreSQL does not run as root, and `setpriv` (package util-linux), which is needed to run it as ' +
        'another user, is missing.',
      runAsNormalUser,
      { cause },
    )
  }
  const { code } = cause as NodeJS.ErrnoException
  if (platform === 'win32') {
    const reason = code === 'ENOENT' ? 'the file is missing' : cause.message
    return new StartupError(
      `${file} cannot be executed: ${reason}.`,
      'Check that no antivirus program blocks it and install Patchbay again, or set DATABASE_URL to your own ' +
        'PostgreSQL.',
      { cause },
    )
  }
  if (code === 'EPERM' || code === 'EACCES')
    return new StartupError(`PostgreSQL cannot be run as another user: ${cause.message}`, runAsNormalUser, {
      cause,
    })
  // The kernel returns ENOENT for an existing program whose loader is missing: a system without glibc.
  const reason = code === 'ENOENT' ? 'it needs a Linux with glibc (not Alpine)' : cause.message
  return new StartupError(
    `${file} cannot be executed: ${reason}.`,
    'Set DATABASE_URL to your own PostgreSQL.',
    { cause },
  )
}
