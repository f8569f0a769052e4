import type { GeneralWord } from './general-words.ts'
import type { Pair, Source } from './pairs.ts'

export interface Model {
  readonly words: readonly string[]
  readonly dimensions: number
  readonly values: Float32Array
}

export interface TrainOptions {
  dimensions: number
  epochs: number
  batch: number
  rate: number
  wordsMax: number
  timesMin: number
  temperature: number
  seed: number
  /** Where words begin that general English has; the others begin anywhere. */
  initial: ReadonlyMap<string, GeneralWord>
}

/**
 * Vectors of words such that the sum over one side of a pair points where the sum over the other does, and
 * away from the other sides of its batch (softmax over the batch, AdaGrad for each row). The length of a
 * vector says how much the word counts.
 */
export function train(
  sources: readonly Source[],
  options: TrainOptions,
  report: (line: string) => void,
): Model {
  const { dimensions, batch, epochs } = options
  const random = generator(options.seed)
  const words = vocabulary(sources, options)
  const number = new Map(words.map(([word], at) => [word, at]))
  const values = new Float32Array(words.length * dimensions)
  const total = sources.reduce((sum, { pairs }) => sum + pairs.length * 2, 0)
  words.forEach(([word, times], at) => {
    const length = Math.log(total / times) / 10
    const direction = options.initial.get(word)?.direction
    for (let one = 0; one < dimensions; one++)
      values[at * dimensions + one] =
        (direction?.[one] ?? ((random() + random() + random() - 1.5) * 2) / Math.sqrt(dimensions)) * length
  })
  const numbered = sources.map(({ share, pairs }) => ({
    share,
    pairs: pairs
      .map((pair) => numbersOf(pair, number))
      .filter((pair) => pair.left.length > 0 && pair.right.length > 0),
  }))
  const step = stepper(values, dimensions, batch, options)
  for (let epoch = 0; epoch < epochs; epoch++) {
    const batches = numbered.flatMap(({ pairs, share }) =>
      Array.from({ length: share }, () => byFamily(pairs, random)).flatMap((some) => chunks(some, batch)),
    )
    let loss = 0
    for (const one of shuffled(batches, random)) loss += step(one, 1 - (epoch / epochs) * 0.7)
    report(`epoch ${epoch + 1}: ${batches.length} batches, loss ${(loss / batches.length).toFixed(3)}`)
  }
  return { words: words.map(([word]) => word), dimensions, values }
}

interface Numbered {
  family: string
  target: string
  left: Uint32Array
  right: Uint32Array
}

function vocabulary(sources: readonly Source[], { wordsMax, timesMin }: TrainOptions): [string, number][] {
  const times = new Map<string, number>()
  for (const { pairs, share } of sources)
    for (const { left, right } of pairs)
      for (const word of [...left, ...right]) times.set(word, (times.get(word) ?? 0) + share)
  return [...times]
    .filter(([word, count]) => count >= timesMin && word.length <= 24)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, wordsMax)
}

const numbersOf = ({ family, target, left, right }: Pair, number: ReadonlyMap<string, number>): Numbered => {
  const known = (words: readonly string[]) =>
    Uint32Array.from(words.flatMap((word) => number.get(word) ?? []))
  return { family, target, left: known(left), right: known(right) }
}

/** The sums of the words of each pair, their lengths and gradients, for one side of a batch. */
interface Side {
  sum: Float32Array
  length: Float32Array
  gradient: Float32Array
}

interface Step {
  values: Float32Array
  /** Sums of squared gradients by word, for the rate of Adagrad. */
  squares: Float32Array
  dimensions: number
  batch: number
  left: Side
  right: Side
  scores: Float32Array
}

function newStep(values: Float32Array, dimensions: number, batch: number): Step {
  const make = () => new Float32Array(batch * dimensions)
  const side = (): Side => ({ sum: make(), length: new Float32Array(batch), gradient: make() })
  return {
    values,
    squares: new Float32Array(values.length / dimensions),
    dimensions,
    batch,
    left: side(),
    right: side(),
    scores: new Float32Array(batch * batch),
  }
}

