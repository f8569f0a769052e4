import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { siblingModule } from '../../platform/module-url.ts'
import { memoryLimit } from '../shared-memory.ts'
import { connectProcess, trackProcesses } from '../process.ts'
import type { LocalDriverOptions, SandboxDriver, SandboxSize } from '../types.ts'
import { type PyodideLock, readWheels, type WheelPackage } from './packages.ts'
import { findOrCreateSnapshot } from './snapshot.ts'

export interface WasmDriverOptions extends LocalDriverOptions {
  /** Folder of files that can be generated again. */
  readonly cacheDir: string
  /** Folder of Python packages (wheels) that code can import. Default: none. */
  readonly packagesDir?: string | undefined
}

const WASM_PAGE_BYTES = 65_536
/** The address space of 32-bit WebAssembly. */
const WASM_PAGES_MAX = 65_536
const MEGABYTE = 1_000_000
const START_MS = 120_000
const MESSAGE_BYTES_MIN = 32_000_000

/**
 * Sandboxes in WebAssembly: Pyodide and just-bash in one Node process each. They need no privileges.
 * @throws StartupError if a package cannot be used
 */
export function createWasmDriver(options: WasmDriverOptions): SandboxDriver {
  const packages = locatePackages(options.packagesDir)
  const isolation = networkNamespace()
  let snapshot: Promise<string> | undefined
  const processes = trackProcesses()
  const startProcess = (size: SandboxSize, snapshotPath: string) =>
    processes.add(spawnSandbox(options, packages, isolation, size, snapshotPath))
  const findSnapshot = () => {
    snapshot ??= findOrCreateSnapshot(options.cacheDir, packages.version, () => startProcess('standard', ''))
    return snapshot.catch((error: unknown) => {
      snapshot = undefined
      throw error
    })
  }
  return {
    name: 'wasm',
    async prepare() {
      await findSnapshot()
    },
    async start(size) {
      const snapshotPath = await findSnapshot()
      return connectProcess({
        id: `sbx_${randomBytes(8).toString('hex')}`,
        child: startProcess(size, snapshotPath),
        limits: {
          memoryBytesMax: memoryLimit(options, size),
          cpuSecondsMax: options.cpuSecondsMax,
          sharedMemory: options.memory,
        },
        messageBytesMax: Math.max(MESSAGE_BYTES_MIN, options.fileBytesMax),
        startMs: START_MS,
      })
    },
    close: processes.kill,
  }
}

function spawnSandbox(
  options: WasmDriverOptions,
  packages: Packages,
  isolation: readonly string[],
  size: SandboxSize,
  snapshotPath: string,
): ChildProcess {
  const memory = memoryLimit(options, size)
  const settings = {
    pyodideUrl: packages.pyodideUrl,
    bashUrl: packages.bashUrl,
    kernelPath: join(packages.childDir, '..', '..', 'python', 'kernel.py'),
    snapshotPath,
    brand: options.brand,
    diskBytesMax: Math.min(options.diskBytesMax, memory / 2),
    packages: packages.wheels,
  }
  const args = [
    '--permission',
    ...[
      ...packages.readable,
      ...packages.wheels.map(({ path }) => path),
      ...(snapshotPath ? [snapshotPath] : []),
    ].map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--disable-warning=ExperimentalWarning',
    '--wasm-lazy-compilation',
    `--wasm-max-mem-pages=${Math.min(WASM_PAGES_MAX, Math.floor(memory / WASM_PAGE_BYTES))}`,
    `--max-old-space-size=${Math.floor(memory / 4 / MEGABYTE)}`,
    packages.mainPath,
    JSON.stringify(settings),
  ]
  const [program, ...programArgs] = [...isolation, process.execPath, ...args] as [string, ...string[]]
  return spawn(program, programArgs, {
    env: {},
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
}

interface Packages {
  pyodideUrl: string
  bashUrl: string
  childDir: string
  mainPath: string
  /** What the process may read. */
  readable: string[]
  version: string
  /** What code can import besides the standard library. */
  wheels: WheelPackage[]
}

function locatePackages(packagesDir: string | undefined): Packages {
  const require = createRequire(import.meta.url)
  const pyodide = realpathSync(require.resolve('pyodide/pyodide.mjs'))
  const justBash = realpathSync(fileURLToPath(import.meta.resolve('just-bash/browser')))
  const justBashDir = justBash.slice(0, justBash.lastIndexOf(`${join('just-bash', 'dist')}`))
  const childDir = realpathSync(fileURLToPath(new URL('child', import.meta.url)))
  const version = (require('pyodide/package.json') as { version: string }).version
  return {
    pyodideUrl: pathToFileURL(pyodide).href,
    bashUrl: pathToFileURL(justBash).href,
    childDir,
    mainPath: realpathSync(fileURLToPath(siblingModule(import.meta.url, 'child/main'))),
    readable: [...new Set([dirname(dirname(pyodide)), justBashDir, dirname(dirname(childDir))])],
    version,
    wheels:
      packagesDir === undefined
        ? []
        : readWheels(packagesDir, require('pyodide/pyodide-lock.json') as PyodideLock),
  }
}

/**
 * On Linux, a user and network namespace without interfaces, where the machine allows it to unprivileged processes. It
 * is one more layer: without it the process has no network either.
 */
function networkNamespace(): string[] {
  if (process.platform !== 'linux') return []
  const wrapper = ['unshare', '--user', '--net', '--ipc', '--']
  const test = spawnSync(wrapper[0] as string, [...wrapper.slice(1), 'true'], {
    stdio: 'ignore',
    timeout: 5_000,
  })
  return test.status === 0 ? wrapper : []
}
