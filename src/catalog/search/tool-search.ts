import { readFileSync } from 'node:fs'
import type { SearchToolkit } from './segments/document.ts'
import { find, type FindOptions, type FoundBySearch, type Part, partOf } from './engine.ts'
import otherNames from './data/toolkit-aliases.json' with { type: 'json' }
import { buildSegment, type Segment } from './segments/segment.ts'
import { readVectors, type Vectors } from './ranking/vectors.ts'

/** Search over the toolkits that the caller may see. */
export interface ToolSearch {
  /** Tools of all its indexes as one ranking. */
  find(text: string, options: FindOptions): FoundBySearch
  /**
   * Returns a search with further indexes, without copying. `sees`: whether a tool is visible, called only
   * for the best candidates.
   */
  withSegments(segments: readonly Segment[], sees?: (toolSlug: string) => boolean): ToolSearch
}

let model: Vectors | undefined

/** The word vectors that come with the program, read once. */
export function wordVectors(): Vectors {
  return (model ??= readVectors(readFileSync(new URL('data/vectors.bin', import.meta.url))))
}

/** A search over an index. */
export const createToolSearch = (base: Segment): ToolSearch =>
  searchOver([partOf(base, otherNames)], undefined)

function searchOver(parts: readonly Part[], sees: ((toolSlug: string) => boolean) | undefined): ToolSearch {
  return {
    find: (text, { allows, ...options }) =>
      find(parts, text, wordVectors(), {
        ...options,
        allows: sees ? (slug) => sees(slug) && (!allows || allows(slug)) : allows,
      }),
    withSegments: (segments, seesMore) =>
      searchOver([...parts, ...segments.map((segment) => partOf(segment, otherNames))], seesMore ?? sees),
  }
}

/** An index with the vectors that come with the program. */
export const indexOf = (toolkits: Iterable<SearchToolkit>): Segment => buildSegment(toolkits, wordVectors())
