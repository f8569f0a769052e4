import type { ProjectEncryptor } from '../../platform/crypto/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'

/** What the receiver responded, or why there is no response. */
export interface AttemptOutcome {
  response: string | null
  error: string | null
}

/** The columns of an attempt that have its outcome. Earlier attempts have it in clear. */
export interface StoredOutcome extends AttemptOutcome {
  encrypted_response: Buffer | null
  encrypted_error: Buffer | null
}

/**
 * An attempt as it is read: `attempt_id` is what its encryption is bound to. Without an attempt, all fields are null.
 */
export interface ReadOutcome extends StoredOutcome {
  attempt_id: string | null
}

/** The columns of `ReadOutcome`. The table has the alias `t`. */
export const OUTCOME_COLUMNS = sql`
  t.response, t.error, t.delivery_id || '.' || t.number as attempt_id, t.encrypted_response, t.encrypted_error`

const encryptionContext = (attemptId: string, part: 'response' | 'error') =>
  `webhook_attempts:${attemptId}:${part}`

/** Encrypts the outcome of an attempt for its row. Empty texts are not encrypted. */
export function encryptOutcome(
  encryptor: ProjectEncryptor,
  { id: deliveryId, number, response, error }: AttemptOutcome & { id: string; number: number },
): StoredOutcome {
  const id = `${deliveryId}.${number}`
  const encrypt = (text: string | null, part: 'response' | 'error') =>
    text ? encryptor.encrypt(text, encryptionContext(id, part)) : null
  return {
    response: response ? null : response,
    error: error ? null : error,
    encrypted_response: encrypt(response, 'response'),
    encrypted_error: encrypt(error, 'error'),
  }
}

export function decryptOutcome(db: Pick<Db, 'decrypt'>, stored: ReadOutcome): AttemptOutcome {
  const { attempt_id: id } = stored
  const decrypt = (encrypted: Buffer | null, part: 'response' | 'error', clear: string | null) =>
    encrypted && id !== null ? db.decrypt<string>(encrypted, encryptionContext(id, part)) : clear
  return {
    response: decrypt(stored.encrypted_response, 'response', stored.response),
    error: decrypt(stored.encrypted_error, 'error', stored.error),
  }
}
