import { crc32 } from 'node:zlib'
import { ApiError } from '../../../../platform/http/api-error.ts'
import { entryIndex } from '../../../query/sorted-list.ts'
import type { Tool, ToolEntry, ToolReading } from '../../../types/index.ts'
import { compareImportantFirst, compileTool, type ToolkitContext } from '../../compile/tool.ts'
import { IGNORE_DIAGNOSTICS } from '../../diagnostics.ts'
import type { ToolManifest } from '../../format/index.ts'
import {
  compressJson,
  decodeEntries,
  type DecodedEntries,
  encodeEntries,
  encodeHeader,
  type EntriesPart,
  type PartLocation,
} from '../disk-cache/file-format.ts'
import { readHeader, readPart } from '../disk-cache/part-file.ts'
import { cachedTool } from '../tool-cache.ts'

// `toolkits/<slug>/operations.bin`: the tools that `npm run toolkits` generates from the documents of a vendor. A
// start reads the header only. The list of tools is read at its first use, and a tool when it is used.

const MAGIC = 'PBOP'
/** Raised when the parts change. `npm run toolkits` writes the files again. */
const FORMAT_VERSION = 1

/** What the file says about the toolkit as a whole. */
export interface OperationsSummary {
  readonly slug: string
  readonly toolCount: number
  /** SHA-256 of the generated tools and aliases, in hexadecimal. */
  readonly digest: string
  /** Names that the requests of the tools take from a connection. */
  readonly usedConnection: readonly string[]
}

interface Header extends OperationsSummary {
  readonly format: number
  readonly size: number
  readonly aliases: PartLocation
  readonly entries: PartLocation
}

/** Slugs of other platforms, by alias, for tools that are written by hand. */
export type CuratedAliases = Readonly<Record<string, string>>

export interface OperationsContent {
  readonly slug: string
  readonly tools: readonly ToolManifest[]
  readonly curatedAliases: CuratedAliases
  readonly digest: string
}

let openedFiles = 0

/** The generated tools of one toolkit, on disk. */
export class OperationsFile {
  readonly summary: OperationsSummary
  readonly #file: string
  readonly #header: Header
  readonly #partsOffset: number
  /** The same tools can be in two catalogues whose toolkits differ, so the digest does not suffice. */
  readonly #cacheKey = `operations ${++openedFiles}`
  #decoded: DecodedEntries | undefined
  #byAlias: ReadonlyMap<string, string> | undefined
  #curatedAliases: CuratedAliases | undefined

  /** Opens the file of a toolkit. @throws for a file that is damaged or of another format */
  static open(file: string): OperationsFile {
    const opened = readHeader<Header>(file, MAGIC)
    if (opened?.header.format !== FORMAT_VERSION)
      throw new Error('is damaged or of another format. Run npm run toolkits.')
    return new OperationsFile(file, opened.header, opened.partsOffset)
  }

  private constructor(file: string, header: Header, partsOffset: number) {
    this.summary = header
    this.#file = file
    this.#header = header
    this.#partsOffset = partsOffset
  }

  /** By slug; none is important. */
  get entries(): readonly ToolEntry[] {
    return this.#entries().entries
  }

  /** Slugs of tools that are written by hand, by the names that these have elsewhere. */
  get curatedAliases(): CuratedAliases {
    return (this.#curatedAliases ??= this.#read<CuratedAliases>(this.#header.aliases))
  }

  /** Finds a tool by its slug or an alias. */
  entry(name: string): ToolEntry | undefined {
    return this.entries[this.#index(name)]
  }

  /** Reads and compiles a tool, by its slug or an alias. `context`: the same each time. */
  tool(name: string, context: ToolkitContext, reading?: ToolReading): Tool | undefined {
    const index = this.#index(name)
    if (index < 0) return undefined
    const location = this.#toolLocation(index)
    const compile = () =>
      compileTool(this.#read<ToolManifest>(location), index, context, IGNORE_DIAGNOSTICS).tool
    return cachedTool(`${this.#cacheKey}/${index}`, location[1], compile, reading)
  }

  /** Yields the manifest of every tool, by slug. */
  *manifests(): Generator<ToolManifest> {
    for (let index = 0; index < this.entries.length; index++)
      yield this.#read<ToolManifest>(this.#toolLocation(index))
  }

  #index(name: string): number {
    const index = entryIndex(this.entries, name)
    if (index >= 0) return index
    this.#byAlias ??= new Map(
      this.entries.flatMap(({ slug, aliases }) => aliases.map((alias) => [alias, slug] as const)),
    )
    return entryIndex(this.entries, this.#byAlias.get(name) ?? '')
  }

  #entries(): DecodedEntries {
    return (this.#decoded ??= decodeEntries(this.#read<EntriesPart>(this.#header.entries), this.summary.slug))
  }

  #toolLocation(index: number): PartLocation {
    const { locations } = this.#entries()
    return [locations[index * 3]!, locations[index * 3 + 1]!, locations[index * 3 + 2]!]
  }

  #read<T>(location: PartLocation): T {
    try {
      return readPart<T>(this.#file, this.#partsOffset, location)
    } catch (cause) {
      const message = `The file ${this.#file} is damaged. Install the program again.`
      throw new ApiError('HTTP_ServiceUnavailable', message, { cause })
    }
  }
}

/** Returns the bytes of an operations file. The same content gives the same bytes. */
export function encodeOperations(
  { slug, tools, curatedAliases, digest }: OperationsContent,
  context: ToolkitContext,
): Buffer {
  const compiled = tools
    .map((manifest, index) => ({ manifest, ...compileTool(manifest, index, context, IGNORE_DIAGNOSTICS) }))
    .sort((a, b) => compareImportantFirst(a.tool, b.tool))
  const parts: Buffer[] = []
  let offset = 0
  const append = (value: unknown): PartLocation => {
    const bytes = compressJson(value)
    const location: PartLocation = [offset, bytes.length, crc32(bytes)]
    parts.push(bytes)
    offset += bytes.length
    return location
  }
  const aliases = append(curatedAliases)
  const locations = compiled.map(({ manifest }) => append(manifest))
  const entries = append(
    encodeEntries(
      compiled.map(({ tool }) => tool),
      locations,
    ),
  )
  const header: Header = {
    format: FORMAT_VERSION,
    slug,
    toolCount: tools.length,
    digest,
    usedConnection: [...new Set(compiled.flatMap(({ use }) => [...use.usedConnection]))].sort(),
    size: offset,
    aliases,
    entries,
  }
  return Buffer.concat([encodeHeader(header, MAGIC), ...parts])
}
