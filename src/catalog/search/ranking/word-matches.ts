import type { Query } from '../query/query.ts'
import type { Segment } from '../segments/segment.ts'
import { impactOf } from './evidence.ts'

/** A word of a query that a tool has, or another word for it. */
export interface WordMatch {
  /** As it was said, in English and corrected. */
  readonly word: string
  /** The stem that the tool has. It differs from that of `word` if it is a synonym. */
  readonly stem: string
  /** 0 to 1: high in the name or a short description, low among many other words; less for a synonym. */
  readonly strength: number
}

/** The words of a query that a tool has, in the order of the query. */
export function wordMatches(query: Query, segment: Segment, tool: number): WordMatch[] {
  const said = new Map(query.tokens.map(({ stem, word }) => [stem, word]))
  return query.whole.concepts.flatMap(({ words }) => {
    const [best] = words
      .map(({ word, weight }) => ({ stem: word, strength: weight * impactOf(segment, word, tool) }))
      .sort((a, b) => b.strength - a.strength)
    const first = words[0]!.word
    return best && best.strength > 0 ? [{ word: said.get(first) ?? first, ...best }] : []
  })
}
