import type { Pool } from '../../platform/db/sql.ts'
import type { Logger } from '../../platform/log.ts'
import type { ExchangeLog } from './exchanges.ts'
import { type ExchangeDraft, insert } from './exchange-store.ts'

/** Exchanges that wait to be written; what comes on top is let go, because the exchange itself matters more. */
const WAITING_MAX = 1_000
const BATCH_MAX = 100

export function exchangeLog(db: Pool, log: Logger): ExchangeLog {
  const waiting: ExchangeDraft[] = []
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (waiting.length) {
      const batch = waiting.splice(0, BATCH_MAX)
      await insert(db, batch).catch((error: unknown) => log.warn({ err: error, exchanges: batch.length }, 'exchanges with providers were not written down'))
    }
    writing = undefined
  }
  return {
    add(drafts) {
      const room = WAITING_MAX - waiting.length
      if (drafts.length > room) log.warn({ exchanges: drafts.length - room }, 'exchanges with providers were not written down: too many wait')
      waiting.push(...drafts.slice(0, Math.max(0, room)))
      if (waiting.length) writing ??= write()
    },
    settled: async () => { await writing },
  }
}
