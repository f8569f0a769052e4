import type { Pool } from '../../platform/db/sql.ts'
import type { Logger } from '../../platform/log.ts'
import type { ExchangeLog } from './exchanges.ts'
import { type ExchangeDraft, insert } from './exchange-store.ts'

/** Steps that wait to be written; what comes on top is let go, because the exchange itself matters more. */
const WAITING_MAX = 1_000
const BATCH_MAX = 100
/** What the exchange brought is stored first: a process that is killed in between loses a refresh token, or a line of a log. */
const REST_MS = 50

export function exchangeLog(db: Pool, log: Logger): ExchangeLog {
  const waiting: (() => readonly ExchangeDraft[])[] = []
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return (writing ??= writeAll(waiting.splice(0)).finally(() => {
      writing = undefined
      if (waiting.length) rest()
    }))
  }
  const rest = (): void => {
    timer ??= setTimeout(() => void write(), REST_MS).unref()
  }

  async function writeAll(steps: (() => readonly ExchangeDraft[])[]): Promise<void> {
    while (steps.length) {
      const drafts = steps.splice(0, BATCH_MAX).flatMap(draftsOf)
      if (drafts.length) await insert(db, drafts).catch((error: unknown) => lost(error, drafts.length))
    }
  }

  function draftsOf(step: () => readonly ExchangeDraft[]): readonly ExchangeDraft[] {
    try {
      return step()
    } catch (error) {
      lost(error, 1)
      return []
    }
  }
  const lost = (error: unknown, exchanges: number): void =>
    log.warn({ err: error, exchanges }, 'exchanges with providers were not written down')

  return {
    add(step) {
      if (waiting.length >= WAITING_MAX)
        return log.warn({}, 'an exchange with a provider was not written down: too many wait')
      waiting.push(step)
      if (!writing) rest()
    },
    async settled() {
      while (writing || waiting.length) await write()
    },
  }
}
