import type { Encryptor } from '../../../platform/crypto/index.ts'
import { type Pool, sql } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'

/** What a stopped run has completed. */
export interface ResumePoint {
  /** Results of completed steps, by the id of the step. */
  readonly values: Readonly<Record<string, unknown>>
  /** Of the step that failed: results of the items that were completed, by their position. */
  readonly items: Readonly<Record<string, unknown>>
}
export interface StoppedRun extends ResumePoint {
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Runs that stopped, which their session can continue. */
export interface StoppedRuns {
  /** Stores a run, and returns its id; undefined if its results are too large. */
  store(run: RunKey, stopped: StoppedRun): Promise<string | undefined>
  /** Takes a run of this session and version: of two concurrent calls one gets it. */
  claim(run: RunKey, id: string): Promise<StoppedRun | undefined>
}
export interface RunKey {
  readonly projectId: string
  readonly sessionId: string
  readonly versionId: string
}

const PAYLOAD_CHARACTERS_MAX = 5_000_000
const RUNS_PER_SESSION_MAX = 20
const DAYS_MAX = 7

const encryptionContext = (id: string) => `recipe_runs:${id}:encrypted_payload`

export function createStoppedRuns({ db, encryptor }: { db: Pool; encryptor: Encryptor }): StoppedRuns {
  return {
    async store({ projectId, sessionId, versionId }, stopped) {
      if (JSON.stringify(stopped).length > PAYLOAD_CHARACTERS_MAX) return undefined
      const id = newId('rrn')
      const payload = (await encryptor.ofProject(projectId)).encrypt(stopped, encryptionContext(id))
      await db.begin(async (tx) => {
        await tx.run(sql`
          insert into recipe_runs (id, project_id, session_id, recipe_version_id, encrypted_payload)
            values (${id}, ${projectId}, ${sessionId}, ${versionId}, ${payload})`)
        await tx.run(sql`
          delete from recipe_runs where project_id = ${projectId} and session_id = ${sessionId} and id in
            (select id from recipe_runs where session_id = ${sessionId} order by created_at desc, id
              offset ${RUNS_PER_SESSION_MAX})`)
        await tx.run(sql`
          delete from recipe_runs where project_id = ${projectId}
            and created_at < now() - ${DAYS_MAX} * interval '1 day'`)
      })
      return id
    },
    async claim({ projectId, sessionId, versionId }, id) {
      const row = await db.one<{ encrypted_payload: Buffer }>(sql`
        delete from recipe_runs where project_id = ${projectId} and session_id = ${sessionId} and id = ${id}
          and recipe_version_id = ${versionId} and created_at > now() - ${DAYS_MAX} * interval '1 day'
          returning encrypted_payload`)
      return row && encryptor.decrypt<StoppedRun>(row.encrypted_payload, encryptionContext(id))
    },
  }
}
