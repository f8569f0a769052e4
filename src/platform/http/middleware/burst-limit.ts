import { createCache } from '../../cache.ts'

const PROJECTS_MAX = 10_000

/**
 * Limits the calls of a project in a second, on this server: a bucket that holds the calls of one second and is filled
 * continuously. Stores only when the bucket will be full again.
 */
export function createBurstLimit(perSecond: number) {
  const fullAt = createCache<string, number>({ max: PROJECTS_MAX })
  const intervalMs = 1_000 / perSecond
  const isOff = (projectId: string | undefined): projectId is undefined =>
    perSecond === 0 || projectId === undefined
  return {
    isReached(projectId: string | undefined, now: number): boolean {
      if (isOff(projectId)) return false
      const emptyFor = (fullAt.get(projectId) ?? 0) + intervalMs - now - 1_000
      // A clock that was set back must not close the bucket for longer than a second.
      return emptyFor > 0 && emptyFor <= 1_000
    },
    record(projectId: string | undefined, now: number): void {
      if (isOff(projectId)) return
      const before = fullAt.get(projectId) ?? 0
      fullAt.set(projectId, (before > now && before <= now + 2_000 ? before : now) + intervalMs)
    },
  }
}
