import fs from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../../../platform/http/api-error.ts'
import {
  compileMetadata,
  compileTool,
  type ToolkitMetadata,
  toolkitContext,
  type ToolkitContext,
} from '../../compile/toolkit.ts'
import { entryIndex } from '../../../query/catalog.ts'
import type { ToolManifest } from '../../format/index.ts'
import type { Tool, ToolEntry } from '../../../types/index.ts'
import {
  type DecodedEntries,
  FORMAT_VERSION,
  MAGIC,
  type ManifestPart,
  PREFIX_BYTES,
  decodeEntries,
  type CacheFileHeader,
  type StoredManifest,
  type CachedSummary,
  decompressJson,
} from './file-format.ts'

/** Told the digest of a shelf whose file changed below the program, or went away. */
export type OnCacheDamage = (digest: string) => void

/** For the caller who met the damage: it is mended within seconds, from what is stored. */
export class CacheFileDamaged extends ApiError {
  constructor(cause: unknown) {
    super('HTTP_ServiceUnavailable', 'A file of the toolkit cache was damaged; it is being made again.', {
      cause,
    })
  }
}

/** JSON of one part: far above what an import makes, far below what would hurt. */
const PART_BYTES_MAX = 64 * 1024 * 1024
const HEADER_BYTES_MAX = 64 * 1024
const TOOL_CACHE_BYTES_MAX = 10 * 1024 * 1024
const METADATA_CACHE_MAX = 200

/** What was read and built lately, by content: toolkits that two projects imported alike are one. */
const toolCache = new LRUCache<string, { tool: Tool; bytes: number }>({
  maxSize: TOOL_CACHE_BYTES_MAX,
  sizeCalculation: ({ bytes }) => bytes,
})
const metadataCache = new LRUCache<string, CompiledMetadata>({ max: METADATA_CACHE_MAX })

interface CompiledMetadata {
  readonly head: ToolkitMetadata
  readonly manifest: StoredManifest
  readonly surroundings: ToolkitContext
}

export const cacheFilePath = (folder: string, digest: string): string =>
  join(folder, `${digest}-${FORMAT_VERSION}.shelf`)

/** A toolkit that lies on disk. Opening reads its summary; tools are read one by one when they are asked for. */
export class CachedToolkit {
  readonly digest: string
  readonly summary: CachedSummary
  readonly #file: string
  readonly #head: CacheFileHeader
  readonly #from: number
  readonly #damaged: OnCacheDamage
  #entries: DecodedEntries | undefined

  /** The shelf of a content, unless there is none that is sound. */
  static open(folder: string, digest: string, damaged: OnCacheDamage = () => {}): CachedToolkit | undefined {
    const file = cacheFilePath(folder, digest)
    try {
      const head = withFileOpen(file, (fd) => {
        const prefix = readBytes(fd, 0, PREFIX_BYTES)
        const length = prefix.readUInt32LE(4)
        if (prefix.toString('latin1', 0, 4) !== MAGIC || length > HEADER_BYTES_MAX) return undefined
        const text = readBytes(fd, PREFIX_BYTES, length)
        if (crc32(text) !== prefix.readUInt32LE(8)) return undefined
        const read = JSON.parse(text.toString('utf8')) as CacheFileHeader
        return read.format === FORMAT_VERSION &&
          read.digest === digest &&
          fs.fstatSync(fd).size === PREFIX_BYTES + length + read.size
          ? { read, from: PREFIX_BYTES + length }
          : undefined
      })
      return head && new CachedToolkit(file, head.read, head.from, damaged)
    } catch {
      return undefined
    }
  }

  private constructor(file: string, head: CacheFileHeader, from: number, damaged: OnCacheDamage) {
    this.#damaged = damaged
    this.digest = head.digest
    this.summary = head.summary
    this.#file = file
    this.#head = head
    this.#from = from
  }

  /** Important ones first, then by slug. */
  get entries(): readonly ToolEntry[] {
    return this.#read().entries
  }

  entry(slug: string): ToolEntry | undefined {
    return this.entries[entryIndex(this.entries, slug)]
  }

  /** The toolkit without its tools. Its release is the caller's to say. */
  compiled(): CompiledMetadata {
    let found = metadataCache.get(this.digest)
    if (!found) {
      const { manifest, needed } = this.#part<ManifestPart>(this.#head.manifest)
      const head = compileMetadata(
        { toolkit: { ...manifest, created: '', releases: [] }, version: '', icon: '' },
        new Set(needed),
        { add() {} },
      )
      metadataCache.set(this.digest, (found = { head, manifest, surroundings: toolkitContext(manifest) }))
    }
    return found
  }

  tool(slug: string): Tool | undefined {
    const at = entryIndex(this.entries, slug)
    if (at < 0) return undefined
    const key = `${this.digest}/${at}`
    const known = toolCache.get(key)
    if (known) return known.tool
    const place = this.#placeOf(at)
    const { tool } = compileTool(this.#part<ToolManifest>(place), at, this.compiled().surroundings, {
      add() {},
    })
    // Inflated and compiled, a tool is about ten times its bytes on disk.
    toolCache.set(key, { tool, bytes: place[1] * 10 + 1_000 })
    return tool
  }

  /** Every tool as it was written, in the order of the entries. */
  *manifests(): Generator<ToolManifest> {
    for (let at = 0; at < this.entries.length; at++) yield this.#part<ToolManifest>(this.#placeOf(at))
  }

  #read(): DecodedEntries {
    return (this.#entries ??= decodeEntries(this.#part(this.#head.entries), this.summary.slug))
  }

  #placeOf(at: number): [offset: number, bytes: number, crc: number] {
    const { locations: places } = this.#read()
    return [places[at * 3]!, places[at * 3 + 1]!, places[at * 3 + 2]!]
  }

  #part<T>([offset, length, crc]: readonly [number, number, number]): T {
    try {
      const bytes = withFileOpen(this.#file, (fd) => readBytes(fd, this.#from + offset, length))
      if (crc32(bytes) !== crc) throw new Error('checksum')
      return decompressJson<T>(bytes, PART_BYTES_MAX)
    } catch (error) {
      fs.rmSync(this.#file, { force: true })
      this.#damaged(this.digest)
      throw new CacheFileDamaged(error)
    }
  }
}

function withFileOpen<T>(file: string, read: (fd: number) => T): T {
  const fd = fs.openSync(file, 'r')
  try {
    return read(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function readBytes(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const count = fs.readSync(fd, bytes, read, length - read, offset + read)
    if (count === 0) throw new Error('short')
    read += count
  }
  return bytes
}
