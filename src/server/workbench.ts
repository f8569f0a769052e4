import type { WorkbenchOptions } from '../app/options.ts'
import type { Config } from '../platform/config.ts'
import { StartupError } from '../platform/startup-error.ts'
import { machineMemoryBytes } from '../platform/machine-memory.ts'
import {
  createBubblewrapDriver,
  createRemoteDriver,
  createWasmDriver,
  type SandboxDriver,
  SharedMemory,
} from '../sandbox/index.ts'

type WorkbenchConfig = Pick<
  Config,
  | 'role'
  | 'wireBrand'
  | 'fileMegabytesMax'
  | 'workbenchDriver'
  | 'workbenchRemoteUrl'
  | 'workbenchRemoteToken'
  | 'workbenchSandboxesMax'
  | 'workbenchMemoryMegabytes'
  | 'workers'
  | 'workbenchWarm'
  | 'workbenchPackagesDir'
  | 'workbenchIdleMinutes'
  | 'workbenchHoursMax'
  | 'workbenchMegabytesPerSession'
  | 'workbenchSearchTool'
>

const MEGABYTE = 1_000_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const SECONDS_PER_HOUR = 3_600
const DISK_BYTES_MAX = 5_000_000_000
/** What the server needs: 500 MB for itself, and 800 MB for the process of an import. */
const SERVER_BYTES = 1_300_000_000
const SANDBOXES_BYTES_MIN = 400_000_000

/**
 * The workbench of the settings; undefined where no code runs. A process without HTTP runs none.
 * @throws StartupError if the driver cannot be used on this machine
 */
export function workbenchOptions(config: WorkbenchConfig, cacheDir: string): WorkbenchOptions | undefined {
  if (config.workbenchDriver === 'disabled' || config.role === 'work') return undefined
  const memory = new SharedMemory(sandboxBytes(config, machineMemoryBytes()))
  return {
    driver: createDriver(config, config.workbenchDriver, cacheDir, memory),
    limits: {
      idleMs: config.workbenchIdleMinutes * MINUTE_MS,
      maxAgeMs: config.workbenchHoursMax * HOUR_MS,
      sandboxesMax:
        config.workbenchDriver === 'remote'
          ? config.workbenchSandboxesMax
          : Math.min(config.workbenchSandboxesMax, memory.sandboxesMax),
      warm: config.workbenchWarm,
    },
    mountBytesMax: config.workbenchMegabytesPerSession * MEGABYTE,
    searchTool: config.workbenchSearchTool,
  }
}

/** Returns the memory of all sandboxes of this process, on a machine or in a container with so many bytes. */
export function sandboxBytes(
  { workbenchMemoryMegabytes, workers }: Pick<Config, 'workbenchMemoryMegabytes' | 'workers'>,
  machineBytes: number,
): number {
  if (workbenchMemoryMegabytes !== undefined) return workbenchMemoryMegabytes * MEGABYTE
  return Math.max(SANDBOXES_BYTES_MIN, Math.floor(machineBytes / workers) - SERVER_BYTES)
}

function createDriver(
  config: WorkbenchConfig,
  name: 'wasm' | 'bubblewrap' | 'remote',
  cacheDir: string,
  memory: SharedMemory,
): SandboxDriver {
  const limits = {
    brand: config.wireBrand,
    fileBytesMax: config.fileMegabytesMax * MEGABYTE,
    diskBytesMax: DISK_BYTES_MAX,
    // A sandbox can use one processor all the time.
    cpuSecondsMax: config.workbenchHoursMax * SECONDS_PER_HOUR,
  }
  if (name === 'wasm')
    return createWasmDriver({ ...limits, memory, cacheDir, packagesDir: config.workbenchPackagesDir })
  if (name === 'bubblewrap') return createBubblewrapDriver({ ...limits, memory })
  const { workbenchRemoteUrl: url, workbenchRemoteToken: token } = config
  if (url === undefined)
    throw new StartupError(
      'WORKBENCH_DRIVER is remote, and WORKBENCH_REMOTE_URL is not set.',
      'Set WORKBENCH_REMOTE_URL to the URL of a sandbox service, or use WORKBENCH_DRIVER=wasm.',
    )
  return createRemoteDriver({ ...limits, url, token, idleMs: config.workbenchIdleMinutes * MINUTE_MS })
}
