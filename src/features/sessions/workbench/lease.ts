import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { notification } from '../../../platform/change-bus.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import { runOutsideProjects } from '../../../platform/db/project-scope.ts'
import { type Db, type Pool, sql } from '../../../platform/db/sql.ts'
import type { SandboxOutcome } from '../../../sandbox/index.ts'

/** The session whose sandbox a server claims, and the code that it runs. */
export interface LeaseKey {
  readonly projectId: string
  readonly sessionId: string
  /** A hash of the code. */
  readonly digest: Buffer
}

/**
 * `claimed`: the session is this server's until the run is released. `isMoved`: another server had the sandbox, and
 * stops it. `sandboxId`: of the last run, or empty. `attached`: another server ran the same code meanwhile.
 */
export type LeaseResult =
  | { readonly kind: 'claimed'; readonly sandboxId: string; readonly isMoved: boolean }
  | { readonly kind: 'attached'; readonly sandboxId: string; readonly outcome: SandboxOutcome }
  | { readonly kind: 'busy' }

/** How a server claims the sandbox of a session. */
export interface SandboxLease {
  /**
   * Claims the session for one run of at most `milliseconds`. The claim is extended while the run is in progress, so
   * that the session of a server that was killed is free after 20 seconds. Waits while a run is in progress on another
   * server: for the same code until it ends, for other code less long.
   */
  claim(key: LeaseKey, milliseconds: number, signal: AbortSignal): Promise<LeaseResult>
  /** Ends the run. `outcome`: for the same code that waits on another server; undefined if nothing may be stored. */
  release(key: LeaseKey, sandboxId: string, outcome: SandboxOutcome | undefined): Promise<void>
  /** Gives up every session of this process, which stops: other servers need not wait for it. */
  releaseAll(): Promise<void>
}

const POLL_MS = 250
const WAIT_MS = 40_000
/** How long a claim is valid after the server last extended it. Servers that wait take over then. */
const LEASE_MS = 20_000
const EXTEND_MS = 5_000
/** Of shorter runs nothing is stored: a repeat of them arrives when they have ended. */
const STORED_RUN_MS_MIN = 1_000
const OUTCOME_CHARACTERS_MAX = 1_000_000
/** A client that gives up after a minute repeats its request, and may reach another server. */
const LONG_RUN_SECONDS = 50
const OUTCOME_SECONDS = 10
const NO_RUN = { count: 1, startedAt: 0, timer: undefined }

export const digestOf = (kind: string, code: string): Buffer =>
  createHash('sha256').update(`${kind}\0${code}`).digest()

const encryptionContext = (sessionId: string) => `session_sandboxes:${sessionId}:encrypted_outcome`

interface LeaseRow {
  owner: string
  sandbox_id: string
  busy: boolean
  is_same: boolean
  /** The outcome of a long run that ended a moment ago. */
  is_recent: boolean
  encrypted_outcome: Buffer | null
}

/** @param owner a name of this server process that no other one has */
export function createSandboxLease(
  { db, encryptor }: { db: Pool; encryptor: Encryptor },
  owner: string,
): SandboxLease {
  /** Runs of this process by session: the row is busy until the last one has ended. */
  const active = new Map<string, { count: number; startedAt: number; timer: NodeJS.Timeout }>()
  const readAttached = ({ sessionId }: LeaseKey, row: LeaseRow): LeaseResult | undefined =>
    row.encrypted_outcome
      ? {
          kind: 'attached',
          sandboxId: row.sandbox_id,
          outcome: encryptor.decrypt<SandboxOutcome>(row.encrypted_outcome, encryptionContext(sessionId)),
        }
      : undefined
  return {
    async claim(key, milliseconds, signal) {
      let wasSame = false
      for (const startedAt = Date.now(); ; await sleep(POLL_MS, undefined, { signal })) {
        const row = await claimOnce(db, owner, key, wasSame)
        const attached = row.is_same && (wasSame || row.is_recent) ? readAttached(key, row) : undefined
        if (!row.busy && attached && row.owner !== owner) return attached
        if (!row.busy) {
          const { count = 0, timer } = active.get(key.sessionId) ?? {}
          clearInterval(timer)
          active.set(key.sessionId, {
            count: count + 1,
            startedAt: performance.now(),
            timer: startExtending(db, owner, key, milliseconds),
          })
          return { kind: 'claimed', sandboxId: row.sandbox_id, isMoved: row.owner !== owner }
        }
        wasSame = row.is_same
        if (Date.now() > startedAt + (wasSame ? milliseconds : WAIT_MS)) return { kind: 'busy' }
      }
    },
    async releaseAll() {
      // The sessions belong to many projects.
      await runOutsideProjects(() =>
        db.run(sql`update session_sandboxes set owner = '', busy_until = null where owner = ${owner}`),
      )
    },
    async release(key, sandboxId, outcome) {
      const { count, startedAt, timer } = active.get(key.sessionId) ?? NO_RUN
      if (count > 1 && timer) return void active.set(key.sessionId, { count: count - 1, startedAt, timer })
      clearInterval(timer)
      active.delete(key.sessionId)
      const text = performance.now() - startedAt < STORED_RUN_MS_MIN ? '' : JSON.stringify(outcome ?? '')
      const isStored = outcome !== undefined && text !== '' && text.length <= OUTCOME_CHARACTERS_MAX
      const payload = isStored
        ? (await encryptor.ofProject(key.projectId)).encrypt(outcome, encryptionContext(key.sessionId))
        : null
      await endRun(db, owner, key, sandboxId, payload)
      if (isStored)
        setTimeout(() => void forgetOutcome(db, owner, key).catch(() => {}), OUTCOME_SECONDS * 1_000).unref()
    },
  }
}

