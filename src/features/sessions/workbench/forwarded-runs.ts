import { setTimeout as sleep } from 'node:timers/promises'
import { notification } from '../../../platform/change-bus.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import { type Pool, sql } from '../../../platform/db/sql.ts'
import { randomText } from '../../../platform/ids.ts'
import type { SandboxOutcome, SandboxRun } from '../../../sandbox/index.ts'
import type { SessionCaller, SessionScope } from '../scope/scope.ts'

/** The result of a run. `problem`: why the code did not run, or why its outcome is not known. */
export type CodeRun = { outcome: SandboxOutcome; suffix: string; stderr: string } | { problem: string }

/** Code to run, with the log id of the call that it is part of. */
export interface CodeToRun {
  readonly kind: SandboxRun['kind']
  readonly code: string
  readonly logId: string
  /** Default: the setting of the session. */
  readonly outputCharacters?: number | undefined
}
export interface ForwardedRun extends CodeToRun {
  readonly sessionId: string
  readonly caller: Pick<SessionCaller, 'keyId' | 'settings' | 'requestId' | 'source'>
}

/** Passes runs to the server that has the sandbox of their session, through the database. */
export interface RunForwarder {
  /**
   * Runs code on the server that has the sandbox. Returns undefined if no other server has it, or if that one does not
   * reply: the caller then runs the code.
   */
  forward(scope: SessionScope, run: CodeToRun, timeoutMs: number): Promise<CodeRun | undefined>
  /** Performs a run for another server. `perform` returns undefined if this server has no sandbox of the session. */
  serve(id: string, perform: (run: ForwardedRun) => Promise<CodeRun | undefined>): Promise<void>
}

/** A server that runs begins within this time. The run of one that was killed is then done here. */
const CLAIM_MS = 3_000
const POLL_MS_MIN = 4
const POLL_MS_MAX = 250
const POLL_GROWTH = 1.3
/** Rows of servers that were killed while they waited. */
const ROW_SECONDS_MAX = 600
const LOST: CodeRun = {
  problem:
    'The server that ran the code stopped, so its outcome is not known. Files of /mnt/files are kept, variables are ' +
    'gone. Check what the code has done before you run it again.',
}

const encryptionContext = (id: string) => `sandbox_runs:${id}:encrypted_payload`

interface RunRow {
  state: 'waiting' | 'running' | 'rejected' | 'ended'
  encrypted_payload: Buffer | null
  /** The claim of the session was not extended in time. */
  is_lost: boolean
}

/** @param owner the name of this server process in `session_sandboxes` */
export function createRunForwarder(
  { db, encryptor }: { db: Pool; encryptor: Encryptor },
  owner: string,
): RunForwarder {
  return {
    async forward({ projectId, sessionId, caller }, run, timeoutMs) {
      const target = await findOwner(db, projectId, sessionId)
      if (target === undefined || target === owner) return undefined
      const id = randomText(24)
      const { keyId, settings, requestId, source } = caller
      const forwarded: ForwardedRun = { ...run, sessionId, caller: { keyId, settings, requestId, source } }
      const payload = (await encryptor.ofProject(projectId)).encrypt(forwarded, encryptionContext(id))
      await insertRun(db, { id, projectId, sessionId, target, payload })
      try {
        return await waitForEnd(db, encryptor, id, timeoutMs)
      } finally {
        await db.run(sql`delete from sandbox_runs where id = ${id}`)
      }
    },
    async serve(id, perform) {
      const claimed = await claimRun(db, encryptor, owner, id)
      if (!claimed) return
      const result = await perform(claimed.run)
      const own = await encryptor.ofProject(claimed.projectId)
      const payload = result ? own.encrypt(result, encryptionContext(id)) : null
      await db.run(sql`
        update sandbox_runs set state = ${result ? 'ended' : 'rejected'}, encrypted_payload = ${payload}
          where id = ${id}`)
    },
  }
}

/** The server that has, or had, the sandbox of a session. */
async function findOwner(db: Pool, projectId: string, sessionId: string): Promise<string | undefined> {
  const row = await db.one<{ owner: string }>(sql`
    select owner from session_sandboxes
      where project_id = ${projectId} and session_id = ${sessionId} and owner <> ''
        and (sandbox_id <> '' or busy_until > now())`)
  return row?.owner
}

const insertRun = (
  db: Pool,
  row: { id: string; projectId: string; sessionId: string; target: string; payload: Buffer },
): Promise<unknown> =>
  db.begin(async (tx) => {
    await tx.run(sql`
      delete from sandbox_runs
        where session_id = ${row.sessionId} and created_at < now() - ${ROW_SECONDS_MAX} * interval '1 second'`)
    await tx.run(sql`
      insert into sandbox_runs (id, project_id, session_id, owner, encrypted_payload)
        values (${row.id}, ${row.projectId}, ${row.sessionId}, ${row.target}, ${row.payload})`)
    const { id: runId, projectId, target } = row
    await tx.run(
      sql`select ${notification({ kind: 'sandbox_run_waiting', runId, projectId, owner: target })}`,
    )
  })

async function waitForEnd(
  db: Pool,
  encryptor: Encryptor,
  id: string,
  timeoutMs: number,
): Promise<CodeRun | undefined> {
  const startedAt = performance.now()
  for (let pause = POLL_MS_MIN; ; pause = Math.min(pause * POLL_GROWTH, POLL_MS_MAX)) {
    await sleep(pause)
    const elapsed = performance.now() - startedAt
    const row = await db.one<RunRow>(sql`
      select r.state, r.encrypted_payload, coalesce(s.busy_until < now(), false) as is_lost
        from sandbox_runs r left join session_sandboxes s on s.session_id = r.session_id where r.id = ${id}`)
    if (!row || row.state === 'rejected') return undefined
    if (row.state === 'ended' && row.encrypted_payload)
      return encryptor.decrypt<CodeRun>(row.encrypted_payload, encryptionContext(id))
    if (row.state === 'waiting' && elapsed > CLAIM_MS && (await withdrawRun(db, id))) return undefined
    if ((row.state === 'running' && row.is_lost) || elapsed > timeoutMs) return LOST
  }
}

/** Returns false if the other server has begun meanwhile. */
const withdrawRun = async (db: Pool, id: string): Promise<boolean> =>
  (await db.run(sql`delete from sandbox_runs where id = ${id} and state = 'waiting'`)) > 0

/** Claims a run for this server. Returns undefined if it was withdrawn. */
const claimRun = (
  db: Pool,
  encryptor: Encryptor,
  owner: string,
  id: string,
): Promise<{ run: ForwardedRun; projectId: string } | undefined> =>
  db.begin(async (tx) => {
    const row = await tx.one<{ project_id: string; encrypted_payload: Buffer }>(sql`
      select project_id, encrypted_payload from sandbox_runs
        where id = ${id} and owner = ${owner} and state = 'waiting' for update`)
    if (!row) return undefined
    await tx.run(sql`update sandbox_runs set state = 'running', encrypted_payload = null where id = ${id}`)
    const run = encryptor.decrypt<ForwardedRun>(row.encrypted_payload, encryptionContext(id))
    return { run, projectId: row.project_id }
  })
