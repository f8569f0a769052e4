import type { Config } from '../platform/config.ts'
import { openDataDir } from '../platform/instance-lock.ts'
import { createLog } from '../platform/log.ts'
import { lockServerDataDir, openDatabase } from './database.ts'
import { type ReservedPort, portOf, withPort } from './port.ts'
import { type Progress, stopwatch } from './progress.ts'
import { connectionsToEnd } from './retire.ts'
import { type ServerParts, stopAll } from './stop.ts'
import { openTelemetry } from './telemetry.ts'
import { programVersion } from './version.ts'

// This module and its imports are few, so that the built-in PostgreSQL starts at once. The rest of the program, 1,200
// modules, is loaded while PostgreSQL starts.

export interface RunningServer {
  /** URL on which the server listens; undefined for ROLE=work. */
  url: string | undefined
  /** Makes `/readyz` report the stop, and responses ask their clients to open new connections. */
  announceStop(): void
  /** After `announceStop`, waits until no client can lose a request on a connection that it reuses. */
  connectionsToEnd(signal: AbortSignal): Promise<void>
  /** Waits for calls in progress, within a time limit, and stops every part. */
  stop(): Promise<void>
}

/**
 * Starts the parts that the role needs, in order. After an error, or when `signal` fires, stops the parts
 * that were started.
 */
export async function start(
  settings: Config,
  progress: Progress,
  signal: AbortSignal,
): Promise<RunningServer> {
  progress.title(`Patchbay ${programVersion()}`)
  const dataDir = await openDataDir(settings.dataDir)
  const parts: ServerParts = { lock: await lockServerDataDir(settings, dataDir) }
  let port: ReservedPort | undefined
  try {
    port = await portOf(settings)
    const config = { ...withPort(settings, port?.port), dataDir }
    const listening = await startParts(config, parts, port, progress, signal)
    return {
      url: listening,
      announceStop: () => parts.app?.beginStopping(),
      connectionsToEnd: (stop) => connectionsToEnd(parts.waiting, stop),
      stop: () => stopAll(parts),
    }
  } catch (error) {
    await stopAll(parts)
    throw error
  } finally {
    await port?.release()
  }
}

async function startParts(
  config: Config,
  parts: ServerParts,
  port: ReservedPort | undefined,
  progress: Progress,
  signal: AbortSignal,
): Promise<string | undefined> {
  const time = stopwatch()
  const traceIds = () => parts.telemetry?.tracing.logFields()
  const log = createLog(config.logLevel, config.otlpEndpoint === undefined ? undefined : traceIds)
  parts.telemetry = await openTelemetry(config, log)
  const loadApplication = () => import('./start-application.ts')
  // Repeated below, which reports a failure.
  const onWaiting = () => void loadApplication().catch(() => {})
  const database = (parts.database = await openDatabase(config, log, progress.working, signal, onWaiting))
  progress.done('database', `${database.about} ${time()}`)
  signal.throwIfAborted()
  const { startApplication } = await loadApplication()
  return startApplication({ config, parts, database, log, port, progress, signal, time })
}
