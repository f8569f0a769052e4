import { setTimeout as wait } from 'node:timers/promises'
import { canConnect, waitUntilLost } from '../platform/db/check.ts'
import { type EmbeddedOptions, startEmbedded } from '../platform/db/embedded/index.ts'
import type { Logger } from '../platform/log.ts'
import { withTimeout } from '../platform/timeout.ts'

export interface DatabaseSupervisor {
  /** Stops watching. Waits at most `withinMs` for a restart in progress. */
  close(withinMs: number): Promise<void>
}

const RETRY_FIRST_MS = 250
const RETRY_MAX_MS = 10_000

/**
 * Restarts the built-in PostgreSQL when it ends or does not respond. An open connection reports its end at
 * once, and a query every few seconds (limit: 5 s) finds a server that hangs. It restarts with the same URL,
 * so pools reconnect.
 */
export function superviseDatabase(options: EmbeddedOptions, url: string, log: Logger): DatabaseSupervisor {
  const stopped = new AbortController()
  const { signal } = stopped

  async function watch(): Promise<void> {
    for (let delay = RETRY_FIRST_MS; !signal.aborted; delay = Math.min(delay * 2, RETRY_MAX_MS)) {
      await waitUntilLost(url, signal)
      if (signal.aborted) return
      if (await canConnect(url)) delay = RETRY_FIRST_MS // only this connection was lost
      else if (await startAgain()) continue
      await wait(delay, undefined, { signal }).catch(() => {})
    }
  }

  async function startAgain(): Promise<boolean> {
    log.warn('the built-in PostgreSQL does not respond; restarting it')
    try {
      await startEmbedded({ ...options, formerUrl: url })
      log.info('the built-in PostgreSQL runs again')
      return true
    } catch (error) {
      log.error({ err: error }, 'the built-in PostgreSQL could not be restarted; trying again')
      return false
    }
  }

  const running = watch()
  return {
    async close(withinMs) {
      stopped.abort()
      await withTimeout(running, withinMs)
    },
  }
}
