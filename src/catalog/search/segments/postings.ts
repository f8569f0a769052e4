import type { Segment } from './segment.ts'

/** How many of the tools from one number to before another have a word. Postings of a word stand in the order of the tools. */
export function countWithin(segment: Segment, word: string, from: number, to: number): number {
  const term = segment.termNumber.get(word)
  return term === undefined ? 0 : firstFrom(segment, term, to) - firstFrom(segment, term, from)
}

function firstFrom({ postingStart, postingTool }: Segment, term: number, tool: number): number {
  let low = postingStart[term]!
  let high = postingStart[term + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (postingTool[middle]! < tool) low = middle + 1
    else high = middle
  }
  return low
}
