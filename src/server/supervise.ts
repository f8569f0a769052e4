import type { Config } from '../platform/config.ts'
import { openDataDir } from '../platform/instance-lock.ts'
import { createLog } from '../platform/log.ts'
import { StartupError } from '../platform/startup-error.ts'
import { lockServerDataDir, openDatabase } from './database.ts'
import { localUrl, reservePort } from './port.ts'
import type { Progress } from './progress.ts'
import { stopAll, STOP_MAX_MS } from './stop.ts'
import { RETIRE_MS_MAX } from './retire.ts'
import { startWorkerPool, WorkerStartError } from './worker-pool.ts'
import type { RestartRequests } from './restart-requests.ts'

/** Part of the time that the whole stop may take. */
const DATABASE_STOP_MS = 1_500

/**
 * Runs `settings.workers` processes that share the port, until `signal` fires. This process has the data directory and
 * the built-in PostgreSQL; the workers are servers that use it as if it were an external one.
 */
export async function supervise(
  settings: Config,
  progress: Progress,
  signal: AbortSignal,
  restarts: RestartRequests,
): Promise<void> {
  const dataDir = await openDataDir(settings.dataDir)
  const lock = await lockServerDataDir(settings, dataDir)
  const log = createLog(settings.logLevel)
  const parts: Parameters<typeof stopAll>[0] = { lock }
  let isReady = false
  try {
    const database = (parts.database = await openDatabase(
      { ...settings, dataDir },
      log,
      progress.working,
      signal,
    ))
    const port = await freePort(settings)
    const pool = await startWorkerPool(
      {
        count: settings.workers,
        environmentOf: (index) => workerEnvironment({ ...settings, dataDir }, database, port, index),
        log,
        stopMs: STOP_MAX_MS - DATABASE_STOP_MS,
        retireMs: RETIRE_MS_MAX + STOP_MAX_MS - DATABASE_STOP_MS,
      },
      signal,
    )
    isReady = true
    lock.update({ pid: process.pid, url: settings.publicUrl })
    progress.done(
      'workers',
      `${settings.workers} processes${port ? ` on ${localUrl({ ...settings, port })}` : ''}`,
    )
    restarts.onRequest(() => void pool.replaceAll())
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    progress.line('stopping after calls in progress')
    await pool.stop()
  } catch (error) {
    if (signal.aborted && !isReady) return progress.line('stopped before the server was ready')
    if (!(error instanceof WorkerStartError)) throw error
    throw new StartupError('A worker process did not start.', 'Its message is above.', { cause: error })
  } finally {
    await stopAll(parts)
  }
}

/** Returns the port that the workers share: that of the settings, or a free one for PORT=0. */
async function freePort({ role, host, port }: Config): Promise<number | undefined> {
  if (role === 'work') return undefined
  const reserved = await reservePort(host, port)
  await reserved.release()
  return reserved.port
}

/** Only the first worker runs background jobs, unless that is the role of all: jobs need more connections. */
function workerEnvironment(
  { dataDir, monitoringPort, publicUrl, role }: Config,
  { url, directUrl }: { url: string; directUrl: string },
  port: number | undefined,
  index: number,
): Record<string, string> {
  return {
    PATCHBAY_DATA_DIR: dataDir,
    PATCHBAY_DATABASE_URL: url,
    ...(url !== directUrl && { PATCHBAY_DATABASE_DIRECT_URL: directUrl }),
    ...(port !== undefined && { PATCHBAY_PORT: String(port) }),
    PATCHBAY_PUBLIC_URL: publicUrl === 'http://localhost:0' ? `http://localhost:${port}` : publicUrl,
    PATCHBAY_ROLE: role === 'all' && index > 0 ? 'serve' : role,
    // Each process has metrics of its own, so each has a port for them.
    ...(monitoringPort && { PATCHBAY_MONITORING_PORT: String(monitoringPort + index) }),
  }
}
