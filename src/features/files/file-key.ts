import { columnEncryption, type EncryptedValue } from '../../platform/db/encrypted-value.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { FileKey } from '../../platform/storage/index.ts'
import type { FileRow } from './store.ts'

const KEY = columnEncryption<string>('files', 'key')

/** Returns the value of `encrypted_key`: the key of a file, encrypted with the data key of its project. */
export const keyColumn = (projectId: string, { id, key }: FileKey): EncryptedValue =>
  KEY.encrypt(projectId, id, key.toString('base64')) as EncryptedValue

/** Returns the key of a file; undefined for files of earlier releases, whose bytes are not encrypted. */
export function readFileKey(
  db: Pick<Db, 'decrypt'>,
  { id, encrypted_key: encrypted }: Pick<FileRow, 'id' | 'encrypted_key'>,
): FileKey | undefined {
  const text = KEY.read(db, id, encrypted, null)
  return text === null ? undefined : { id, key: Buffer.from(text, 'base64') }
}
