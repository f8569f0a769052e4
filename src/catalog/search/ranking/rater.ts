import { agreement, synonymsOf } from '../query/lexicon.ts'
import type { Part } from '../query/query.ts'
import type { Segment } from '../segments/segment.ts'
import type { RankOptions, Searched } from './rank.ts'
import type { SignalTable } from './signal-table.ts'

/**
 * Weights relative to the best BM25 score. Tuned on the training halves of the data sets, not on the test
 * halves.
 */
export const WEIGHT = {
  cosine: 0.6,
  name: 0.2,
  verb: 0.1,
  /** For a tool whose name begins with the verb of a command, and for one that is about its object. */
  command: 0.1,
  object: 0.1,
  toolkit: 0.5,
  /** Against tools of other applications than the one that is named. */
  elsewhere: 0.2,
  depth: 0.03,
  similarity: 0.6,
  step: 0.6,
  again: 0.2,
}
/** From this sureness on, a request names the application. */
export const FITS_WITH_APPLICATION_FROM = 0.6
const DEPTH_MAX = 6
const NAME_THROUGH_LEXICON = 0.6

/** Writes the signals of a tool other than shared words into a row of the table. */
export type Rate = (tool: number, row: number) => void

/**
 * Rates the tools of one segment by criteria other than shared words.
 * @param rarityOf how rare a term of the segment is
 * @param isNamed whether the request names an application
 */
export function rater(
  { segment, meant, addWeights }: Searched,
  part: Part,
  rarityOf: (term: number) => number,
  meaning: Int8Array | undefined,
  table: SignalTable,
  isNamed: boolean,
): Rate {
  const said = saidTerms(segment.termNumber, part)
  const rateCommand = commandRater(segment, part.command, said)
  return (tool, row) => {
    let covered = 0
    let whole = 0
    for (let at = segment.nameStart[tool]!; at < segment.nameStart[tool + 1]!; at++) {
      const term = segment.nameTerm[at]!
      const weight = rarityOf(term)
      whole += weight
      covered += weight * (said.get(term) ?? 0)
    }
    table.set(row, 'name', WEIGHT.name * (whole > 0 ? covered / whole : 0))
    addWeights(tool, row, table)
    table.set(row, 'verb', WEIGHT.verb * agreement(part.verbs, segment.verbs[tool]!))
    table.set(row, 'command', rateCommand(tool))
    const sure = meant.get(segment.toolkitOf[tool]!) ?? 0
    const elsewhere = isNamed && sure < FITS_WITH_APPLICATION_FROM ? WEIGHT.elsewhere : 0
    table.set(row, 'application', WEIGHT.toolkit * sure - elsewhere)
    table.set(row, 'depth', -WEIGHT.depth * Math.min(DEPTH_MAX, segment.depth[tool]!))
    if (meaning)
      table.set(row, 'meaning', WEIGHT.cosine * cosine(meaning, segment.vectors, tool * meaning.length))
  }
}

/** Rates whether the name of a tool begins with the verb of a command, and is about its object. */
function commandRater(
  { termNumber, nameStart, nameTerm, headTerm }: Segment,
  [verb, ...phrase]: readonly string[],
  said: ReadonlyMap<number, number>,
): (tool: number) => number {
  if (verb === undefined) return () => 0
  const verbTerm = termNumber.get(verb)
  const object = phrase.at(-1)
  const objects = new Set(
    object === undefined ? [] : [object, ...synonymsOf(object)].map((word) => termNumber.get(word)),
  )
  return (tool) => {
    const head = headTerm[tool]!
    return (
      (nameTerm[nameStart[tool]!] === verbTerm ? WEIGHT.command : 0) +
      (objects.has(head) ? WEIGHT.object * (said.get(head) ?? 0) : 0)
    )
  }
}

/** Returns how rare the terms of a segment are. Each is computed once for a search. */
export function termRarities(
  segment: Segment,
  idfOfTerm: RankOptions['idfOfTerm'],
): (term: number) => number {
  const known = new Map<number, number>()
  return (term) => {
    let found = known.get(term)
    if (found === undefined) known.set(term, (found = idfOfTerm(segment, term)))
    return found
  }
}

/** Terms of a segment that a request says: 1, or less through the lexicon. */
function saidTerms(termNumber: Segment['termNumber'], part: Part): ReadonlyMap<number, number> {
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
