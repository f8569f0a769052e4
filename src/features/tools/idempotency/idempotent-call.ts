import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../catalog/importers/versions/canonical-json.ts'
import type { ErrorSlug } from '../../../contract/errors/index.ts'
import type { ExecuteReply } from '../../../contract/tools/index.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import { newLogId } from '../../../platform/ids.ts'
import type { Logger } from '../../../platform/log.ts'
import * as store from './store.ts'

/** The encrypted payload of a key: the fingerprint of the call, and its reply or error. */
interface KeyPayload {
  fingerprint: string
  reply?: ExecuteReply | undefined
  failure?: { slug: ErrorSlug; message: string; details: readonly string[] } | undefined
}

export interface IdempotentCallDeps {
  db: Db
  encryptor: Encryptor
}

export interface IdempotentCall {
  projectId: string
  key: string
  /** Everything that distinguishes the call from others. */
  call: unknown
  /** Whether the reply may be stored. */
  mayStore: boolean
  log: Logger
  /**
   * Makes the call. `onBeforeSend` must be called before the call is sent: from then on it may have an effect.
   * `isWithheld`: the call was not made because it waits for an approval or is blocked.
   */
  run(logId: string, onBeforeSend: () => void): Promise<{ reply: ExecuteReply; isWithheld: boolean }>
}

const KEY = /^[\x21-\x7e]{1,255}$/

/** @throws ApiError 400 for an invalid key */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header !== undefined && !KEY.test(header)) {
    throw badRequest('Error in headers.idempotency-key: must be 1 to 255 visible ASCII characters')
  }
  return header
}

/**
 * Makes calls with the same key within a day once, and returns the reply to every repetition. A call that is
 * rejected before it could have an effect, or waits for a person, does not use its key.
 */
export async function runOnce(
  { db, encryptor }: IdempotentCallDeps,
  idempotentCall: IdempotentCall,
): Promise<ExecuteReply> {
  const { projectId, key, call } = idempotentCall
  const id = hash(`${projectId}\0${key}`)
  const context = `idempotency_keys:${id}:encrypted_payload`
  const fingerprint = hash(canonicalJson(call))
  const logId = newLogId()
  const own = await encryptor.ofProject(projectId)
  const encrypt = (payload: Omit<KeyPayload, 'fingerprint'>) =>
    own.encrypt({ fingerprint, ...payload }, context)
  if (!(await store.claimKey(db, projectId, id, logId, encrypt({})))) {
    const row = await store.findKey(db, projectId, id)
    const reply =
      row && replyOf(row, encryptor.decrypt<KeyPayload>(row.encrypted_payload, context), fingerprint)
    if (reply) return reply
    if (!row || !(await store.replaceEndedCall(db, projectId, id, row.log_id, logId))) throw stillRunning()
  }
  return makeCall(idempotentCall, logId, {
    release: () => store.releaseKey(db, projectId, id, logId),
    complete: (payload) => store.completeKey(db, projectId, id, logId, encrypt(payload)),
  })
}

interface KeyWriter {
  release(): Promise<unknown>
  complete(payload: Omit<KeyPayload, 'fingerprint'>): Promise<unknown>
}

async function makeCall(
  { run, mayStore, log }: IdempotentCall,
  logId: string,
  { release, complete }: KeyWriter,
): Promise<ExecuteReply> {
  let mayHaveEffect = false
  /** The caller receives the outcome even if it cannot be written. A repetition finds the log row. */
  const write = (work: Promise<unknown>) =>
    work.catch((error: unknown) =>
      log.error(
        { err: error, log_id: logId },
        'The outcome of a call with an idempotency key could not be written.',
      ),
    )
  try {
    const { reply, isWithheld } = await run(logId, () => {
      mayHaveEffect = true
    })
    await write(isWithheld ? release() : complete(mayStore ? { reply } : {}))
    return reply
  } catch (error) {
    await write(mayHaveEffect ? complete({ failure: failureOf(error) }) : release())
    throw error
  }
}

function failureOf(error: unknown): KeyPayload['failure'] {
  if (!(error instanceof ApiError)) return undefined
  const { slug, message, details } = error
  return { slug, message, details }
}

/** Returns the reply to a repetition; undefined if the first call ended before it sent anything. @throws ApiError */
function replyOf(
  row: store.IdempotencyRow,
  { reply, failure, fingerprint: usedFor }: KeyPayload,
  fingerprint: string,
): ExecuteReply | undefined {
  if (usedFor !== fingerprint) {
    throw new ApiError(
      'ActionExecute_IdempotencyKeyReused',
      'This Idempotency-Key was used for another call in the last 24 hours.',
    )
  }
  if (row.status === 'running') {
    if (row.is_alive) throw stillRunning()
    if (!row.was_logged) return undefined
    const state = row.has_ended
      ? 'has ended, and its reply was lost'
      : 'was started, and its end is not known'
    throw new ApiError(
      'ActionExecute_IdempotentOutcomeUnknown',
      `The call with this Idempotency-Key (${row.log_id}) ${state}.`,
    )
  }
  if (failure) throw new ApiError(failure.slug, failure.message, { details: failure.details })
  if (reply) return { ...reply, response: { ...reply.response, replayed: true } }
  throw new ApiError(
    'ActionExecute_IdempotentResultNotKept',
    `The call with this Idempotency-Key was made (${row.log_id}); this project does not store replies.`,
  )
}

const stillRunning = () =>
  new ApiError('ActionExecute_IdempotentCallUnderWay', 'The call with this Idempotency-Key is still running.')

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')
