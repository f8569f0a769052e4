import { runToEnd } from '../../../platform/run-to-end.ts'

// Corrects misspelt words by symmetric deletes (SymSpell): two words within some edits of each other share a word
// that deletions make of both. The deletions of all known words are a hash table in typed arrays.

/** A word that a misspelt one may stand for. `weight`: the higher, the likelier of equally near ones. */
export interface SpellingTarget {
  readonly word: string
  readonly weight: number
}

/** Words by which misspelt ones are corrected. */
export interface Spelling {
  /** The nearest word within `edits` (1 or 2) of a word, and its cost: edits, less for a likelier word. */
  nearest(word: string, edits: number): { readonly word: string; readonly cost: number } | undefined
}

/** Deletions are made of so many first characters; the rest is compared. */
const PREFIX_CHARS = 7
const WORD_CHARS_MIN = 4
const WORD_CHARS_MAX = 24
/** Words compared for one lookup at most; a lookup stays below a millisecond. */
const COMPARED_MAX = 3_000
const OTHER_FIRST_LETTER = 0.6
const WEIGHT_SHARE = 0.04

/** Indexes the words. About 30 numbers a word; 20,000 words take about 30 ms. */
export const createSpelling = (targets: readonly SpellingTarget[], edits: number): Spelling =>
  runToEnd(createSpellingInPieces(targets, edits))

const WORDS_PER_PIECE = 200

/** The same. Yields, so that a caller can let other work run. */
export function* createSpellingInPieces(
  targets: readonly SpellingTarget[],
  edits: number,
): Generator<void, Spelling> {
  const words = targets.filter(({ word }) => word.length >= WORD_CHARS_MIN && word.length <= WORD_CHARS_MAX)
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, words.length * 8)))
  const start = new Uint32Array(buckets + 1)
  for (const [number, { word }] of words.entries()) {
    for (const key of deletionsOf(word, edits)) start[(key & (buckets - 1)) + 1]!++
    if (number % WORDS_PER_PIECE === 0) yield
  }
  for (let bucket = 0; bucket < buckets; bucket++) start[bucket + 1]! += start[bucket]!
  const next = start.slice()
  const members = new Uint32Array(start[buckets]!)
  for (const [number, { word }] of words.entries()) {
    for (const key of deletionsOf(word, edits)) members[next[key & (buckets - 1)]!++] = number
    if (number % WORDS_PER_PIECE === 0) yield
  }
  return {
    nearest(word, most) {
      if (word.length > WORD_CHARS_MAX) return undefined
      let best: { word: string; cost: number } | undefined
      let compared = 0
      const seen = new Set<number>()
      for (const key of deletionsOf(word, most)) {
        const bucket = key & (buckets - 1)
        for (let at = start[bucket]!; at < start[bucket + 1]! && compared < COMPARED_MAX; at++) {
          const number = members[at]!
          const { word: target, weight } = words[number]!
          if (Math.abs(target.length - word.length) > most || seen.has(number)) continue
          seen.add(number)
          compared++
          const distance = editsBetween(word, target, most)
          if (distance > most) continue
          const cost =
            distance + (target[0] === word[0] ? 0 : OTHER_FIRST_LETTER) - WEIGHT_SHARE * Math.log1p(weight)
          if (!best || cost < best.cost || (cost === best.cost && target < best.word))
            best = { word: target, cost }
        }
      }
      return best
    },
  }
}

/** Hashes of what deletions of up to `edits` characters make of the beginning of a word. */
function deletionsOf(word: string, edits: number): ReadonlySet<number> {
  const all = new Set<string>()
  let last = [word.slice(0, PREFIX_CHARS)]
  all.add(last[0]!)
  for (let edit = 0; edit < edits; edit++) {
    const shorter: string[] = []
    for (const text of last) {
      for (let at = 0; at < text.length && text.length > 2; at++) {
        const made = text.slice(0, at) + text.slice(at + 1)
        if (all.has(made)) continue
        all.add(made)
        shorter.push(made)
      }
    }
    last = shorter
  }
  return new Set([...all].map(hash))
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}

/** Damerau distance (insert, delete, replace, swap neighbours); `most + 1` if it is larger than `most`. */
export function editsBetween(one: string, other: string, most: number): number {
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      let value = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        value = Math.min(value, before[column - 2]! + 1)
      current.push(value)
      least = Math.min(least, value)
    }
    if (least > most) return most + 1
    before = above
    above = current
  }
  return Math.min(above[other.length]!, most + 1)
}
