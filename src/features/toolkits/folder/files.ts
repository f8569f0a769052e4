import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { renameFile } from '../../../platform/rename-file.ts'

/** The blocks that several toolkits of the folder extend. */
export const FAMILIES = '_families'
const FILES_MAX = 20_000
const DEPTH_MAX = 8
const TOOLKIT_BYTES_MAX = 64_000_000

/** The files of a toolkit, and a value that changes with every write to one of them. */
export interface FileListing {
  /** Paths below the toolkits folder, sorted. */
  readonly paths: readonly string[]
  readonly signature: string
}

/**
 * Lists the files of every folder below a toolkits folder. Links are followed, as those of mounted volumes; names that
 * begin with a dot are not.
 * @throws Error if it cannot be read, or has more than 20,000 files
 */
export async function listToolkitFiles(folder: string): Promise<ReadonlyMap<string, FileListing>> {
  const count = { files: 0 }
  const listings = new Map<string, FileListing>()
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  for (const name of names) {
    const path = join(folder, name)
    if (!(await isDirectory(path))) continue
    const paths: string[] = []
    const hash = createHash('sha256')
    await visit(folder, name, 1, { count, paths, hash })
    listings.set(name, { paths, signature: hash.digest('hex') })
  }
  return listings
}

interface Visited {
  readonly count: { files: number }
  readonly paths: string[]
  readonly hash: ReturnType<typeof createHash>
}

async function visit(root: string, path: string, depth: number, visited: Visited): Promise<void> {
  if (depth > DEPTH_MAX) throw new Error(`${path} is more than ${DEPTH_MAX} folders deep`)
  for (const name of (await readdir(join(root, path))).sort()) {
    if (name.startsWith('.') || name === 'node_modules') continue
    const child = `${path}/${name}`
    const found = await stat(join(root, child), { bigint: true }).catch(() => undefined)
    if (found?.isDirectory()) await visit(root, child, depth + 1, visited)
    else if (found?.isFile()) {
      if (++visited.count.files > FILES_MAX) throw new Error(`it has more than ${FILES_MAX} files`)
      visited.paths.push(child)
      const { ino, size, mtimeNs, ctimeNs } = found
      visited.hash.update([child, ino, size, mtimeNs, ctimeNs].join('\0')).update('\n')
    }
  }
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false

/** A copy of the files of one toolkit, in a folder that is named after their content and never changes. */
export interface Snapshot {
  /** The folder that contains the folder of the toolkit. */
  readonly root: string
  readonly digest: string
}

export const snapshotRoot = (cache: string, digest: string): string => join(cache, digest.slice(0, 40))

/**
 * Copies the files of a toolkit. Tools are read and their code is imported when they are used, so a toolkit has to stay
 * as it was checked while its files are edited; Node.js imports changed code only from another path.
 * @throws Error if a file cannot be read, or all are larger than 64 MB
 */
export async function writeSnapshot(
  folder: string,
  paths: readonly string[],
  cache: string,
): Promise<Snapshot> {
  const hash = createHash('sha256')
  const files: { path: string; bytes: Buffer }[] = []
  let size = 0
  for (const path of paths) {
    const bytes = await readFile(join(folder, path))
    size += bytes.length
    if (size > TOOLKIT_BYTES_MAX)
      throw new Error(`its files are larger than ${TOOLKIT_BYTES_MAX / 1_000_000} MB`)
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
    files.push({ path, bytes })
  }
  const digest = hash.digest('hex')
  const root = snapshotRoot(cache, digest)
  if (await isDirectory(root)) return { root, digest }
  const temporary = join(cache, `.${randomUUID()}`)
  // Files named .ts and .js are modules, also without a package.json above the cache.
  for (const { path, bytes } of [
    ...files,
    { path: 'package.json', bytes: Buffer.from(JSON.stringify({ type: 'module' })) },
  ]) {
    await mkdir(dirname(join(temporary, path)), { recursive: true, mode: 0o700 })
    await writeFile(join(temporary, path), bytes, { mode: 0o600 })
  }
  try {
    await renameFile(temporary, root)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    // Another process has written the same files.
    if (!(await isDirectory(root))) throw error
  }
  return { root, digest }
}
