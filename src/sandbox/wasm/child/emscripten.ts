/**
 * The parts of Emscripten's file system that the sandbox uses
 * (https://emscripten.org/docs/api_reference/Filesystem-API.html).
 */
export interface EmscriptenFs {
  readonly ErrnoError: new (errno: number) => Error & { errno: number }
  readonly filesystems: Record<string, unknown> & { MEMFS: MemoryFs }
  readdir(path: string): string[]
  readFile(path: string): Uint8Array
  writeFile(path: string, bytes: Uint8Array, options?: { flags?: string }): void
  stat(path: string): FsStats
  lstat(path: string): FsStats
  mkdir(path: string): void
  mkdirTree(path: string): void
  rmdir(path: string): void
  unlink(path: string): void
  rename(from: string, to: string): void
  symlink(target: string, path: string): void
  readlink(path: string): string
  chmod(path: string, mode: number): void
  utime(path: string, atime: number, mtime: number): void
  chdir(path: string): void
  lookupPath(path: string, options?: { follow?: boolean }): { path: string; node: FsNode }
  isDir(mode: number): boolean
  isFile(mode: number): boolean
  isLink(mode: number): boolean
}
export interface FsStats {
  readonly mode: number
  readonly size: number
  readonly mtime: Date
  readonly ino: number
}
/** A file, folder or link in memory. */
export interface FsNode {
  contents: Uint8Array
  usedBytes: number
  mtime: number
  mode: number
}
export interface MemoryFs {
  expandFileStorage(node: FsNode, capacity: number): void
  resizeFileStorage(node: FsNode, size: number): void
  createNode(parent: FsNode | null, name: string, mode: number, device: number): FsNode
  stream_ops: { write(...args: unknown[]): number }
}

/** Codes of errors that the sandbox names. */
export const ERRNO = { ENOSPC: 51, EIO: 29, ENOENT: 44 } as const