function forward(step: Step, pairs: readonly Numbered[], name: 'left' | 'right'): void {
  const { values, dimensions } = step
  const { sum, length, gradient } = step[name]
  sum.fill(0)
  gradient.fill(0)
  pairs.forEach((pair, at) => {
    for (const word of pair[name])
      for (let one = 0; one < dimensions; one++)
        sum[at * dimensions + one]! += values[word * dimensions + one]!
    let square = 1e-8
    for (let one = 0; one < dimensions; one++) square += sum[at * dimensions + one]! ** 2
    length[at] = Math.sqrt(square)
    for (let one = 0; one < dimensions; one++) sum[at * dimensions + one]! /= length[at]!
  })
}

/** The gradient through the normalisation, to every word of the side. */
function backward(step: Step, pairs: readonly Numbered[], name: 'left' | 'right', speed: number): void {
  const { values, squares, dimensions } = step
  const { sum, length, gradient } = step[name]
  const change = new Float32Array(dimensions)
  pairs.forEach((pair, at) => {
    let along = 0
    for (let one = 0; one < dimensions; one++)
      along += gradient[at * dimensions + one]! * sum[at * dimensions + one]!
    let square = 0
    for (let one = 0; one < dimensions; one++) {
      change[one] = (gradient[at * dimensions + one]! - along * sum[at * dimensions + one]!) / length[at]!
      square += change[one]! ** 2
    }
    for (const word of pair[name]) {
      squares[word]! += square / dimensions
      const factor = speed / (Math.sqrt(squares[word]!) + 1e-4)
      for (let one = 0; one < dimensions; one++) values[word * dimensions + one]! -= factor * change[one]!
    }
  })
}

function pull({ left, right, dimensions }: Step, row: number, column: number, weight: number): void {
  for (let one = 0; one < dimensions; one++) {
    left.gradient[row * dimensions + one]! += weight * right.sum[column * dimensions + one]!
    right.gradient[column * dimensions + one]! += weight * left.sum[row * dimensions + one]!
  }
}

/** Writes the scores of the row, and returns the highest. */
function scoreRow(step: Step, pairs: readonly Numbered[], row: number, temperature: number): number {
  const { left, right, scores, dimensions, batch } = step
  let best = -Infinity
  for (let column = 0; column < pairs.length; column++) {
    let dot = 0
    for (let one = 0; one < dimensions; one++)
      dot += left.sum[row * dimensions + one]! * right.sum[column * dimensions + one]!
    // Another pair with the same target is no wrong answer.
    const counts = row === column || pairs[row]!.target !== pairs[column]!.target
    scores[row * batch + column] = counts ? dot / temperature : -Infinity
    best = Math.max(best, scores[row * batch + column]!)
  }
  return best
}

/** Returns a function that trains with one batch and returns its loss. */
function stepper(
  values: Float32Array,
  dimensions: number,
  batch: number,
  { rate, temperature }: TrainOptions,
) {
  const step = newStep(values, dimensions, batch)
  const { scores } = step
  return (pairs: readonly Numbered[], share: number): number => {
    const rows = pairs.length
    forward(step, pairs, 'left')
    forward(step, pairs, 'right')
    let loss = 0
    for (let row = 0; row < rows; row++) {
      const best = scoreRow(step, pairs, row, temperature)
      let all = 0
      for (let column = 0; column < rows; column++) all += Math.exp(scores[row * batch + column]! - best)
      loss -= scores[row * batch + row]! - best - Math.log(all)
      for (let column = 0; column < rows; column++) {
        const weight =
          (Math.exp(scores[row * batch + column]! - best) / all - (row === column ? 1 : 0)) /
          temperature /
          rows
        if (Math.abs(weight) > 1e-6) pull(step, row, column, weight)
      }
    }
    backward(step, pairs, 'left', rate * share)
    backward(step, pairs, 'right', rate * share)
    return loss / rows
  }
}

const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.floor(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))

/** Pairs of one family are adjacent: a batch then separates operations by what they do, not by their application. */
function byFamily<T extends { family: string }>(pairs: readonly T[], random: () => number): T[] {
  return shuffled([...Map.groupBy(shuffled(pairs, random), ({ family }) => family).values()], random).flat()
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const out = [...list]
  for (let at = out.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[out[at], out[other]] = [out[other]!, out[at]!]
  }
  return out
}

/** Mulberry32: every run writes the same file. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}
