import type { Part } from './engine.ts'
import { countWithin } from './segments/postings.ts'
import type { Segment } from './segments/segment.ts'

/** Tools of other toolkits that have a word by chance. */
const CHANCE_TOOLS = 3

/** How rare the terms of each index are, for searches that stay; NaN for a term that no request has met. */
const raritiesByParts = new WeakMap<readonly Part[], ReadonlyMap<Segment, Float64Array>>()

/**
 * Lets all searches over these parts share how rare terms are: to count a term in several indexes takes as long as a
 * tenth of a search. Eight bytes for each term.
 */
export function shareRarities(parts: readonly Part[]): void {
  raritiesByParts.set(
    parts,
    new Map(parts.map(({ segment }) => [segment, new Float64Array(segment.terms.length).fill(NaN)])),
  )
}

/** How common words are over several indexes. */
export function wordStatistics(parts: readonly Part[]) {
  const total = parts.reduce(
    (sum, { segment, hidden }) => sum + segment.slugs.length - (hidden?.tools ?? 0),
    0,
  )
  const counts = new Map<string, number>()
  const count = (word: string): number => {
    let found = counts.get(word)
    if (found === undefined) {
      found = 0
      for (const { segment, hidden } of parts) {
        const term = segment.termNumber.get(word)
        if (term === undefined) continue
        found += segment.postingStart[term + 1]! - segment.postingStart[term]! - (hidden?.count(word) ?? 0)
      }
      counts.set(word, found)
    }
    return found
  }
  const idfOfCount = (tools: number): number => Math.log(1 + (total - tools + 0.5) / (tools + 0.5))
  const idf = (word: string): number => idfOfCount(count(word))
  const isOneIndex = parts.length === 1 && !parts[0]!.hidden
  const rarities = raritiesByParts.get(parts)
  const sharedIdf = (segment: Segment, term: number): number => {
    const known = rarities?.get(segment)
    if (!known) return idf(segment.terms.at(term)!)
    if (Number.isNaN(known[term]!)) known[term] = idf(segment.terms.at(term)!)
    return known[term]!
  }
  return {
    count,
    idf,
    /** Reads no word if there is only one index: the length of the postings is the count. */
    idfOfTerm: (segment: Segment, term: number): number =>
      isOneIndex
        ? idfOfCount(segment.postingStart[term + 1]! - segment.postingStart[term]!)
        : sharedIdf(segment, term),
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
