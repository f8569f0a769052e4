import { compareImportantFirst } from '../manifest/compile/tool.ts'
import type { Listing, ToolEntry } from '../types/index.ts'

// Lists of tools are sorted: important ones first, then by slug (`compareImportantFirst`).

/** Merges sorted lists into one. */
export function mergeSortedLists(lists: readonly (readonly ToolEntry[])[]): readonly ToolEntry[] {
  const nonEmpty = lists.filter(({ length }) => length > 0)
  if (nonEmpty.length <= 1) return nonEmpty[0] ?? []
  // Sorting is cheap here: the runs are sorted already.
  return Object.freeze(nonEmpty.flat().sort(compareImportantFirst))
}

/**
 * Returns the index of a slug in a sorted list, or −1. The list is two runs by slug: important tools, then
 * the others.
 */
export function entryIndex(entries: readonly ToolEntry[], slug: string): number {
  const importantCount = countImportant(entries)
  const index = searchSlug(entries, 0, importantCount, slug)
  return index >= 0 ? index : searchSlug(entries, importantCount, entries.length, slug)
}

function searchSlug(entries: readonly ToolEntry[], from: number, to: number, slug: string): number {
  const index = binarySearch(from, to, (at) => entries[at]!.slug < slug)
  return index < to && entries[index]!.slug === slug ? index : -1
}

const countImportant = (entries: readonly ToolEntry[]): number =>
  binarySearch(0, entries.length, (at) => entries[at]!.important)

/**
 * Returns the first index between `from` and `to` that `isBefore` is false for; it is true for those before.
 */
export function binarySearch(from: number, to: number, isBefore: (at: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns a sorted list with more entries in it. A few are inserted without a copy of the long list, which many
 * projects share; the places of many would take longer to find than a merge of both lists.
 */
export function insertSorted(long: Listing<ToolEntry>, few: readonly ToolEntry[]): Listing<ToolEntry> {
  if (few.length === 0) return long
  if (long.length === 0) return few
  if (few.length * Math.log2(long.length) > long.length + few.length)
    return mergeSortedLists([[...long], few])
  /** Number of entries of `long` before each of `few`. */
  const countsBefore = Uint32Array.from(few, (entry) => countBefore(long, entry))
  return {
    length: long.length + few.length,
    slice: (from, to) => sliceMerged(long, few, countsBefore, Math.max(0, from), to),
    *[Symbol.iterator]() {
      let next = 0
      let at = 0
      for (const entry of long) {
        while (next < few.length && countsBefore[next] === at) yield few[next++]!
        yield entry
        at++
      }
      while (next < few.length) yield few[next++]!
    },
  }
}

function sliceMerged(
  long: Listing<ToolEntry>,
  few: readonly ToolEntry[],
  countsBefore: Uint32Array,
  from: number,
  to: number,
): ToolEntry[] {
  const end = Math.min(to, long.length + few.length)
  const slice: ToolEntry[] = []
  // Number of entries of `few` before the index `from`.
  let next = binarySearch(0, few.length, (index) => countsBefore[index]! + index < from)
  for (let at = from; at < end;) {
    if (next < few.length && countsBefore[next]! + next === at) {
      slice.push(few[next++]!)
      at++
    } else {
      const until = Math.min(end, next < few.length ? countsBefore[next]! + next : end)
      for (const entry of long.slice(at - next, until - next)) slice.push(entry)
      at = until
    }
  }
  return slice
}

const countBefore = (long: Listing<ToolEntry>, entry: ToolEntry): number =>
  binarySearch(0, long.length, (at) => compareImportantFirst(long.slice(at, at + 1)[0]!, entry) < 0)

/** Returns a list whose items are computed when they are read. */
export function mapLazily<From, To>(list: Listing<From>, map: (item: From) => To): Listing<To> {
  return {
    length: list.length,
    slice: (start, end) => list.slice(start, end).map(map),
    *[Symbol.iterator]() {
      for (const item of list) yield map(item)
    },
  }
}
