import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { StartupError } from '../../platform/startup-error.ts'
import { memoryLimit } from '../shared-memory.ts'
import { connectProcess, trackProcesses } from '../process.ts'
import type { LocalDriverOptions, SandboxDriver, SandboxSize } from '../types.ts'
import { bubblewrapArguments } from './arguments.ts'
import { createSeccompFilter } from './seccomp.ts'
import { readTreeUsage } from './tree-usage.ts'

export interface BubblewrapDriverOptions extends LocalDriverOptions {
  /** The program. Default: `bwrap` in /usr/bin or /bin. */
  readonly program?: string | undefined
}

/** Processes and threads of a sandbox. */
const PROCESSES_MAX = 256
const FILES_MAX = 50_000
const START_MS = 30_000
const PROBE_MS = 10_000
const REASON_CHARACTERS_MAX = 300
const MESSAGE_BYTES_MIN = 32_000_000
/**
 * The account without rights. Sandboxes of a server that runs as root belong to it, so that limits of processes apply.
 */
const NOBODY = 65_534
/** Standard input, output and error, and the channel come first. */
const FIRST_DESCRIPTOR = 4
const PYTHONS = ['/usr/bin/python3', '/usr/local/bin/python3']

const PROGRAM_FILES = {
  'main.py': 'child/main.py',
  'frames.py': 'child/frames.py',
  'mount.py': 'child/mount.py',
  'output.py': 'child/output.py',
  'commands.py': 'child/commands.py',
  'kernel.py': '../python/kernel.py',
} as const
const ACCOUNTS = 'child/passwd'

interface Installation {
  readonly bubblewrap: string
  readonly python: string
  readonly seccomp: Buffer
}

/**
 * Sandboxes with Python and bash of this machine, in namespaces of Linux.
 * @throws StartupError
 */
export function createBubblewrapDriver(options: BubblewrapDriverOptions): SandboxDriver {
  const installation = findInstallation(options.program ?? 'bwrap')
  assertUsable(installation)
  const processes = trackProcesses()
  return {
    name: 'bubblewrap',
    start(size) {
      return connectProcess({
        id: `sbx_${randomBytes(8).toString('hex')}`,
        child: processes.add(spawnSandbox(options, installation, size)),
        limits: {
          memoryBytesMax: memoryLimit(options, size),
          cpuSecondsMax: options.cpuSecondsMax,
          sharedMemory: options.memory,
          filesMax: FILES_MAX,
        },
        messageBytesMax: Math.max(MESSAGE_BYTES_MIN, options.fileBytesMax),
        startMs: START_MS,
        readUsage: readTreeUsage,
      })
    },
    close: processes.kill,
  }
}

function findInstallation(program: string): Installation {
  const seccomp = process.platform === 'linux' ? createSeccompFilter() : undefined
  if (!seccomp)
    throw new StartupError(
      `WORKBENCH_DRIVER=bubblewrap needs Linux on x64 or arm64; this is ${process.platform} on ${process.arch}.`,
      'Use WORKBENCH_DRIVER=wasm.',
    )
  const python = PYTHONS.find((path) => existsSync(path))
  if (python === undefined)
    throw new StartupError(
      `WORKBENCH_DRIVER=bubblewrap needs Python 3 as ${PYTHONS.join(' or ')}.`,
      'Install it (apt-get install python3), or use WORKBENCH_DRIVER=wasm.',
    )
  return { bubblewrap: program, python, seccomp }
}

/** Starts an empty sandbox, so that a machine that does not allow it is found out when the server starts. */
function assertUsable({ bubblewrap, python }: Installation): void {
  const args = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev']
  const { status, stderr, error } = spawnSync(bubblewrap, [...args, python, '-I', '-c', 'pass'], {
    ...processOptions(),
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: PROBE_MS,
    encoding: 'utf8',
  })
  if (status === 0) return
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw new StartupError(
      'WORKBENCH_DRIVER=bubblewrap needs the program bwrap, which was not found.',
      'Install it (apt-get install bubblewrap), or use WORKBENCH_DRIVER=wasm.',
    )
  const reason =
    (error?.message ?? stderr).trim().slice(0, REASON_CHARACTERS_MAX) || `status ${String(status)}`
  throw new StartupError(
    `WORKBENCH_DRIVER=bubblewrap cannot start a sandbox: ${reason}`,
    'Allow user namespaces to users without privileges (docs/guides/harden-the-sandbox.md), or use ' +
      'WORKBENCH_DRIVER=wasm.',
  )
}

/** The environment is empty. A server that runs as root gives its sandboxes to an account without rights. */
const processOptions = () => ({
  env: {},
  cwd: '/',
  ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
})

function spawnSandbox(
  options: BubblewrapDriverOptions,
  { bubblewrap, python, seccomp }: Installation,
  size: SandboxSize,
): ChildProcess {
  const memoryBytesMax = memoryLimit(options, size)
  const diskBytesMax = Math.floor(Math.min(options.diskBytesMax, memoryBytesMax / 2))
  const names = Object.keys(PROGRAM_FILES) as (keyof typeof PROGRAM_FILES)[]
  const paths = [...names.map((name) => PROGRAM_FILES[name]), ACCOUNTS]
  const opened = paths.map((path) => openSync(fileURLToPath(new URL(path, import.meta.url)), 'r'))
  const seccompDescriptor = FIRST_DESCRIPTOR + opened.length
  const args = bubblewrapArguments({
    files: names.map((name, index) => ({ name, descriptor: FIRST_DESCRIPTOR + index })),
    accountsDescriptor: seccompDescriptor - 1,
    seccompDescriptor,
    diskBytesMax,
  })
  const { brand, cpuSecondsMax } = options
  const settings = { brand, cpuSecondsMax, memoryBytesMax, diskBytesMax, processesMax: PROCESSES_MAX }
  try {
    const child = spawn(
      bubblewrap,
      [...args, '--', python, '-I', '/run/workbench/main.py', JSON.stringify(settings)],
      { ...processOptions(), stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...opened, 'pipe'] },
    )
    const filter = child.stdio[seccompDescriptor] as Writable
    // A program that could not be started does not read it.
    filter.on('error', () => {})
    filter.end(seccomp)
    return child
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}
