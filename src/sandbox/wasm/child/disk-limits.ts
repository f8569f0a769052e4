import { type EmscriptenFs, ERRNO, type FsNode } from './emscripten.ts'

const MEGABYTE = 1_000_000
/** Files, folders and links together. */
const NODES_MAX = 50_000

/**
 * Limits the disk of the sandbox, which is in memory: code that exceeds it gets "No space left on device", and the
 * kernel continues.
 */
export function limitDisk(FS: EmscriptenFs, bytesMax: number): void {
  const { MEMFS } = FS.filesystems
  const { createNode, expandFileStorage, resizeFileStorage } = MEMFS
  const { ErrnoError } = FS
  let nodes = 0
  const sizes = new Map<FsNode, number>()
  let bytes = 0
  const reserve = (node: FsNode, capacity: number): void => {
    const more = capacity - (sizes.get(node) ?? 0)
    if (more > 0 && bytes + more > bytesMax) {
      collect(FS, sizes)
      bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
      if (bytes + more > bytesMax) throw new ErrnoError(ERRNO.ENOSPC)
    }
    bytes += more
    sizes.set(node, capacity)
  }
  MEMFS.createNode = (parent, name, mode, device) => {
    if (nodes >= NODES_MAX) nodes = countNodes(FS, '/')
    if (nodes >= NODES_MAX) throw new ErrnoError(ERRNO.ENOSPC)
    nodes++
    return createNode(parent, name, mode, device)
  }
  MEMFS.expandFileStorage = (node, capacity) => {
    reserve(node, capacity)
    expandFileStorage(node, capacity)
  }
  MEMFS.resizeFileStorage = (node, size) => {
    reserve(node, size)
    resizeFileStorage(node, size)
  }
  const { write } = MEMFS.stream_ops
  const checkedWrite = (stream: { node: FsNode }, ...rest: [unknown, number, number, number]): number => {
    const [, , length, position] = rest
    if (length > MEGABYTE || stream.node.usedBytes === 0) reserve(stream.node, position + length)
    return write(stream, ...rest)
  }
  MEMFS.stream_ops.write = checkedWrite as typeof write
}

/** Forgets the sizes of files that were deleted. */
function collect(FS: EmscriptenFs, sizes: Map<FsNode, number>): void {
  const present = new Set<FsNode>()
  visitNodes(FS, '/', (node) => present.add(node))
  for (const node of sizes.keys()) if (!present.has(node)) sizes.delete(node)
}

function countNodes(FS: EmscriptenFs, path: string): number {
  let count = 0
  visitNodes(FS, path, () => count++)
  return count
}

const SKIPPED = new Set(['/proc', '/dev'])

/** Visits the nodes below a folder, without following links. */
export function visitNodes(
  FS: EmscriptenFs,
  path: string,
  visit: (node: FsNode, path: string) => void,
): void {
  for (const name of FS.readdir(path)) {
    if (name === '.' || name === '..') continue
    const inner = path === '/' ? `/${name}` : `${path}/${name}`
    if (SKIPPED.has(inner)) continue
    const { node } = FS.lookupPath(inner, { follow: false })
    visit(node, inner)
    if (FS.isDir(node.mode)) visitNodes(FS, inner, visit)
  }
}
