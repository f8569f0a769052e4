import type { SearchContext } from '../engine.ts'
import type { Segment } from '../segments/segment.ts'
import type { SignalTable } from './signal-table.ts'

/**
 * Relative to the best BM25 score. Chosen on the tuning half of `bench/search/agents` (docs/decisions/0088).
 */
const WEIGHTS = { curated: 0.25, connected: 0.15, used: 0.15 } as const
/** So many calls count as much as any number. */
const USES_MAX = 20

/** Writes what a tool counts before any word is read, for every caller and for this one, into a row of the table. */
export type AddWeights = (tool: number, row: number, table: SignalTable) => void

/** Returns the function for the tools of an index. */
export function toolWeights(segment: Segment, context: SearchContext | undefined): AddWeights {
  const connected = context?.connected && segment.toolkits.map(({ slug }) => context.connected!.has(slug))
  const used = context?.used
  return (tool, row, table) => {
    if (segment.curated[tool]) table.set(row, 'curated', WEIGHTS.curated)
    if (connected?.[segment.toolkitOf[tool]!]) table.set(row, 'connected', WEIGHTS.connected)
    if (used)
      table.set(
        row,
        'used',
        (WEIGHTS.used * Math.log1p(Math.min(USES_MAX, used.get(segment.slugs.at(tool)!) ?? 0))) /
          Math.log1p(USES_MAX),
      )
  }
}
