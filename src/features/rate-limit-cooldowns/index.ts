import { randomUUID } from 'node:crypto'
import type { Cooldowns } from '../../engine/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { keepPause, presentPauses } from './store.ts'

export { removeOldPauses } from './store.ts'

const MESSAGE = 'pause '

/** Pauses that applications asked for, shared by all servers. What goes wrong here costs a refused request, so it is noted and no more. */
export function sharedPauses(db: Db, onError: (error: unknown) => void) {
  const self = randomUUID()
  return {
    share(projectId: string, key: string, ms: number): void {
      void keepPause(db, projectId, key, ms, self).catch(onError)
    },
    /** Whether an announcement was one of these. */
    heard(payload: string, pauses: Cooldowns): boolean {
      if (!payload.startsWith(MESSAGE)) return false
      try {
        const { from, key, ms } = JSON.parse(payload.slice(MESSAGE.length)) as {
          from?: unknown
          key?: unknown
          ms?: unknown
        }
        // What this server said itself comes back later than it was said.
        if (from !== self && typeof key === 'string' && typeof ms === 'number') pauses.learn(key, ms)
      } catch (error) {
        onError(error)
      }
      return true
    },
    /** Announcements may have been missed. */
    async reload(pauses: Cooldowns): Promise<void> {
      try {
        for (const { key, ms } of await presentPauses(db)) pauses.learn(key, ms)
      } catch (error) {
        onError(error)
      }
    },
  }
}
