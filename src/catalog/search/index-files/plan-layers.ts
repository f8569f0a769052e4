import type { SegmentToolkit } from '../segments/segment.ts'

/** An index that may be used again. */
export interface AvailableIndex {
  readonly toolkits: readonly SegmentToolkit[]
}

/** An index that is used, and the toolkits in it that are not. */
export interface ChosenIndex<T extends AvailableIndex> {
  readonly index: T
  /** 1 for a toolkit that changed, is gone, or is in an index before this one; by its number in the index. */
  readonly hidden: Uint8Array
  /** Tools of the toolkits that are not hidden. */
  readonly tools: number
}

/** Indexes that contain the toolkits of a catalogue, and toolkits that none of them contains. */
export interface LayerPlan<T extends AvailableIndex> {
  readonly chosen: readonly ChosenIndex<T>[]
  /** Slugs of toolkits that are to be indexed. */
  readonly missing: readonly string[]
}

/** With the index of the missing toolkits a search reads at most one more. Each costs time in every search. */
const CHOSEN_MAX = 5
/** An index of which a larger share is hidden is built again: hidden tools take memory. */
const HIDDEN_SHARE_MAX = 0.5

/**
 * Chooses the indexes to use again for a catalogue, those with the most tools first.
 * @param digests slugs of toolkits to the digests of their contents
 */
export function planLayers<T extends AvailableIndex>(
  digests: ReadonlyMap<string, string>,
  available: readonly T[],
): LayerPlan<T> {
  const open = new Map(digests)
  const rest = new Set(available)
  const chosen: ChosenIndex<T>[] = []
  while (open.size > 0 && rest.size > 0 && chosen.length < CHOSEN_MAX) {
    const [best] = [...rest]
      .map((index) => hideOthers(index, open))
      .filter(({ index, tools }) => tools > 0 && tools >= sizeOf(index) * HIDDEN_SHARE_MAX)
      .sort((a, b) => b.tools - a.tools)
    if (!best) break
    rest.delete(best.index)
    chosen.push(best)
    best.index.toolkits.forEach(({ slug }, number) => {
      if (best.hidden[number] === 0) open.delete(slug)
    })
  }
  return { chosen, missing: [...open.keys()] }
}

function hideOthers<T extends AvailableIndex>(index: T, open: ReadonlyMap<string, string>): ChosenIndex<T> {
  const hidden = Uint8Array.from(index.toolkits, ({ slug, digest }) =>
    digest !== '' && open.get(slug) === digest ? 0 : 1,
  )
  const tools = index.toolkits.reduce(
    (sum, { from, to }, number) => (hidden[number] === 0 ? sum + to - from : sum),
    0,
  )
  return { index, hidden, tools }
}

const sizeOf = ({ toolkits }: AvailableIndex): number => toolkits.at(-1)?.to ?? 0
