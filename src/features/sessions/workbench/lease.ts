import { setTimeout as sleep } from 'node:timers/promises'
import { notification } from '../../../platform/change-bus.ts'
import { type Pool, sql } from '../../../platform/db/sql.ts'

/** How a server claims the sandbox of a session. */
export interface SandboxLease {
  /**
   * Claims the session for one run of at most `milliseconds`. Waits while a run is in progress on another server.
   * `movedFrom`: another server had the sandbox, and stops it. `sandboxId`: of the last run, or empty.
   */
  claim(
    projectId: string,
    sessionId: string,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<{ sandboxId: string; isMoved: boolean } | 'busy'>
  /** Ends the run. */
  release(projectId: string, sessionId: string, sandboxId: string): Promise<void>
}

const POLL_MS = 250
const WAIT_MS = 40_000

/** @param owner a name of this server process that no other one has */
export function createSandboxLease(db: Pool, owner: string): SandboxLease {
  const claimOnce = (projectId: string, sessionId: string, milliseconds: number) =>
    db.begin(async (tx) => {
      await tx.run(sql`
        insert into session_sandboxes (session_id, project_id, owner) values (${sessionId}, ${projectId}, ${owner})
          on conflict (session_id) do nothing`)
      const row = await tx.one<{ owner: string; sandbox_id: string; busy: boolean }>(sql`
        select owner, sandbox_id, coalesce(busy_until > now(), false) as busy from session_sandboxes
          where project_id = ${projectId} and session_id = ${sessionId} for update`)
      if (!row || (row.busy && row.owner !== owner)) return 'busy' as const
      await tx.run(sql`
        update session_sandboxes set owner = ${owner}, updated_at = now(),
          busy_until = now() + ${milliseconds} * interval '1 millisecond'
          where project_id = ${projectId} and session_id = ${sessionId}`)
      const isMoved = row.owner !== owner
      if (isMoved) await tx.run(sql`select ${notification({ kind: 'sandbox_moved', sessionId, owner })}`)
      return { sandboxId: row.sandbox_id, isMoved }
    })
  /** Runs of this process by session: the row is busy until the last one has ended. */
  const active = new Map<string, number>()
  return {
    async claim(projectId, sessionId, milliseconds, signal) {
      for (const until = Date.now() + WAIT_MS; ; await sleep(POLL_MS, undefined, { signal })) {
        const claimed = await claimOnce(projectId, sessionId, milliseconds)
        if (claimed !== 'busy') active.set(sessionId, (active.get(sessionId) ?? 0) + 1)
        if (claimed !== 'busy' || Date.now() > until) return claimed
      }
    },
    async release(projectId, sessionId, sandboxId) {
      const others = (active.get(sessionId) ?? 1) - 1
      if (others > 0) return void active.set(sessionId, others)
      active.delete(sessionId)
      await db.run(sql`
        update session_sandboxes set busy_until = null, sandbox_id = ${sandboxId}, updated_at = now()
          where project_id = ${projectId} and session_id = ${sessionId} and owner = ${owner}`)
    },
  }
}
