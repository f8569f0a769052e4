import { environmentWarnings, loadConfig } from '../platform/config.ts'
import type { Progress } from './progress.ts'
import { start } from './start.ts'

export { STOP_MAX_MS } from './stop.ts'

/**
 * Starts the server with the settings of the environment, and stops it when `signal` fires. @throws
 * StartupError
 */
export async function serveCommand(
  overrides: object,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const warning of environmentWarnings()) progress.line(`! ${warning}`)
    const server = await start({ ...loadConfig(), ...overrides }, progress, signal)
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    progress.line('stopping after calls in progress')
    await server.stop()
  } catch (error) {
    if (!signal.aborted) throw error
    progress.line('stopped before the server was ready')
  }
}
