import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { ToolkitManifest } from '../../format/index.ts'
import type { ToolEntry } from '../../../types/index.ts'

// File of one toolkit, of which a single tool can be read: `PBTC`, the length and the checksum of the header,
// the header
// as JSON, then the parts: the manifest, the entries of the tools, and each tool. A part is JSON that is
// compressed on
// its own. Its offset, length and checksum are in what precedes it.

export const MAGIC = 'PBTC'
export const FILE_EXTENSION = 'toolkit'
/**
 * Raised when the parts change, or the rules by which toolkits are compiled. Files of another version are
 * rewritten.
 */
export const FORMAT_VERSION = 3
export const PREFIX_BYTES = 12

/** Offset from the end of the header, bytes, checksum. */
export type PartLocation = readonly [offset: number, bytes: number, checksum: number]

/** The properties that lists of toolkits read. */
export interface CachedSummary {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly categories: readonly string[]
  readonly appUrl?: string | undefined
  readonly docsUrl?: string | undefined
  readonly local: boolean
  readonly deprecated: boolean
  readonly noAuth: boolean
  readonly toolCount: number
}
export interface CacheFileHeader {
  readonly format: number
  readonly digest: string
  readonly size: number
  readonly summary: CachedSummary
  readonly manifest: PartLocation
  readonly entries: PartLocation
}
export type StoredManifest = Omit<ToolkitManifest, 'created' | 'releases'>
/** `needed`: names that the requests of tools take from a connection. */
export interface ManifestPart {
  readonly manifest: StoredManifest
  readonly needed: readonly string[]
}

const EFFECTS = ['read', 'create', 'update', 'delete'] as const
type EntryRow = readonly [
  slug: string,
  name: string,
  human: string | 0,
  effect: number,
  flags: number,
  tags: number,
  scopes: number,
  offset: number,
  bytes: number,
  crc: number,
]
/** Lists that several tools share are written once. */
export interface EntriesPart {
  readonly tags: readonly (readonly string[])[]
  readonly aliases: Readonly<Record<string, readonly string[]>>
  readonly scopes: readonly Pick<ToolEntry, 'scopes' | 'scopeRequirements'>[]
  readonly rows: readonly EntryRow[]
}

/** By default, a result of 700 bytes is part of a buffer of 16 kB, which stays in memory with it. */
export function compressJson(value: unknown): Buffer {
  const compressed = deflateRawSync(JSON.stringify(value))
  const exact = Buffer.allocUnsafeSlow(compressed.length)
  compressed.copy(exact)
  return exact
}

/** JSON is seldom larger than six times its compressed bytes. */
const EXPANSION = 6
const CHUNK_MIN = 256
const CHUNK_MAX = 64 * 1024

/** @throws for bytes that `compressJson` did not write, and for JSON above `bytesMax` */
export function decompressJson<T>(bytes: Uint8Array, bytesMax: number): T {
  // By default, each tool of 2 kB takes 16 kB outside of the heap until the next collection.
  const chunkSize = Math.min(CHUNK_MAX, Math.max(CHUNK_MIN, bytes.length * EXPANSION))
  return JSON.parse(inflateRawSync(bytes, { chunkSize, maxOutputLength: bytesMax }).toString('utf8')) as T
}

export function encodeEntries(
  entries: readonly ToolEntry[],
  locations: readonly PartLocation[],
): EntriesPart {
  const tags = createNumbering<readonly string[]>()
  const scopes = createNumbering<Pick<ToolEntry, 'scopes' | 'scopeRequirements'>>()
  const rows = entries.map((entry, at): EntryRow => [
    entry.slug,
    entry.name,
    entry.humanDescription === entry.name ? 0 : entry.humanDescription,
    EFFECTS.indexOf(entry.effect),
    Number(entry.important) | (Number(entry.deprecated) << 1),
    tags.of(entry.tags),
    scopes.of({ scopes: entry.scopes, scopeRequirements: entry.scopeRequirements }),
    ...locations[at]!,
  ])
  return {
    tags: tags.all,
    scopes: scopes.all,
    rows,
    aliases: Object.fromEntries(
      entries.filter(({ aliases }) => aliases.length > 0).map(({ slug, aliases }) => [slug, aliases]),
    ),
  }
}

const NONE: readonly string[] = Object.freeze([])

/** The entries of a toolkit, and for each the three numbers of the location of its tool. */
export interface DecodedEntries {
  readonly entries: readonly ToolEntry[]
  readonly locations: Float64Array
}

export function decodeEntries({ tags, scopes, rows, aliases }: EntriesPart, toolkit: string): DecodedEntries {
  const locations = new Float64Array(rows.length * 3)
  const entries = rows.map(
    ([slug, name, human, effect, flags, tagsAt, scopesAt, ...location], at): ToolEntry => {
      locations.set(location, at * 3)
      const { scopes: scopeNames, scopeRequirements } = scopes[scopesAt]!
      return Object.freeze<ToolEntry>({
        slug,
        toolkit,
        name,
        humanDescription: human === 0 ? name : human,
        effect: EFFECTS[effect]!,
        important: (flags & 1) === 1,
        deprecated: (flags & 2) === 2,
        tags: tags[tagsAt]!,
        scopeRequirements,
        scopes: scopeNames,
        aliases: Object.hasOwn(aliases, slug) ? aliases[slug]! : NONE,
      })
    },
  )
  return { entries: Object.freeze(entries), locations: locations }
}

function createNumbering<T>() {
  const all: T[] = []
  const numbers = new Map<string, number>()
  return {
    all,
    of(value: T): number {
      const key = JSON.stringify(value)
      let number = numbers.get(key)
      if (number === undefined) numbers.set(key, (number = all.push(value) - 1))
      return number
    },
  }
}

export function encodeHeader(head: object, magic: string = MAGIC): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.write(magic, 'latin1')
  prefix.writeUInt32LE(text.length, 4)
  prefix.writeUInt32LE(crc32(text), 8)
  return Buffer.concat([prefix, text])
}
