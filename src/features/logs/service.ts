import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AppPresentation } from './older-logs.ts'
import type { LoggedPayload } from './present-log.ts'
import { payloadContext } from './encrypted-columns.ts'
import { findLog, type LogRow } from './store.ts'

export interface LogDeps {
  db: Db
  encryptor: Encryptor
  /** Returns the name and the icon of a toolkit, also of one that no longer exists. */
  appNames(projectId: string, toolkitSlug: string): AppPresentation | Promise<AppPresentation>
}

export interface LogWithPayload {
  row: LogRow
  /** Missing if the project did not store payloads. */
  payload: LoggedPayload | undefined
}

/** Returns a log with its decrypted payload. @throws ApiError 404 */
export async function readLog(
  { db, encryptor }: LogDeps,
  projectId: string,
  id: string,
): Promise<LogWithPayload> {
  const row = await findLog({ db, encryptor }, projectId, id)
  if (!row) throw new ApiError('Log_NotFound', `Log ${id} not found`)
  const payload = row.payload ? encryptor.decrypt<LoggedPayload>(row.payload, payloadContext(id)) : undefined
  return { row, payload }
}
