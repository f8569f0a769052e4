import { agreement, MILD_VERBS, STRONG_VERBS, verbBits, verbsOf } from '../query/lexicon.ts'
import type { Said } from '../query/query.ts'
import { specificActionOf } from '../query/specific-actions.ts'
import { STOP_WORDS } from '../query/stop-words.ts'
import { weightOfWord } from '../query/word-weights.ts'
import { firstFrom } from '../segments/postings.ts'
import type { Segment } from '../segments/segment.ts'
import { impactAt, impactOf, APPLICATION_FROM } from './evidence.ts'
import type { Misfit, Rated } from './match-quality.ts'
import type { Hit } from './rank.ts'

const AGREES_FROM = 0.3
/** A word that only parameters have says little about what a tool does. */
const SAYS_FROM = 0.75
/** So many of the best tools may be the one for an action. */
const HITS_READ = 5
const OTHER_VERBS = verbBits('read', 'list', 'search', 'delete')
const HAS_DIGIT = /\d/
const UNDONE = /^un(?=[a-z]{4})/
const PREPOSITIONS = new Set(
  (
    'about after and as at before by called for from if in into named of on or over so that through to under until ' +
    'via when where which with'
  ).split(' '),
)
const QUALIFIERS = new Set(['new', 'anoth', 'open', 'first', 'last', 'empti', 'current'])

/**
 * What the tools cannot do: the request begins with the name of one action that none of the best tools has, or the
 * tools for its object in the named application do something else. Undefined if neither is sure.
 */
export function missingAction(rated: Rated): Misfit | undefined {
  const { searched, query, names, hits } = rated
  const [verb, ...phrase] = verbAndObject(query.tokens, names)
  const object = phrase.at(-1)
  const [first] = hits
  if (verb === undefined || object === undefined || !first) return undefined
  const isMissing =
    specificActionOf(verb) !== undefined && !hits.slice(0, HITS_READ).some((hit) => acts(rated, hit, verb))
  const { segment, meant } = searched[first.segment]!
  const toolkit = segment.toolkitOf[first.tool]!
  if ((meant.get(toolkit) ?? 0) < APPLICATION_FROM) return isMissing ? { kind: 'unlike' } : undefined
  if (!isMissing && !actsOtherwise(rated, first, verb, phrase)) return undefined
  const application = segment.toolkits[toolkit]!.name
  const said = (stemmed: string) => query.tokens.find(({ stem }) => stem === stemmed)?.word ?? stemmed
  return { kind: 'no_such_action', application, verb: said(verb), object: said(object) }
}

/** Whether a tool is described by a specific action. One that only reads or deletes may just mention a change. */
function acts({ searched }: Rated, { segment: number, tool }: Hit, action: string): boolean {
  const { segment } = searched[number]!
  if (impactOf(segment, action, tool) < SAYS_FROM) return false
  const isOther = (segment.verbs[tool]! & OTHER_VERBS) !== 0 && specificActionOf(action) === 'change'
  return !isOther || hasInName(segment, tool, termsOf(segment, [action]))
}

/** Whether the application of a tool has tools for the object, and none that does with it what the verb asks for. */
function actsOtherwise(
  { searched, query }: Rated,
  first: Hit,
  verb: string,
  phrase: readonly string[],
): boolean {
  const asked = verbsOf(verb)
  const isUndone = asked === 0 && UNDONE.test(verb)
  if (!isUndone && ((asked & STRONG_VERBS) === 0 || (asked & MILD_VERBS) !== 0)) return false
  const { segment } = searched[first.segment]!
  const { from, to } = segment.toolkits[segment.toolkitOf[first.tool]!]!
  const meaningsOf = (said: readonly string[]) =>
    query.whole.concepts
      .filter(({ words }) => said.includes(words[0]!.word))
      .flatMap(({ words }) => words.map(({ word }) => word))
  const does = (tool: number): boolean =>
    isUndone ? impactOf(segment, verb, tool) > 0 : agreement(asked, segment.verbs[tool]!) >= AGREES_FROM
  // The last word names the object, the words before it may name it as well: "calendar event", "issue comment".
  const objects = meaningsOf(phrase.slice(-1))
  const phraseTerms = termsOf(segment, meaningsOf(phrase))
  const objectTerms = termsOf(segment, objects)
  const hasTool = (test: (tool: number) => boolean): boolean => {
    for (let tool = from; tool < to; tool++) if (test(tool)) return true
    return false
  }
  const { headTerm } = segment
  if (hasTool((tool) => objectTerms.has(headTerm[tool]!)))
    return !hasTool((tool) => phraseTerms.has(headTerm[tool]!) && does(tool))
  if (hasTool((tool) => hasInName(segment, tool, objectTerms)))
    return !hasTool((tool) => hasInName(segment, tool, phraseTerms) && does(tool))
  // What no tool is named after may still be described.
  const described = objects.flatMap((word) => toolsSaying(segment, word, from, to))
  return described.length > 0 && !described.some(does)
}

/** Tools in a range of numbers that are described by a word. */
function toolsSaying(segment: Segment, word: string, from: number, to: number): number[] {
  const term = segment.termNumber.get(word)
  if (term === undefined) return []
  const found: number[] = []
  for (let at = firstFrom(segment, term, from), end = firstFrom(segment, term, to); at < end; at++)
    if (impactAt(segment, at) >= SAYS_FROM) found.push(segment.postingTool[at]!)
  return found
}

/** Stems of the verb that begins a request and of the words after it up to the first preposition. */
function verbAndObject(tokens: readonly Said[], names: ReadonlySet<string>): string[] {
  const out: string[] = []
  for (const { word, stem, isJoined } of tokens) {
    if (out.length > 1 && PREPOSITIONS.has(word)) break
    if (isJoined || HAS_DIGIT.test(word) || STOP_WORDS.has(word) || names.has(stem) || QUALIFIERS.has(stem))
      continue
    if (out.length > 0 || weightOfWord(stem) === 1) out.push(stem)
  }
  return out
}

const termsOf = ({ termNumber }: Segment, words: readonly string[]): ReadonlySet<number> =>
  new Set(words.flatMap((word) => termNumber.get(word) ?? []))

function hasInName({ nameStart, nameTerm }: Segment, tool: number, terms: ReadonlySet<number>): boolean {
  for (let at = nameStart[tool]!; at < nameStart[tool + 1]!; at++) if (terms.has(nameTerm[at]!)) return true
  return false
}
