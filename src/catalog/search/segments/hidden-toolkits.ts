import type { Segment } from './segment.ts'
import { countWithin } from './postings.ts'

/** Toolkits of an index that a search leaves out: they changed or are gone since it was built. */
export interface HiddenToolkits {
  /** 1 for a hidden toolkit, by its number. */
  readonly flags: Uint8Array
  /** 1 for each other toolkit. */
  readonly visible: Uint8Array
  /** Number of their tools. */
  readonly tools: number
  /** Counts their tools that contain a stem. */
  count(stem: string): number
}

/** Returns undefined if no toolkit is hidden. */
export function hiddenToolkits(segment: Segment, flags: Uint8Array | undefined): HiddenToolkits | undefined {
  if (!flags?.includes(1)) return undefined
  const ranges: { from: number; to: number }[] = []
  segment.toolkits.forEach(({ from, to }, number) => {
    if (flags[number] === 0 || from === to) return
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  })
  return {
    flags,
    visible: flags.map((flag) => 1 - flag),
    tools: ranges.reduce((sum, { from, to }) => sum + to - from, 0),
    count: (stem) => ranges.reduce((sum, { from, to }) => sum + countWithin(segment, stem, from, to), 0),
  }
}
