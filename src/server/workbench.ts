import type { WorkbenchOptions } from '../app/options.ts'
import type { Config } from '../platform/config.ts'
import { createWasmDriver } from '../sandbox/index.ts'

type WorkbenchConfig = Pick<
  Config,
  | 'role'
  | 'wireBrand'
  | 'fileMegabytesMax'
  | 'workbenchDriver'
  | 'workbenchSandboxesMax'
  | 'workbenchWarm'
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

/** The workbench of the settings; undefined where no code runs. A process without HTTP runs none. */
export function workbenchOptions(config: WorkbenchConfig, cacheDir: string): WorkbenchOptions | undefined {
  if (config.workbenchDriver === 'disabled' || config.role === 'work') return undefined
  return {
    driver: createWasmDriver({
      cacheDir,
      brand: config.wireBrand,
      fileBytesMax: config.fileMegabytesMax * MEGABYTE,
      diskBytesMax: DISK_BYTES_MAX,
      // A sandbox can use one processor all the time.
      cpuSecondsMax: config.workbenchHoursMax * SECONDS_PER_HOUR,
    }),
    limits: {
      idleMs: config.workbenchIdleMinutes * MINUTE_MS,
      maxAgeMs: config.workbenchHoursMax * HOUR_MS,
      sandboxesMax: config.workbenchSandboxesMax,
      warm: config.workbenchWarm,
    },
    mountBytesMax: config.workbenchMegabytesPerSession * MEGABYTE,
    searchTool: config.workbenchSearchTool,
  }
}
