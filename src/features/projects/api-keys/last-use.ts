import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { recordUses } from './store.ts'

const WRITE_EVERY_MS = 60_000
/** Uses that wait for the next write. More keys than this in a minute: the rest is recorded by a later use. */
const PENDING_MAX = 10_000

export interface KeyUses {
  /** Notes that a key was used now. Costs no round trip. */
  record(keyId: string): void
  /** Writes the uses that were noted, and stops. */
  close(): Promise<void>
}

/**
 * Records when keys were last used. Uses are written in one statement a minute, so `last_used_at` is up to a minute
 * late, and the last minute is lost if the process is killed.
 */
export function createKeyUses(db: Db, clock: Clock, onError: (error: unknown) => void): KeyUses {
  let pending = new Map<string, number>()
  let writing: Promise<unknown> = Promise.resolve()
  const flush = async (): Promise<void> => {
    if (pending.size > 0) {
      const uses = pending
      pending = new Map()
      writing = writing.then(() => recordUses(db, uses)).catch(onError)
    }
    await writing
  }
  const timer = setInterval(() => void flush(), WRITE_EVERY_MS)
  timer.unref()
  return {
    record(keyId) {
      if (pending.size < PENDING_MAX && !pending.has(keyId)) pending.set(keyId, clock.now())
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
