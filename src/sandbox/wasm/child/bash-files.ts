import { Buffer } from 'node:buffer'
import type { IFileSystem } from 'just-bash/browser'
import { type EmscriptenFs, ERRNO } from './emscripten.ts'

const PATHS_MAX = 50_000
const NAMES: Readonly<Record<number, string>> = {
  2: 'EACCES: permission denied',
  20: 'EEXIST: file already exists',
  31: 'EISDIR: illegal operation on a directory',
  32: 'ELOOP: too many levels of symbolic links',
  44: 'ENOENT: no such file or directory',
  51: 'ENOSPC: no space left on device',
  54: 'ENOTDIR: not a directory',
  55: 'ENOTEMPTY: directory not empty',
  63: 'EPERM: operation not permitted',
}

/** Errors of Emscripten have numbers; the shell expects the names of Node. */
function withErrorNames<T>(operation: string, path: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    const { errno } = error as { errno?: number }
    if (errno === undefined) throw error
    const name = NAMES[errno] ?? 'EIO: i/o error'
    const message = `${name}, ${operation} '${path}'`
    throw Object.assign(new Error(message), { code: name.slice(0, name.indexOf(':')) })
  }
}

/** The file system of Python as that of bash, so that both see the same files. */
export function bashFiles(FS: EmscriptenFs): IFileSystem {
  const read = (path: string) => withErrorNames('open', path, () => FS.readFile(path))
  const write = (path: string, content: string | Uint8Array, options: unknown, flags: string) =>
    withErrorNames('open', path, () => FS.writeFile(path, toBytes(content, options), { flags }))
  const stat = (path: string, follow: boolean) =>
    withErrorNames('stat', path, () => presentStats(FS, follow ? FS.stat(path) : FS.lstat(path)))
  const files: IFileSystem = {
    readFile: async (path, options) => Buffer.from(read(path)).toString(encodingOf(options)),
    readFileBuffer: async (path) => new Uint8Array(read(path)),
    writeFile: async (path, content, options) => write(path, content, options, 'w'),
    appendFile: async (path, content, options) => write(path, content, options, 'a'),
    exists: async (path) => exists(FS, path),
    stat: async (path) => stat(path, true),
    lstat: async (path) => stat(path, false),
    mkdir: async (path, options) =>
      withErrorNames('mkdir', path, () => (options?.recursive ? FS.mkdirTree(path) : FS.mkdir(path))),
    readdir: async (path) => withErrorNames('scandir', path, () => listNames(FS, path)),
    rm: async (path, options) => removePath(FS, path, options ?? {}),
    cp: async (from, to, options) => copyPath(FS, from, to, options?.recursive === true),
    mv: async (from, to) => withErrorNames('rename', from, () => FS.rename(from, to)),
    resolvePath: joinPath,
    getAllPaths: () => allPaths(FS, '/', []),
    chmod: async (path, mode) => withErrorNames('chmod', path, () => FS.chmod(path, mode)),
    symlink: async (target, path) => withErrorNames('symlink', path, () => FS.symlink(target, path)),
    // Emscripten has no hard links. A copy has the content at least.
    link: async (from, to) => write(to, read(from), undefined, 'w'),
    readlink: async (path) => withErrorNames('readlink', path, () => FS.readlink(path)),
    realpath: async (path) =>
      withErrorNames('realpath', path, () => FS.lookupPath(path, { follow: true }).path),
    utimes: async (path, atime, mtime) =>
      withErrorNames('utime', path, () => FS.utime(path, atime.getTime(), mtime.getTime())),
  }
  return files
}

const encodingOf = (options: unknown): BufferEncoding =>
  ((typeof options === 'string' ? options : (options as { encoding?: string } | undefined)?.encoding) ??
    'utf8') as BufferEncoding
const toBytes = (content: string | Uint8Array, options: unknown): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content, encodingOf(options)) : content

const presentStats = (FS: EmscriptenFs, { mode, size, mtime, ino }: ReturnType<EmscriptenFs['stat']>) => ({
  isFile: FS.isFile(mode),
  isDirectory: FS.isDir(mode),
  isSymbolicLink: FS.isLink(mode),
  mode,
  size,
  mtime,
  ino,
})

function exists(FS: EmscriptenFs, path: string): boolean {
  try {
    FS.stat(path)
    return true
  } catch {
    return false
  }
}

const listNames = (FS: EmscriptenFs, path: string): string[] =>
  FS.readdir(path).filter((name) => name !== '.' && name !== '..')

function removePath(FS: EmscriptenFs, path: string, options: { recursive?: boolean; force?: boolean }): void {
  withErrorNames('rm', path, () => {
    let mode: number
    try {
      ;({ mode } = FS.lstat(path))
    } catch (error) {
      if (options.force && (error as { errno?: number }).errno === ERRNO.ENOENT) return
      throw error
    }
    if (!FS.isDir(mode)) return FS.unlink(path)
    if (options.recursive)
      for (const name of listNames(FS, path)) removePath(FS, joinPath(path, name), options)
    FS.rmdir(path)
  })
}

function copyPath(FS: EmscriptenFs, from: string, to: string, isRecursive: boolean): void {
  withErrorNames('cp', from, () => {
    if (!FS.isDir(FS.stat(from).mode)) return FS.writeFile(to, FS.readFile(from))
    if (!isRecursive) throw Object.assign(new Error(), { errno: 31 })
    FS.mkdirTree(to)
    for (const name of listNames(FS, from)) copyPath(FS, joinPath(from, name), joinPath(to, name), true)
  })
}

function joinPath(base: string, path: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${base}/${path}`).split('/'))
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return `/${parts.join('/')}`
}

function allPaths(FS: EmscriptenFs, folder: string, found: string[]): string[] {
  for (const name of listNames(FS, folder)) {
    if (found.length >= PATHS_MAX) return found
    const path = joinPath(folder, name)
    found.push(path)
    if (FS.isDir(FS.lstat(path).mode)) allPaths(FS, path, found)
  }
  return found
}
