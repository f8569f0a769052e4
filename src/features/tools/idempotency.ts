import { createHash } from 'node:crypto'
import { canonicalJson } from '../../catalog/importers/snapshot.ts'
import type { ErrorSlug } from '../../contract/errors.ts'
import type { ExecuteReply } from '../../contract/tools.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import * as store from './idempotency-store.ts'

/** What is sealed beside a key: what was called, and what came of it. */
interface Kept {
  fingerprint: string
  reply?: ExecuteReply
  failure?: { slug: ErrorSlug; message: string; details: readonly string[] }
}

export interface KeyedCall {
  projectId: string
  key: string
  /** Everything that makes it this call and no other. */
  call: unknown
  /** Whether the answer may be stored. */
  mayStore: boolean
  log: Logger
  /** Makes the call; `onEffect` is told when it is about to be sent and may have an effect from then on, `onHeld` when it is not made because it waits for a person. */
  run(logId: string, onEffect: () => void, onHeld: () => void): Promise<ExecuteReply>
}

const KEY = /^[\x21-\x7e]{1,255}$/

/** @throws ApiError 400 for a key that is none */
export function readKey(header: string | undefined): string | undefined {
  if (header !== undefined && !KEY.test(header))
    throw badRequest('Error in headers.idempotency-key: must be 1 to 255 visible ASCII characters')
  return header
}

/**
 * Calls that carry the same key within a day are one call: it is made once, and every repetition gets its answer. A call that was refused before it could
 * have had an effect, or waits for a person, does not use its key up.
 */
export function idempotency({ db, encryptor }: { db: Db; encryptor: Encryptor }) {
  return async function once({ projectId, key, call, mayStore, log, run }: KeyedCall): Promise<ExecuteReply> {
    const id = hashed(`${projectId}\0${key}`)
    const fingerprint = hashed(canonicalJson(call))
    const seal = (kept: Kept) => encryptor.encrypt(kept, `idempotency_keys:${id}:encrypted_payload`)
    const logId = newId('log')
    if (!(await store.claim(db, projectId, id, logId, seal({ fingerprint })))) {
      const row = await store.find(db, projectId, id)
      const known =
        row &&
        answerOf(row, encryptor.decrypt<Kept>(row.encrypted_payload, `idempotency_keys:${id}:encrypted_payload`), fingerprint)
      if (known) return known
      if (!row || !(await store.takeOver(db, projectId, id, row.log_id, logId))) throw underWay()
    }
    return await make()

    async function make(): Promise<ExecuteReply> {
      let mayHaveHadEffect = false
      let isHeld = false
      try {
        const reply = await run(
          logId,
          () => {
            mayHaveHadEffect = true
          },
          () => {
            isHeld = true
          },
        )
        await written(() =>
          isHeld
            ? store.release(db, projectId, id, logId)
            : store.finish(db, projectId, id, logId, seal({ fingerprint, ...(mayStore ? { reply } : {}) })),
        )
        return reply
      } catch (error) {
        const failure =
          error instanceof ApiError
            ? { slug: error.slug, message: error.message, details: error.details }
            : undefined
        await written(() =>
          mayHaveHadEffect
            ? store.finish(db, projectId, id, logId, seal({ fingerprint, ...(failure ? { failure } : {}) }))
            : store.release(db, projectId, id, logId),
        )
        throw error
      }
    }

    /** The caller hears what happened all the same; who repeats the call is told by the log. */
    async function written(write: () => Promise<unknown>): Promise<void> {
      await write().catch((error: unknown) =>
        log.error(
          { err: error, log_id: logId },
          'what came of a call with an idempotency key could not be written',
        ),
      )
    }
  }
}

/** What a repetition is answered; undefined when the first call died before it sent anything. @throws ApiError */
function answerOf(row: store.CallRow, kept: Kept, fingerprint: string): ExecuteReply | undefined {
  if (kept.fingerprint !== fingerprint)
    throw new ApiError(
      'ActionExecute_IdempotencyKeyReused',
      'This Idempotency-Key was used for another call in the last 24 hours.',
    )
  if (row.status === 'running') {
    if (row.is_alive) throw underWay()
    if (!row.was_logged) return undefined
    throw new ApiError(
      'ActionExecute_IdempotentOutcomeUnknown',
      `The call with this Idempotency-Key (${row.log_id}) ${row.has_ended ? 'has ended, and its answer was lost' : 'was begun, and how it ended is not known'}.`,
    )
  }
  if (kept.failure)
    throw new ApiError(kept.failure.slug, kept.failure.message, { details: kept.failure.details })
  if (!kept.reply)
    throw new ApiError(
      'ActionExecute_IdempotentResultNotKept',
      `The call with this Idempotency-Key was made (${row.log_id}); this project does not store answers.`,
    )
  return { ...kept.reply, response: { ...kept.reply.response, replayed: true } }
}

const underWay = () =>
  new ApiError(
    'ActionExecute_IdempotentCallUnderWay',
    'The call with this Idempotency-Key is still under way.',
  )
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url')
