import type { Segment } from './segment.ts'

/** Counts the tools in a range of numbers that contain a word. Postings are sorted by tool number. */
export function countWithin(segment: Segment, word: string, from: number, to: number): number {
  const term = segment.termNumber.get(word)
  return term === undefined ? 0 : firstFrom(segment, term, to) - firstFrom(segment, term, from)
}

/** Where the first posting of a term at or after a tool is. */
export function firstFrom({ postingStart, postingTool }: Segment, term: number, tool: number): number {
  let low = postingStart[term]!
  let high = postingStart[term + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (postingTool[middle]! < tool) low = middle + 1
    else high = middle
  }
  return low
}
