export { decryptBytes, encryptBytes, encryptedSize, type FileKey, newFileKey } from './file-cipher.ts'
export { localStore } from './local.ts'
export { type Spool, spoolDirectory, TooManyBytes } from './spool.ts'
export { type FileStore, type SpooledFile, StorageError } from './types.ts'
