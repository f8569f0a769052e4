import { agreement } from '../query/lexicon.ts'
import type { Part } from '../query/query.ts'
import type { RankOptions, Searched } from './rank.ts'

/** Everything that the score of a tool consists of; the signals add up to it. */
export const SIGNALS = [
  'words',
  'name',
  'verb',
  'application',
  'meaning',
  'similarity',
  'curated',
  'connected',
  'used',
  'depth',
  'unrated',
  'repeated',
] as const
export type SignalName = (typeof SIGNALS)[number]
export type Signals = Readonly<Partial<Record<SignalName, number>>>

/**
 * Weights relative to the best BM25 score. Tuned on the training halves of the data sets, not on the test
 * halves.
 */
export const WEIGHT = {
  cosine: 0.6,
  name: 0.2,
  verb: 0.1,
  toolkit: 0.5,
  depth: 0.03,
  similarity: 0.6,
  step: 0.6,
  again: 0.2,
}
const DEPTH_MAX = 6
const NAME_THROUGH_LEXICON = 0.6

/** The signals of a tool other than shared words. Those that are zero for every tool are left out. */
export type Rate = (tool: number) => Signals

/** Rates the tools of one segment by criteria other than shared words. */
export function rater(
  { segment, meant, prior }: Searched,
  part: Part,
  idf: (word: string) => number,
  meaning: Int8Array | undefined,
): Rate {
  const said = saidTerms(segment.termNumber, part)
  const known = new Map<number, number>()
  const idfOf = (term: number): number => {
    let found = known.get(term)
    if (found === undefined) known.set(term, (found = idf(segment.terms[term]!)))
    return found
  }
  return (tool) => {
    let covered = 0
    let whole = 0
    for (let at = segment.nameStart[tool]!; at < segment.nameStart[tool + 1]!; at++) {
      const weight = idfOf(segment.nameTerm[at]!)
      whole += weight
      covered += weight * (said.get(segment.nameTerm[at]!) ?? 0)
    }
    return {
      name: WEIGHT.name * (whole > 0 ? covered / whole : 0),
      ...prior(tool),
      verb: WEIGHT.verb * agreement(part.verbs, segment.verbs[tool]!),
      application: WEIGHT.toolkit * (meant.get(segment.toolkitOf[tool]!) ?? 0),
      depth: -WEIGHT.depth * Math.min(DEPTH_MAX, segment.depth[tool]!),
      meaning: meaning ? WEIGHT.cosine * cosine(meaning, segment.vectors, tool * meaning.length) : 0,
    }
  }
}

/** Terms of a segment that a request says: 1, or less through the lexicon. */
function saidTerms(termNumber: ReadonlyMap<string, number>, part: Part): ReadonlyMap<number, number> {
  const said = new Map<number, number>()
  for (const { words } of part.concepts) {
    for (const { word, weight } of words) {
      const term = termNumber.get(word)
      const share = weight === 1 ? 1 : NAME_THROUGH_LEXICON
      if (term !== undefined && (said.get(term) ?? 0) < share) said.set(term, share)
    }
  }
  return said
}

/** The score that signals add up to. */
export function sumOf(signals: Signals): number {
  let sum = 0
  for (const name of SIGNALS) sum += signals[name] ?? 0
  return sum
}

/** The signals of a tool that counts in part for the whole request and in part for one of its steps. */
export const mixSignals = (one: Signals, share: number, other: Signals, otherShare: number): Signals =>
  Object.fromEntries(
    SIGNALS.map((name) => [name, (one[name] ?? 0) * share + (other[name] ?? 0) * otherShare]),
  )

/** How alike the meaning of a request and of a tool are, −1 to 1; 0 without a model. */
export function likenessOf(
  { segment }: Searched,
  tool: number,
  part: Part,
  { model, toolkitStems }: Pick<RankOptions, 'model' | 'toolkitStems'>,
): number {
  if (model.dimensions === 0) return 0
  const meaning = model.bytesOf(meaningOf(part, toolkitStems))
  return cosine(meaning, segment.vectors, tool * meaning.length)
}

/**
 * The name of an application is in the meaning of all of its tools alike, so it tells none of them apart, and
 * hides what does.
 */
export function meaningOf({ words }: Part, names: ReadonlySet<string>): readonly string[] {
  const others = words.filter((word) => !names.has(word))
  return others.length > 0 ? others : words
}

/** Of two directions in signed bytes of equal length, −1 to 1. */
export function cosine(one: Int8Array, others: Int8Array, from: number): number {
  let dot = 0
  for (let at = 0; at < one.length; at++) dot += one[at]! * others[from + at]!
  return dot / (127 * 127)
}
