import type { ProjectEncryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { newLogId } from '../../../platform/ids.ts'

/** A new row in the log of an instance. Its message can quote what the application sent. */
export interface NewLog {
  id: string
  kind: 'failure' | 'gap'
  encrypted_message: Buffer
}

const encryptionContext = (id: string) => `trigger_logs:${id}:message`

export function newLog(encryptor: ProjectEncryptor, kind: NewLog['kind'], message: string): NewLog {
  const id = newLogId()
  return { id, kind, encrypted_message: encryptor.encrypt(message, encryptionContext(id)) }
}

/** Returns the message of a row. Reasons of this server, and messages of earlier releases, are in clear. */
export const readMessage = (
  db: Pick<Db, 'decrypt'>,
  row: { id: string; message: string | null; encrypted_message: Buffer | null },
): string | null =>
  row.encrypted_message ? db.decrypt(row.encrypted_message, encryptionContext(row.id)) : row.message
