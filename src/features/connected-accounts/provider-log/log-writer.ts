import { runOutsideProjects } from '../../../platform/db/project-scope.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import type { Logger } from '../../../platform/log.ts'
import type { ProviderRequestLog } from './request-log.ts'
import { insertProviderRequests, type ProviderRequestDraft } from './request-store.ts'

type CreateDrafts = () => readonly ProviderRequestDraft[]

/** Entries that wait to be written. Further ones are dropped: the log must not slow down the requests. */
const QUEUE_MAX = 1_000
const BATCH_MAX = 100
/**
 * The result of a request is stored before its log row. A process that is killed in between loses a log row,
 * not a refresh token.
 */
const DELAY_MS = 50

/** Creates the log, which writes in the background in batches. */
export function createProviderRequestLog(db: Pool, log: Logger): ProviderRequestLog {
  const queue: CreateDrafts[] = []
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // Entries of all projects share statements.
    return (writing ??= runOutsideProjects(() => writeAll(queue.splice(0))).finally(() => {
      writing = undefined
      if (queue.length) schedule()
    }))
  }
  function schedule(): void {
    timer ??= setTimeout(() => void write(), DELAY_MS).unref()
  }

  async function writeAll(entries: CreateDrafts[]): Promise<void> {
    while (entries.length) {
      const drafts = entries.splice(0, BATCH_MAX).flatMap(createDrafts)
      if (!drafts.length) continue
      await insertProviderRequests(db, drafts).catch((error: unknown) => warn(error, drafts.length))
    }
  }

  function createDrafts(create: CreateDrafts): readonly ProviderRequestDraft[] {
    try {
      return create()
    } catch (error) {
      warn(error, 1)
      return []
    }
  }
  const warn = (error: unknown, requests: number): void =>
    log.warn({ err: error, requests }, 'requests to providers were not logged')

  return {
    add(create) {
      if (queue.length >= QUEUE_MAX)
        return log.warn({}, 'a request to a provider was not logged: too many entries wait to be written')
      queue.push(create)
      if (!writing) schedule()
    },
    async flush() {
      while (writing || queue.length) await write()
    },
  }
}