/** Extends a claim at intervals, for at most `milliseconds`. */
function startExtending(db: Db, owner: string, key: LeaseKey, milliseconds: number): NodeJS.Timeout {
  const until = Date.now() + milliseconds
  const timer = setInterval(() => {
    if (Date.now() > until) clearInterval(timer)
    // The next attempt follows before the claim ends.
    else void extendClaim(db, owner, key).catch(() => {})
  }, EXTEND_MS)
  return timer.unref()
}

/**
 * Claims the row if no other server runs code of the session, and if the same code did not just end on another one.
 * Returns the row before.
 */
const claimOnce = (
  db: Pool,
  owner: string,
  { projectId, sessionId, digest }: LeaseKey,
  waitedForSame: boolean,
): Promise<LeaseRow> =>
  db.begin(async (tx) => {
    await tx.run(sql`
      insert into session_sandboxes (session_id, project_id, owner) values (${sessionId}, ${projectId}, ${owner})
        on conflict (session_id) do nothing`)
    const row = await tx.one<LeaseRow>(sql`
      select owner, sandbox_id, coalesce(busy_until > now(), false) and owner <> ${owner} as busy,
          coalesce(run_digest = ${digest}, false) as is_same, encrypted_outcome,
          coalesce(ended_at > now() - ${OUTCOME_SECONDS} * interval '1 second'
            and ended_at - updated_at > ${LONG_RUN_SECONDS} * interval '1 second', false) as is_recent
        from session_sandboxes where project_id = ${projectId} and session_id = ${sessionId} for update`)
    // The session was deleted meanwhile; its run fails where it needs the row.
    if (!row)
      return { owner, sandbox_id: '', busy: false, is_same: false, is_recent: false, encrypted_outcome: null }
    const isAttached =
      row.owner !== owner && row.is_same && row.encrypted_outcome !== null && (waitedForSame || row.is_recent)
    if (row.busy || isAttached) return row
    await tx.run(sql`
      update session_sandboxes set owner = ${owner}, updated_at = now(), run_digest = ${digest},
        encrypted_outcome = null, ended_at = null, busy_until = now() + ${LEASE_MS} * interval '1 millisecond'
        where project_id = ${projectId} and session_id = ${sessionId}`)
    if (row.owner !== owner)
      await tx.run(sql`select ${notification({ kind: 'sandbox_moved', sessionId, owner })}`)
    return row
  })

const extendClaim = (db: Db, owner: string, { projectId, sessionId }: LeaseKey): Promise<number> =>
  db.run(sql`
    update session_sandboxes set busy_until = now() + ${LEASE_MS} * interval '1 millisecond'
      where project_id = ${projectId} and session_id = ${sessionId} and owner = ${owner} and busy_until is not null`)

const endRun = (
  db: Db,
  owner: string,
  { projectId, sessionId }: LeaseKey,
  sandboxId: string,
  payload: Buffer | null,
): Promise<number> =>
  db.run(sql`
    update session_sandboxes set busy_until = null, sandbox_id = ${sandboxId}, encrypted_outcome = ${payload},
        ended_at = now()
      where project_id = ${projectId} and session_id = ${sessionId} and owner = ${owner}`)

const forgetOutcome = (db: Db, owner: string, { projectId, sessionId }: LeaseKey): Promise<number> =>
  db.run(sql`
    update session_sandboxes set encrypted_outcome = null
      where project_id = ${projectId} and session_id = ${sessionId} and owner = ${owner} and busy_until is null
        and ended_at < now() - ${OUTCOME_SECONDS - 1} * interval '1 second'`)
