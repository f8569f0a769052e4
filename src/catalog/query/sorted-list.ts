import { compareImportantFirst } from '../manifest/compile/toolkit.ts'
import type { Listing, ToolEntry } from '../types/index.ts'

/** Lists that are in order each, as one in order. */
export function mergeSortedLists(lists: readonly (readonly ToolEntry[])[]): readonly ToolEntry[] {
  const filled = lists.filter(({ length }) => length > 0)
  if (filled.length <= 1) return filled[0] ?? []
  // Runs that are in order already cost a sort little.
  return Object.freeze(filled.flat().sort(compareImportantFirst))
}

/** The entry of a slug in a list in order, which is two runs by slug: important ones, then the others. */
export function findEntryIndex(entries: readonly ToolEntry[], importantCount: number, slug: string): number {
  const inFirst = search(entries, 0, importantCount, slug)
  return inFirst >= 0 ? inFirst : search(entries, importantCount, entries.length, slug)
}

function search(entries: readonly ToolEntry[], from: number, to: number, slug: string): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.slug < slug) low = middle + 1
    else high = middle
  }
  return low < to && entries[low]!.slug === slug ? low : -1
}

/** How many important ones a list in order begins with. */
export function countImportant(entries: readonly ToolEntry[]): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.important) low = middle + 1
    else high = middle
  }
  return low
}

/** A few entries in order among many, without a copy of the many. */
export function insertSorted(many: Listing<ToolEntry>, few: readonly ToolEntry[]): Listing<ToolEntry> {
  if (few.length === 0) return many
  if (many.length === 0) return few
  /** How many of `many` stand before each of `few`. */
  const before = Uint32Array.from(few, (entry) => countBefore(many, entry))
  const startOf = (from: number): number => {
    // So many of `few` stand before the place `from`.
    let [low, high] = [0, few.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (before[middle]! + middle < from) low = middle + 1
      else high = middle
    }
    return low
  }
  function slice(from: number, to: number): ToolEntry[] {
    const end = Math.min(to, many.length + few.length)
    const out: ToolEntry[] = []
    let next = startOf(from)
    for (let at = from; at < end;) {
      if (next < few.length && before[next]! + next === at) {
        out.push(few[next++]!)
        at++
      } else {
        const until = Math.min(end, next < few.length ? before[next]! + next : end)
        for (const entry of many.slice(at - next, until - next)) out.push(entry)
        at = until
      }
    }
    return out
  }
  return {
    length: many.length + few.length,
    slice: (from, to) => slice(Math.max(0, from), to),
    *[Symbol.iterator]() {
      let next = 0
      let at = 0
      for (const entry of many) {
        while (next < few.length && before[next] === at) yield few[next++]!
        yield entry
        at++
      }
      while (next < few.length) yield few[next++]!
    },
  }
}

function countBefore(many: Listing<ToolEntry>, entry: ToolEntry): number {
  let [low, high] = [0, many.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareImportantFirst(many.slice(middle, middle + 1)[0]!, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** A list whose items are made when they are asked for. */
export function mapLazily<From, To>(from: Listing<From>, make: (one: From) => To): Listing<To> {
  return {
    length: from.length,
    slice: (start, end) => from.slice(start, end).map(make),
    *[Symbol.iterator]() {
      for (const one of from) yield make(one)
    },
  }
}
