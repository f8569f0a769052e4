import fs from 'node:fs'
import { join } from 'node:path'
import { createCache } from '../../../../platform/cache.ts'
import { ApiError } from '../../../../platform/http/api-error.ts'
import { entryIndex } from '../../../query/sorted-list.ts'
import type { Tool, ToolEntry, ToolReading } from '../../../types/index.ts'
import { compileTool, toolkitContext, type ToolkitContext } from '../../compile/tool.ts'
import { compileMetadata, type ToolkitMetadata } from '../../compile/toolkit.ts'
import { IGNORE_DIAGNOSTICS } from '../../diagnostics.ts'
import type { ToolManifest } from '../../format/index.ts'
import {
  type CachedSummary,
  type CacheFileHeader,
  decodeEntries,
  type DecodedEntries,
  FILE_EXTENSION,
  FORMAT_VERSION,
  MAGIC,
  type ManifestPart,
  type PartLocation,
  type StoredManifest,
} from './file-format.ts'
import { readHeader, readPart } from './part-file.ts'
import { cachedTool } from '../tool-cache.ts'

/** Receives the digest of a cache file that was changed or removed while the program runs. */
export type OnCacheDamage = (digest: string) => void

/** Error of the call that found the damage. The file is written again from the database within seconds. */
export class CacheFileDamaged extends ApiError {
  constructor(cause: unknown) {
    super(
      'HTTP_ServiceUnavailable',
      'A file of the toolkit cache was damaged and is being written again. Try again.',
      {
        cause,
      },
    )
  }
}

const METADATA_CACHE_MAX = 200

/** Recently used metadata by content, so that two projects with the same import share it, as they share tools. */
const metadataCache = createCache<string, CompiledMetadata>({ max: METADATA_CACHE_MAX })

interface CompiledMetadata {
  readonly metadata: ToolkitMetadata
  readonly manifest: StoredManifest
  readonly context: ToolkitContext
}

export const cacheFilePath = (folder: string, digest: string): string =>
  join(folder, `${digest}-${FORMAT_VERSION}.${FILE_EXTENSION}`)

/** A toolkit on disk. Opening it reads the summary; tools are read one by one when they are used. */
export class CachedToolkit {
  readonly folder: string
  readonly digest: string
  readonly summary: CachedSummary
  readonly #file: string
  readonly #header: CacheFileHeader
  readonly #partsOffset: number
  readonly #onDamage: OnCacheDamage
  #decoded: DecodedEntries | undefined

  /** Opens the cache file of a content. Undefined where there is none, or it is damaged. */
  static open(folder: string, digest: string, onDamage: OnCacheDamage = () => {}): CachedToolkit | undefined {
    const file = cacheFilePath(folder, digest)
    try {
      const opened = readHeader<CacheFileHeader>(file, MAGIC)
      if (opened?.header.format !== FORMAT_VERSION || opened.header.digest !== digest) return undefined
      return new CachedToolkit(folder, opened.header, opened.partsOffset, onDamage)
    } catch {
      return undefined
    }
  }

  private constructor(folder: string, header: CacheFileHeader, partsOffset: number, onDamage: OnCacheDamage) {
    this.folder = folder
    this.digest = header.digest
    this.summary = header.summary
    this.#file = cacheFilePath(folder, header.digest)
    this.#header = header
    this.#partsOffset = partsOffset
    this.#onDamage = onDamage
  }

  /** Important ones first, then by slug. */
  get entries(): readonly ToolEntry[] {
    return this.#entries().entries
  }

  entry(slug: string): ToolEntry | undefined {
    return this.entries[entryIndex(this.entries, slug)]
  }

  /** Returns the toolkit without its tools. The caller knows its release. */
  compiled(): CompiledMetadata {
    let compiled = metadataCache.get(this.digest)
    if (!compiled) {
      const { manifest, needed } = this.#readPart<ManifestPart>(this.#header.manifest)
      const metadata = compileMetadata(
        { toolkit: { ...manifest, created: '', releases: [] }, version: '', icon: '' },
        new Set(needed),
        IGNORE_DIAGNOSTICS,
      )
      metadataCache.set(this.digest, (compiled = { metadata, manifest, context: toolkitContext(manifest) }))
    }
    return compiled
  }

  tool(slug: string, reading?: ToolReading): Tool | undefined {
    const index = entryIndex(this.entries, slug)
    if (index < 0) return undefined
    const location = this.#toolLocation(index)
    const compile = () =>
      compileTool(this.#readPart<ToolManifest>(location), index, this.compiled().context, IGNORE_DIAGNOSTICS)
        .tool
    return cachedTool(`${this.digest}/${index}`, location[1], compile, reading)
  }

  /** Yields the manifest of every tool, in the order of the entries. */
  *manifests(): Generator<ToolManifest> {
    for (let index = 0; index < this.entries.length; index++)
      yield this.#readPart<ToolManifest>(this.#toolLocation(index))
  }

  #entries(): DecodedEntries {
    return (this.#decoded ??= decodeEntries(this.#readPart(this.#header.entries), this.summary.slug))
  }

  #toolLocation(index: number): PartLocation {
    const { locations } = this.#entries()
    return [locations[index * 3]!, locations[index * 3 + 1]!, locations[index * 3 + 2]!]
  }

  #readPart<T>(location: PartLocation): T {
    try {
      return readPart<T>(this.#file, this.#partsOffset, location)
    } catch (error) {
      fs.rmSync(this.#file, { force: true })
      this.#onDamage(this.digest)
      throw new CacheFileDamaged(error)
    }
  }
}
