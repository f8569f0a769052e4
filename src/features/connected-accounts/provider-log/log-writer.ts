import { runOutsideProjects } from '../../../platform/db/project-scope.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import type { Logger } from '../../../platform/log.ts'
import { withTimeout } from '../../../platform/timeout.ts'
import type { ProviderRequestLog } from './request-log.ts'
import { insertProviderRequests, type ProviderRequestDraft } from './request-store.ts'

interface Entry {
  createDrafts(): readonly ProviderRequestDraft[]
  /** How often an account of the entry did not exist when the entry was due. */
  attempts: number
}

/** Entries that wait to be written. Further ones are dropped: the log must not slow down the requests. */
const QUEUE_MAX = 1_000
const BATCH_MAX = 100
/**
 * The result of a request is stored before its log row. A process that is killed in between loses a log row,
 * not a refresh token.
 */
const DELAY_MS = 50
/** The first requests of a new account end before its row is committed: they are written again after a delay. */
const RETRY_DELAY_MS = 1_000
const ATTEMPTS_MAX = 5
/** How long a caller of `flush` waits: the entries of all projects are written in turn. */
const FLUSH_MS_MAX = 1_000

/** Creates the log, which writes in the background in batches. */
export function createProviderRequestLog(db: Pool, log: Logger): ProviderRequestLog {
  const writeAll = entryWriter(db, log)
  const queue: Entry[] = []
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** Writes the entries that wait, and queues those again that can be written later, while they have attempts left. */
  function write(isDue: boolean): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // Entries of all projects share statements.
    return (writing ??= runOutsideProjects(() => writeAll(queue.splice(0), isDue))
      .then((later) => {
        queue.unshift(...later)
        if (queue.length) schedule(later.length === queue.length ? RETRY_DELAY_MS : DELAY_MS)
      })
      .finally(() => (writing = undefined)))
  }
  function schedule(delayMs: number): void {
    timer ??= setTimeout(() => void write(true), delayMs).unref()
  }

  return {
    add(createDrafts) {
      if (queue.length >= QUEUE_MAX)
        return log.warn({}, 'a request to a provider was not logged: too many entries wait to be written')
      queue.push({ createDrafts, attempts: 0 })
      if (!writing) schedule(DELAY_MS)
    },
    async flush(waitMs = FLUSH_MS_MAX) {
      const written = Promise.resolve(writing).then(() => write(false))
      await withTimeout(written, waitMs)
    },
  }
}

/**
 * Creates a function that writes entries, and returns those whose account does not exist yet. Only a write that is due
 * counts as an attempt: readers of the log can flush it many times in a second.
 */
function entryWriter(db: Pool, log: Logger): (entries: Entry[], isDue: boolean) => Promise<Entry[]> {
  const warn = (error: unknown, requests: number): void =>
    log.warn({ err: error, requests }, 'requests to providers were not logged')

  function createDrafts(entry: Entry): readonly ProviderRequestDraft[] {
    try {
      return entry.createDrafts()
    } catch (error) {
      warn(error, 1)
      return []
    }
  }
  const insert = (drafts: readonly ProviderRequestDraft[]): Promise<readonly ProviderRequestDraft[]> =>
    insertProviderRequests(db, drafts).catch((error: unknown) => {
      warn(error, drafts.length)
      return []
    })

  return async (entries, isDue) => {
    const later: Entry[] = []
    while (entries.length) {
      const batch = entries.splice(0, BATCH_MAX).map((entry) => ({ entry, drafts: createDrafts(entry) }))
      const drafts = batch.flatMap((one) => one.drafts)
      if (!drafts.length) continue
      const withoutAccount = await insert(drafts)
      for (const { entry, drafts } of batch) {
        if (isDue) entry.attempts++
        if (entry.attempts < ATTEMPTS_MAX && drafts.some((one) => withoutAccount.includes(one)))
          later.push(entry)
      }
    }
    return later
  }
}
