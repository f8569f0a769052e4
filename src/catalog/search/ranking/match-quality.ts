import { countWithin } from '../segments/postings.ts'
import type { Query } from '../query/query.ts'
import type { Hit, Searched } from './rank.ts'

/** `none`: nothing here does what was asked; `weak`: perhaps; `good`: likely. */
export interface Fit {
  readonly level: 'good' | 'weak' | 'none'
  /** 0 to 1: the share of what was asked, by the rarity of its words, that the first tool has. */ readonly coverage: number
}

const GOOD_FROM = 0.5
const WEAK_FROM = 0.2

/**
 * How well the first hit answers the query; honest about finding nothing, because a list always has a first.
 */
export function fitOf(
  searched: readonly Searched[],
  query: Query,
  first: Hit | undefined,
  idf: (word: string) => number,
): Fit {
  if (!first) return { level: 'none', coverage: 0 }
  const { segment } = searched[first.segment]!
  let best = 0
  for (const part of [query.whole, ...query.steps]) {
    let all = 0
    let has = 0
    for (const { words } of part.concepts) {
      const [{ word, weight: own }] = words as unknown as [{ word: string; weight: number }]
      if (own < 1) continue
      const weight = idf(word)
      all += weight
      has +=
        weight *
        Math.max(
          0,
          ...words
            .filter((one) => countWithin(segment, one.word, first.tool, first.tool + 1) > 0)
            .map(({ weight: share }) => (share === 1 ? 1 : 0.6)),
        )
    }
    if (all > 0) best = Math.max(best, has / all)
  }
  return { level: best >= GOOD_FROM ? 'good' : best >= WEAK_FROM ? 'weak' : 'none', coverage: best }
}
