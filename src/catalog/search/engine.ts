import { type Fit, fitOf } from './ranking/match-quality.ts'
import { countWithin } from './segments/postings.ts'
import { readQuery } from './query/query.ts'
import { rank, type Searched } from './ranking/rank.ts'
import type { Segment } from './segments/segment.ts'
import { type OtherNames, type ToolkitNames, toolkitNames } from './query/toolkit-names.ts'
import type { Vectors } from './ranking/vectors.ts'

/** An index with the names of its toolkits. */
export interface Part {
  readonly segment: Segment
  readonly names: ToolkitNames
}

export interface FindOptions {
  /** At most as many tools; 1 to `FOUND_MAX`. */
  readonly limit: number
  /** Slugs of toolkits that may be found; default: all. */
  readonly toolkits?: ReadonlySet<string> | undefined
  /** Whether a tool may be found, asked only for those that would be among the best; default: every tool. */
  readonly allows?: ((toolSlug: string) => boolean) | undefined
}

export interface FoundBySearch {
  /** Best first. Scores compare tools of one answer, not answers. */
  readonly tools: readonly { readonly slug: string; readonly toolkit: string; readonly score: number }[]
  /** Toolkits that the query seems to name, surest first; `sureness` is above 0 and at most 1. */
  readonly toolkits: readonly { readonly slug: string; readonly sureness: number }[]
  /** Whether the first tool is likely what was asked for. */
  readonly fit: Fit
}

export const FOUND_MAX = 1_000
const TOOLKITS_MAX = 10
const CHANCE_TOOLS = 3

export const partOf = (segment: Segment, otherNames: OtherNames): Part => ({
  segment,
  names: toolkitNames(segment.toolkits, otherNames),
})

/**
 * The tools of some indexes that fit a sentence, as one ranking: how rare a word is counts over all of them,
 * so that it does not matter how tools are spread over indexes. Never throws; a query without words finds
 * nothing. At most a few milliseconds for 125,000 tools.
 */
export function find(
  parts: readonly Part[],
  text: string,
  model: Vectors,
  { limit, toolkits, allows }: FindOptions,
): FoundBySearch {
  const query = readQuery(text)
  const words = statistics(parts)
  const meantBy = parts.map(({ segment, names }) =>
    names.meantBy(query.tokens, (word, own) => words.shareOutside(word, segment, own)),
  )
  const searched: Searched[] = parts.map(({ segment }, at) => ({
    segment,
    meant: meantBy[at]!.toolkits,
    mask: toolkits && Uint8Array.from(segment.toolkits, ({ slug }) => (toolkits.has(slug) ? 1 : 0)),
    allows: allows && ((tool) => allows(segment.slugs[tool]!)),
  }))
  const toolkitWords = new Set(meantBy.flatMap((one) => [...one.words]))
  const hits = rank(searched, query, {
    limit: Math.max(1, Math.min(FOUND_MAX, limit)),
    idf: words.idf,
    model,
    toolkitStems: toolkitWords,
  })
  const meant = searched.flatMap(({ segment, meant: sure, mask }) =>
    [...sure]
      .filter(([toolkit]) => !mask || mask[toolkit] === 1)
      .map(([toolkit, sureness]) => ({ slug: segment.toolkits[toolkit]!.slug, sureness })),
  )
  return {
    tools: hits.map(({ segment, tool, score }) => ({
      slug: parts[segment]!.segment.slugs[tool]!,
      toolkit: parts[segment]!.segment.toolkits[parts[segment]!.segment.toolkitOf[tool]!]!.slug,
      score,
    })),
    toolkits: meant
      .sort((a, b) => b.sureness - a.sureness || (a.slug < b.slug ? -1 : 1))
      .slice(0, TOOLKITS_MAX),
    fit: fitOf(searched, query, hits[0], words.idf),
  }
}

/** How common words are over several indexes. */
function statistics(parts: readonly Part[]) {
  const total = parts.reduce((sum, { segment }) => sum + segment.slugs.length, 0)
  const counts = new Map<string, number>()
  const count = (word: string): number => {
    let found = counts.get(word)
    if (found === undefined) {
      found = 0
      for (const {
        segment: { termNumber, postingStart },
      } of parts) {
        const term = termNumber.get(word)
        if (term !== undefined) found += postingStart[term + 1]! - postingStart[term]!
      }
      counts.set(word, found)
    }
    return found
  }
  return {
    idf: (word: string): number => Math.log(1 + (total - count(word) + 0.5) / (count(word) + 0.5)),
    /**
     * Share of the catalogue that contains the word outside the given toolkits of one index. A few tools
     * count as 0.
     */
    shareOutside(word: string, segment: Segment, own: readonly number[]): number {
      const within = own.reduce(
        (sum, toolkit) =>
          sum + countWithin(segment, word, segment.toolkits[toolkit]!.from, segment.toolkits[toolkit]!.to),
        0,
      )
      const elsewhere = count(word) - within
      return elsewhere <= CHANCE_TOOLS ? 0 : elsewhere / total
    },
  }
}
