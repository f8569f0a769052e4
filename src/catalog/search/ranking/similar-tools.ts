import type { RequestVector } from './tool-vectors.ts'
import type { Hit, Searched } from './rank.ts'
import { Top } from './top-hits.ts'

/** Tools that are compared bit by bit are read in full if they are among so many. */
const COMPARED_MAX = 300
/** Embedding models spread similarities differently: those of the candidates are compared with each other. */
const SPREAD_MIN = 0.05

/** Returns the tools that an embedding model finds most similar to a request, best first. */
export function mostSimilar(searched: readonly Searched[], request: RequestVector, count: number): Hit[] {
  const nearest = new Top(COMPARED_MAX)
  searched.forEach(({ segment, vectors, mask, allows }, number) => {
    if (vectors?.dimensions !== request.values.length) return
    for (let tool = 0; tool < segment.slugs.length; tool++) {
      if (!vectors.has(tool) || (mask && mask[segment.toolkitOf[tool]!] === 0)) continue
      const score = -vectors.distance(tool, request)
      if (nearest.takes(score, number, tool) && (!allows || allows(tool))) nearest.add(score, number, tool)
    }
  })
  return nearest
    .best()
    .map((hit) => ({ ...hit, score: similarityOf(searched, hit, request)! }))
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
}

/** Returns the similarity of a tool; undefined for a tool without a vector of this model. */
function similarityOf(searched: readonly Searched[], hit: Hit, request: RequestVector): number | undefined {
  const { vectors } = searched[hit.segment]!
  return vectors?.dimensions === request.values.length && vectors.has(hit.tool)
    ? vectors.similarity(hit.tool, request)
    : undefined
}

/**
 * Rates candidates by their similarity: 1 for the most similar, 0 for a usual one and for one without a vector, −1 at
 * least.
 */
export function similarityRater(
  searched: readonly Searched[],
  hits: readonly Hit[],
  request: RequestVector,
): (hit: Hit) => number {
  const values = hits.flatMap((hit) => similarityOf(searched, hit, request) ?? [])
  const usual = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const spread = Math.max(SPREAD_MIN, values.reduce((most, value) => Math.max(most, value), -1) - usual)
  return (hit) => {
    const value = similarityOf(searched, hit, request)
    return value === undefined ? 0 : Math.max(-1, (value - usual) / spread)
  }
}
