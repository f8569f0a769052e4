import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock.ts'

const KNOWN_MAX = 10_000
/** However long an application says: after an hour it is asked again. A unit that was misread must not close an account for a day. */
const PAUSE_MAX_MS = 3_600_000
/** Shorter ones are over before another replica heard of them. */
const SHARED_MIN_MS = 1_000

/**
 * Until when an application takes no more calls of an account, as it said itself. Known in memory, so that asking costs nothing; what is worth it is told
 * to the other replicas.
 */
export interface Pauses {
  /** How long to wait, in ms; 0: no pause. */
  leftMs(key: string | undefined): number
  /** The application said so. */
  begin(projectId: string, key: string | undefined, ms: number): void
  /** Another replica said so. */
  heard(key: string, ms: number): void
}

/** @param share tells the others; its failure is its own affair */
export function createPauses(
  clock: Clock,
  share: (projectId: string, key: string, ms: number) => void,
): Pauses {
  const until = new LRUCache<string, number>({ max: KNOWN_MAX })

  /** Whether this is news. */
  function extend(key: string, ms: number): boolean {
    const end = clock.now() + Math.min(ms, PAUSE_MAX_MS)
    const known = until.get(key) ?? 0
    if (end <= known) return false
    until.set(key, end)
    return end - known >= SHARED_MIN_MS
  }

  return {
    leftMs(key) {
      if (key === undefined || until.size === 0) return 0
      const end = until.get(key)
      if (end === undefined) return 0
      const left = end - clock.now()
      if (left <= 0) until.delete(key)
      return Math.max(0, left)
    },
    begin(projectId, key, ms) {
      if (key === undefined || ms <= 0) return
      if (extend(key, ms) && ms >= SHARED_MIN_MS) share(projectId, key, Math.min(ms, PAUSE_MAX_MS))
    },
    heard(key, ms) {
      if (Number.isFinite(ms) && ms > 0) extend(key, ms)
    },
  }
}
