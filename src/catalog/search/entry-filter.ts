import type { ToolEntry } from '../types/index.ts'
import type { FindOptions } from './engine.ts'
import type { Segment } from './segments/segment.ts'

/** Selects the tools that may be found by their entries. */
export interface EntryFilter {
  /** Searches with the same owner and version use the entries again that one of them has read. */
  readonly owner: object
  readonly version: string
  /** Reads the entry of a tool; undefined where it does not exist. */
  entryOf(toolSlug: string): ToolEntry | undefined
  passes(entry: ToolEntry): boolean
}

/** Entries by the numbers of the tools; null: the tool does not exist; undefined: it was not asked for. */
type KnownEntries = (ToolEntry | null | undefined)[]

const known = new WeakMap<object, Map<string, WeakMap<Segment, KnownEntries>>>()

/** Orders of versions that stay in memory; each costs eight bytes a tool. */
const VERSIONS_MAX = 4

function knownEntries({ owner, version }: EntryFilter, segment: Segment): KnownEntries {
  let versions = known.get(owner)
  if (!versions) known.set(owner, (versions = new Map()))
  let segments = versions.get(version)
  if (!segments) {
    if (versions.size >= VERSIONS_MAX) versions.delete(versions.keys().next().value!)
    versions.set(version, (segments = new WeakMap()))
  }
  let entries = segments.get(segment)
  if (!entries) segments.set(segment, (entries = Array.from({ length: segment.slugs.length })))
  return entries
}

/** Finds the entry of a tool by its number in a segment. */
export type EntryReader = (tool: number) => ToolEntry | undefined

/**
 * Returns a function that finds the entries of the tools of a segment. A search asks for thousands: found by their
 * slugs, they take longer than everything else in it.
 */
export function entryReader(filter: EntryFilter, segment: Segment): EntryReader {
  const entries = knownEntries(filter, segment)
  return (tool) => {
    let entry = entries[tool]
    if (entry === undefined) entries[tool] = entry = filter.entryOf(segment.slugs.at(tool)!) ?? null
    return entry ?? undefined
  }
}

/** Returns a function that decides by the number of a tool whether it may be found; undefined: every tool may. */
export function toolPredicate(
  segment: Segment,
  { allows, entries }: Pick<FindOptions, 'allows' | 'entries'>,
  entryOf: EntryReader | undefined,
): ((tool: number) => boolean) | undefined {
  if (!entryOf) return allows && ((tool) => allows(segment.slugs.at(tool)!))
  return (tool) => {
    const entry = entryOf(tool)
    return entry !== undefined && entries!.passes(entry)
  }
}
