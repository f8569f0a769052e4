import type { Readable } from 'node:stream'

/** Bytes on the local disk that a store takes over: it may move the file, and leaves nothing behind. */
export interface SpooledFile {
  /** Absolute. */
  path: string
  size: number
  /** Lower-case hexadecimal. */
  md5: string
  /** Lower-case hexadecimal. */
  sha256: string
}

/** Where the bytes of files are kept, under keys that this program made. @throws StorageError when it cannot be reached or written */
export interface FileStore {
  /** Replaces what is there. */
  put(key: string, file: SpooledFile): Promise<void>
  /** The bytes, `size` of them; undefined when there is nothing under the key. */
  read(key: string, size: number): Promise<Readable | undefined>
  /** What is not there counts as removed. */
  remove(key: string): Promise<void>
  /** Frees its connections, when it has some. */
  close?(): Promise<void>
}

/** The store failed. `message` holds no address and no credential; `cause` is for the log. */
export class StorageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StorageError'
  }
}

/** Parts of letters, digits, `.`, `_` and `-`, none of them a dot segment: nothing that leaves its directory or has to be encoded. */
const KEY = /^(?!.*(^|\/)\.{1,2}(\/|$))[\w.-]+(\/[\w.-]+)*$/

/** @throws Error for a key that this program would not have made. */
export function checkKey(key: string): string {
  if (!KEY.test(key) || key.length > 512) throw new Error('not a storage key')
  return key
}
