import { readFileSync } from 'node:fs'
import type { SearchToolkit } from './segments/document.ts'
import { find, type FindOptions, type FoundBySearch, type Part, partOf } from './engine.ts'
import otherNames from './data/toolkit-aliases.json' with { type: 'json' }
import type { ToolkitNames } from './query/toolkit-names.ts'
import { hiddenToolkits } from './segments/hidden-toolkits.ts'
import { buildSegment, type Segment } from './segments/segment.ts'
import { shareRarities } from './word-statistics.ts'
import { readVectors, type Vectors } from './ranking/vectors.ts'

/** Search over the toolkits that the caller may see. */
export interface ToolSearch {
  /** Its indexes. */
  readonly segments: readonly Segment[]
  /** Tools of all its indexes as one ranking. */
  find(text: string, options: FindOptions): FoundBySearch
  /**
   * Returns a search with further indexes, without copying. `sees`: whether a tool is visible, called only for the
   * best candidates, unless the search has a filter by entries: a tool that is not visible has none.
   */
  withSegments(segments: readonly Segment[], sees?: (toolSlug: string) => boolean): ToolSearch
}

let model: Vectors | undefined

/** The word vectors that come with the program, read once. */
export function wordVectors(): Vectors {
  return (model ??= readVectors(readFileSync(new URL('data/vectors.bin', import.meta.url))))
}

/** An index that a search reads. */
export interface IndexLayer {
  readonly segment: Segment
  /** 1 for toolkits that are left out, by their number in the index. */
  readonly hidden?: Uint8Array | undefined
}

/** A search over an index. */
export const createToolSearch = (segment: Segment): ToolSearch => createOverlaySearch([{ segment }])

/** A search over some indexes. */
export function createOverlaySearch(layers: readonly IndexLayer[]): ToolSearch {
  const parts = layers.map(toPart)
  if (parts.length > 1 || parts[0]?.hidden) shareRarities(parts)
  return searchOver(parts, undefined)
}

const namesBySegment = new WeakMap<Segment, ToolkitNames>()

function toPart({ segment, hidden }: IndexLayer): Part {
  let names = namesBySegment.get(segment)
  if (!names) namesBySegment.set(segment, (names = partOf(segment, otherNames).names))
  return { segment, names, hidden: hiddenToolkits(segment, hidden) }
}

function searchOver(parts: readonly Part[], sees: ((toolSlug: string) => boolean) | undefined): ToolSearch {
  return {
    segments: parts.map(({ segment }) => segment),
    find: (text, { allows, ...options }) =>
      find(parts, text, wordVectors(), {
        ...options,
        allows: sees ? (slug) => sees(slug) && (!allows || allows(slug)) : allows,
      }),
    withSegments: (segments, seesMore) =>
      searchOver([...parts, ...segments.map((segment) => toPart({ segment }))], seesMore ?? sees),
  }
}

/** An index with the vectors that come with the program. */
export const indexOf = (toolkits: Iterable<SearchToolkit>): Segment => buildSegment(toolkits, wordVectors())
