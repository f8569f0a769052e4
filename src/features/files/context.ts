import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { FileStore, Spool } from '../../platform/storage/index.ts'
import type { FileUrls } from './file-urls.ts'
import type { UploadSlots } from './upload-slots.ts'

export interface FileSettings {
  /** Object store. */
  store: FileStore
  /** Temporary files, until an upload is validated. */
  spool: Spool
  /** Base URL of the files for clients, without a slash at the end. */
  url: string
  bytesMax: number
  /** Limit for all files of a project together. */
  projectBytesMax: number
  retentionMs: number
}

/** The budget of the files of a project. */
export interface StorageBudget {
  /** The budget of a project, or of one session in it. Undefined: there is none. */
  bytesMax(projectId: string, sessionId?: string): Promise<number | undefined>
  record(projectId: string, bytes: number, sessionId?: string): Promise<void>
}

export interface FileDeps {
  budget: StorageBudget
  db: Pool
  encryptor: Encryptor
  clock: Clock
  settings: FileSettings
}

/** Dependencies of the operations on files. */
export interface FileContext extends FileDeps {
  urls: FileUrls
  uploads: UploadSlots
}
