import { type Config, environmentWarnings, loadConfig } from '../platform/config.ts'
import { type Progress, SILENT_PROGRESS } from './progress.ts'
import { type RunningServer, start } from './start.ts'
import type { RestartRequests } from './restart-requests.ts'
import { onRetire, processRole, reportReady } from './worker-process.ts'

export { STOP_MAX_MS } from './stop.ts'
export { onStopRequest } from './worker-process.ts'

/**
 * Starts the server with the settings of the environment, and stops it when `signal` fires. @throws
 * StartupError
 */
export async function serveCommand(
  overrides: object,
  progress: Progress,
  signal: AbortSignal,
  restarts: RestartRequests,
): Promise<void> {
  const { isWorker, isFirst } = processRole()
  const output = isFirst ? progress : SILENT_PROGRESS
  if (isFirst) for (const warning of environmentWarnings()) progress.line(`! ${warning}`)
  const settings = { ...loadConfig(), ...overrides }
  if (settings.workers > 1 && !isWorker) {
    const { supervise } = await import('./supervise.ts')
    return await supervise(settings, progress, signal, restarts)
  }
  restarts.onRequest(() => progress.line('SIGUSR2 replaces processes of WORKERS=2 or more, and was ignored'))
  const server = await startUnlessStopped(settings, output, signal)
  if (!server) return output.line('stopped before the server was ready')
  reportReady()
  await endOfService(server, signal)
  output.line('stopping after calls in progress')
  await server.stop()
}

/** Starts the server. Returns undefined if `signal` fires before it is ready. @throws StartupError */
async function startUnlessStopped(
  settings: Config,
  output: Progress,
  signal: AbortSignal,
): Promise<RunningServer | undefined> {
  try {
    return await start(settings, output, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    return undefined
  }
}

/** Waits for the signal to stop, or until the supervisor has replaced this process and its clients have left. */
async function endOfService(server: RunningServer, signal: AbortSignal): Promise<void> {
  const retired = new Promise<void>((resolve) => {
    onRetire(() => {
      server.announceStop()
      // The signal to stop ends the wait; then the other promise is the result.
      server.connectionsToEnd(signal).then(resolve, () => {})
    })
  })
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  if (!signal.aborted) await Promise.race([stopped, retired])
}
