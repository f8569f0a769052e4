import type { MountEntry } from '../../types.ts'
import type { Channel } from './channel.ts'
import { visitNodes } from './disk-limits.ts'
import { type EmscriptenFs, ERRNO, type FsNode } from './emscripten.ts'

/** The folder of the sandbox that is the session's mount. */
export const MOUNT = '/mnt/files'

interface KnownFile {
  version: string
  node: FsNode
  mtime: number
  size: number
}

/** The files of the session in `/mnt/files`. Their content is loaded when it is first read. */
export function createMount(FS: EmscriptenFs, channel: Channel) {
  const known = new Map<string, KnownFile>()
  FS.mkdirTree(MOUNT)

  /** A file of the right size, whose content is requested when it is read. */
  function addFile({ path, size, version }: MountEntry): void {
    const full = `${MOUNT}/${path}`
    FS.mkdirTree(full.slice(0, full.lastIndexOf('/')))
    if (known.has(path)) remove(full)
    FS.writeFile(full, new Uint8Array(0))
    const { node } = FS.lookupPath(full)
    node.usedBytes = size
    if (size > 0) loadWhenRead(FS, node, () => channel.requestSync('mount.read', path, new Uint8Array(0)))
    known.set(path, { version, node, mtime: node.mtime, size })
  }
  function remove(full: string): void {
    try {
      FS.unlink(full)
    } catch {
      // Code of the agent may have removed it, or replaced it with a folder.
    }
  }
  return {
    /** Makes the folder equal to the mount: files that were added, replaced or removed through the API. */
    update(entries: readonly MountEntry[]): void {
      const paths = new Set(entries.map(({ path }) => path))
      for (const path of known.keys())
        if (!paths.has(path)) {
          remove(`${MOUNT}/${path}`)
          known.delete(path)
        }
      for (const entry of entries) if (known.get(entry.path)?.version !== entry.version) addFile(entry)
    },

    /** Stores the files that code changed, and removes those that it deleted. Returns what failed. */
    store: () => storeChanges(FS, channel, known),
  }
}
export type Mount = ReturnType<typeof createMount>

/** Replaces the content of a file by a property that requests it once. */
function loadWhenRead(
  FS: EmscriptenFs,
  node: FsNode,
  load: () => { error: string | undefined; body: Uint8Array },
): void {
  let contents: Uint8Array | undefined
  Object.defineProperty(node, 'contents', {
    configurable: true,
    enumerable: true,
    get() {
      if (contents) return contents
      const { error, body } = load()
      if (error !== undefined) throw new FS.ErrnoError(ERRNO.EIO)
      return (contents = body)
    },
    set(value: Uint8Array) {
      contents = value
    },
  })
}

async function storeChanges(
  FS: EmscriptenFs,
  channel: Channel,
  known: Map<string, KnownFile>,
): Promise<string[]> {
  const problems: string[] = []
  const present = new Set<string>()
  const changed: [path: string, node: FsNode][] = []
  visitNodes(FS, MOUNT, (node, full) => {
    if (!FS.isFile(node.mode)) return
    const path = full.slice(MOUNT.length + 1)
    present.add(path)
    const last = known.get(path)
    if (last?.node !== node || last.mtime !== node.mtime || last.size !== node.usedBytes)
      changed.push([path, node])
  })
  for (const [path, node] of changed) {
    const { buffer, byteOffset } = node.contents
    const bytes = new Uint8Array(buffer, byteOffset, node.usedBytes)
    const { error, text: version } = await channel.request('mount.write', path, bytes)
    if (error === undefined) known.set(path, { version, node, mtime: node.mtime, size: node.usedBytes })
    else problems.push(`${MOUNT}/${path} was not stored: ${error}`)
  }
  for (const path of [...known.keys()].filter((one) => !present.has(one))) {
    const { error } = await channel.request('mount.remove', path, new Uint8Array(0))
    if (error === undefined) known.delete(path)
    else problems.push(`${MOUNT}/${path} was not removed: ${error}`)
  }
  return problems
}
