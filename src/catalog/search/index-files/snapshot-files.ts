import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renameFile } from '../../../platform/rename-file.ts'
import type { Segment, SegmentToolkit } from '../segments/segment.ts'
import { decodeSegment, FORMAT, headBytesOf, PREFIX_BYTES, readHead } from '../segments/snapshot.ts'

const SNAPSHOT = /^search-([0-9a-f]{64})\.bin$/
/** Of indexes that this catalogue does not use: servers of several releases may share the folder. */
const OTHERS_MAX = 3
/** A head lists the toolkits, about 200 bytes each. */
const HEAD_BYTES_MAX = 16 * 1024 * 1024

/** An index in a file, of which only the list of its toolkits was read. */
export interface StoredIndex {
  readonly key: string
  readonly toolkits: readonly SegmentToolkit[]
}

/** The key of an index: it is that of no other format and of no other toolkits. */
export function keyOfToolkits(toolkits: readonly Pick<SegmentToolkit, 'slug' | 'digest'>[]): string {
  const hash = createHash('sha256').update(`format ${FORMAT}`)
  for (const { slug, digest } of toolkits) hash.update(`\n${slug} ${digest}`)
  return hash.digest('hex')
}

const fileOf = (folder: string, key: string): string => join(folder, `search-${key}.bin`)

/** Lists the indexes in a folder. Those that cannot be read or have another format are left out. */
export async function listStoredIndexes(folder: string): Promise<StoredIndex[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      const key = SNAPSHOT.exec(name)?.[1]
      const toolkits = key === undefined ? undefined : await readToolkits(join(folder, name), key)
      return toolkits && [{ key: key!, toolkits }]
    }),
  )
  return found.flatMap((one) => one ?? [])
}

async function readToolkits(path: string, key: string): Promise<readonly SegmentToolkit[] | undefined> {
  const file = await open(path).catch(() => undefined)
  if (!file) return undefined
  try {
    const prefix = Buffer.alloc(PREFIX_BYTES)
    await file.read(prefix, 0, PREFIX_BYTES, 0)
    const length = headBytesOf(prefix)
    if (length === undefined || length > HEAD_BYTES_MAX) return undefined
    const text = Buffer.alloc(length)
    await file.read(text, 0, length, PREFIX_BYTES)
    return readHead(text.toString('utf8'), key)?.toolkits
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}

/** Reads an index; undefined if the file is gone or damaged. */
export async function readStoredIndex(folder: string, key: string): Promise<Segment | undefined> {
  const bytes = await readFile(fileOf(folder, key)).catch(() => undefined)
  return bytes && decodeSegment(bytes, key)
}

/** As `readStoredIndex`, for a search that cannot wait. */
export function readStoredIndexNow(folder: string, key: string): Segment | undefined {
  try {
    return decodeSegment(readFileSync(fileOf(folder, key)), key)
  } catch {
    return undefined
  }
}

/**
 * Writes an index, which appears whole or not at all, and removes the oldest others.
 * @param used keys of indexes that stay in any case
 */
export async function storeIndex(
  folder: string,
  key: string,
  bytes: Uint8Array,
  used: ReadonlySet<string>,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const others = (await readdir(folder)).filter((name) => {
    const other = SNAPSHOT.exec(name)?.[1]
    return other !== undefined && other !== key && !used.has(other)
  })
  const dated = await Promise.all(
    others.map(async (name) => ({
      path: join(folder, name),
      writtenAt: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  )
  dated.sort((a, b) => b.writtenAt - a.writtenAt)
  for (const { path } of dated.slice(OTHERS_MAX)) await rm(path, { force: true })
  const part = `${fileOf(folder, key)}.${process.pid}.part`
  await writeFile(part, bytes)
  await renameFile(part, fileOf(folder, key))
}
