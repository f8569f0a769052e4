import type { Readable } from 'node:stream'

/** A file on the local disk that a store takes over: the store may move it, and removes it otherwise. */
export interface SpooledFile {
  /** Absolute path. */
  path: string
  /** The size before the bytes were encrypted. */
  size: number
  /** Of the bytes before they were encrypted, in lower-case hexadecimal. */
  md5: string
  /** Like `md5`. */
  sha256: string
}

/**
 * Stores the bytes of files, under keys that this program generates.
 * @throws StorageError if the store is unreachable or not writable
 */
export interface FileStore {
  /** Replaces an existing file. */
  put(key: string, file: SpooledFile): Promise<void>
  /** Returns `size` bytes, or undefined if there is no file with this key. */
  read(key: string, size: number): Promise<Readable | undefined>
  /** Removes a file. A missing file is not an error. */
  remove(key: string): Promise<void>
  /** Closes connections. */
  close?(): Promise<void>
}

/** The store failed. `message` contains no URL and no credential; `cause` is for the log. */
export class StorageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StorageError'
  }
}

/**
 * Segments of letters, digits, `.`, `_` and `-`, without dot segments. Such a key cannot leave its directory,
 * and needs no encoding.
 */
const KEY = /^(?!.*(^|\/)\.{1,2}(\/|$))[\w.-]+(\/[\w.-]+)*$/

/** @throws Error for a key that this program does not generate */
export function checkKey(key: string): string {
  if (!KEY.test(key) || key.length > 512) throw new Error('not a storage key')
  return key
}
