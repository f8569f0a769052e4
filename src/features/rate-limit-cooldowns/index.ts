import { randomUUID } from 'node:crypto'
import type { Cooldowns } from '../../engine/index.ts'
import type { Change } from '../../platform/change-bus.ts'
import type { Db } from '../../platform/db/sql.ts'
import { activeCooldowns, storeCooldown } from './store.ts'

export { cooldownSchedules } from './schedules.ts'

/**
 * Shares the cooldowns of rate limits with the other processes. A failure only costs a request that the application
 * rejects, so it is passed to `onError` and nothing else happens.
 */
export function createSharedCooldowns(db: Db, onError: (error: unknown) => void) {
  const processId = randomUUID()
  return {
    share(projectId: string, key: string, milliseconds: number): void {
      void storeCooldown(db, projectId, key, milliseconds, processId).catch(onError)
    },
    /** Applies a cooldown that another process has reported. */
    apply(change: Extract<Change, { kind: 'cooldown_started' }>, cooldowns: Cooldowns): void {
      // The own change arrives later than it was reported, and would extend the cooldown.
      if (change.processId !== processId) cooldowns.learn(change.key, change.milliseconds)
    },
    /** Loads the cooldowns after changes may have been missed. */
    async reload(cooldowns: Cooldowns): Promise<void> {
      try {
        for (const { key, milliseconds } of await activeCooldowns(db)) cooldowns.learn(key, milliseconds)
      } catch (error) {
        onError(error)
      }
    },
  }
}
export { rateLimitCooldownsProjectRows } from './project-rows.ts'
