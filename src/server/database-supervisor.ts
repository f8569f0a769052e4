import { setTimeout as wait } from 'node:timers/promises'
import { canConnect, waitUntilLost } from '../platform/db/check.ts'
import { startEmbedded } from '../platform/db/embedded/index.ts'
import type { Logger } from '../platform/log.ts'

export interface DatabaseSupervisor {
  /** Gives a start that is under way `withinMs` to end. */
  close(withinMs: number): Promise<void>
}

const RETRY_FIRST_MS = 250
const RETRY_MAX_MS = 10_000

/**
 * Our own PostgreSQL is ours to keep alive. A connection held open tells at once that it died; one that does not answer for
 * five seconds is taken for dead too. It is then started again, and pools find it at the same address.
 */
export function superviseDatabase(dataDir: string, url: string, log: Logger): DatabaseSupervisor {
  const stopped = new AbortController()
  const { signal } = stopped

  async function watch(): Promise<void> {
    for (let delay = RETRY_FIRST_MS; !signal.aborted; delay = Math.min(delay * 2, RETRY_MAX_MS)) {
      await waitUntilLost(url, signal)
      if (signal.aborted) return
      if (await canConnect(url)) delay = RETRY_FIRST_MS // that connection alone was lost
      else if (await startAgain()) continue
      await wait(delay, undefined, { signal }).catch(() => {})
    }
  }

  async function startAgain(): Promise<boolean> {
    log.warn('the built-in PostgreSQL does not answer; starting it again')
    try {
      await startEmbedded({ dataDir })
      log.info('the built-in PostgreSQL runs again')
      return true
    } catch (error) {
      log.error({ err: error }, 'the built-in PostgreSQL could not be started; trying again')
      return false
    }
  }

  const running = watch()
  return {
    async close(withinMs) {
      stopped.abort()
      await Promise.race([running, wait(withinMs, undefined, { ref: false })])
    },
  }
}
