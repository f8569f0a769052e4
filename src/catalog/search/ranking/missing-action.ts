import { agreement, MILD_VERBS, STRONG_VERBS, verbBits, verbsOf } from '../query/lexicon.ts'
import { commandOf } from '../query/command.ts'
import { specificActionOf } from '../query/specific-actions.ts'
import { firstFrom } from '../segments/postings.ts'
import type { Segment } from '../segments/segment.ts'
import { impactAt, impactOf, strengthOf, APPLICATION_FROM } from './evidence.ts'
import type { Misfit, Rated } from './match-quality.ts'
import type { Hit } from './rank.ts'

const AGREES_FROM = 0.3
const AGREES_SURELY_FROM = 0.9
/** A word that only parameters have says little about what a tool does. */
const SAYS_FROM = 0.75
/** A tool that does something has it in its name, in a phrase or more than once. */
const ACTS_FROM = 1.35
/** A word in the name or in several phrases of a tool has this strength. */
const SAID_FROM = 1.5
/** From this impact on, a tool mentions a thing. */
const MENTIONS_FROM = 0.3
/** So many of the best tools may be the one for an action. */
const HITS_READ = 5
const OTHER_VERBS = verbBits('read', 'list', 'search', 'delete')
const UNDONE = /^un(?=[a-z]{4})/
/** What follows these may be the words of a text. */
const TEXT_VERBS = new Set('write put post tell say share save note leav insert append'.split(' '))

/**
 * What the tools cannot do: the request begins with the name of one action that none of the best tools has, or the
 * tools for its object in the named application do something else. Undefined if neither is sure.
 */
export function missingAction(rated: Rated): Misfit | undefined {
  const { searched, query, names, hits } = rated
  const { words, isIndefinite } = commandOf(query, names)
  const [verb, ...phrase] = words
  const object = phrase.at(-1)
  const [first] = hits
  if (verb === undefined || !first) return undefined
  const isMissing =
    specificActionOf(verb) !== undefined && !hits.slice(0, HITS_READ).some((hit) => acts(rated, hit, verb))
  const { segment, meant } = searched[first.segment]!
  const toolkit = segment.toolkitOf[first.tool]!
  if (object === undefined || (meant.get(toolkit) ?? 0) < APPLICATION_FROM)
    return isMissing ? { kind: 'unlike' } : undefined
  const isUnknown = isIndefinite && lacksObject(rated, first, verb, object)
  if (!isMissing && !isUnknown && !actsOtherwise(rated, first, verb, phrase)) return undefined
  const application = segment.toolkits[toolkit]!.name
  const said = (stemmed: string) => query.tokens.find(({ stem }) => stem === stemmed)?.word ?? stemmed
  return { kind: 'no_such_action', application, verb: said(verb), object: said(object) }
}

/** Whether a tool is described by a specific action. One that only reads or deletes may just mention a change. */
function acts({ searched }: Rated, { segment: number, tool }: Hit, action: string): boolean {
  const { segment } = searched[number]!
  if (strengthOf(segment, action, tool) < ACTS_FROM) return false
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
  if (isSaidOf(segment, first.tool, asked, objects)) return false
  if (hasTool((tool) => objectTerms.has(headTerm[tool]!)))
    return !hasTool((tool) => phraseTerms.has(headTerm[tool]!) && does(tool))
  if (hasTool((tool) => hasInName(segment, tool, objectTerms)))
    return !hasTool((tool) => hasInName(segment, tool, phraseTerms) && does(tool))
  // What no tool is named after may still be described.
  const described = objects.flatMap((word) => toolsSaying(segment, word, from, to))
  return described.length > 0 && !described.some(does)
}

/** Whether a tool does what a verb asks for, and has the object in its name or in its phrases. */
const isSaidOf = (segment: Segment, tool: number, asked: number, objects: readonly string[]): boolean =>
  agreement(asked, segment.verbs[tool]!) >= AGREES_SURELY_FROM &&
  objects.some((word) => strengthOf(segment, word, tool) >= SAID_FROM)

/** Tools in a range of numbers that are described by a word. */
function toolsSaying(segment: Segment, word: string, from: number, to: number): number[] {
  const term = segment.termNumber.get(word)
  if (term === undefined) return []
  const found: number[] = []
  for (let at = firstFrom(segment, term, from), end = firstFrom(segment, term, to); at < end; at++)
    if (impactAt(segment, at) >= SAYS_FROM) found.push(segment.postingTool[at]!)
  return found
}

/**
 * Whether no tool of the named application has the kind of thing that is to be made, sent or changed: "create a
 * dashboard". What a text says is no kind of thing.
 */
function lacksObject({ searched, query }: Rated, first: Hit, verb: string, object: string): boolean {
  if (TEXT_VERBS.has(verb) || (verbsOf(verb) === 0 && specificActionOf(verb) === undefined)) return false
  if (query.tokens.some(({ stem, capital }) => stem === object && capital)) return false
  const { segment } = searched[first.segment]!
  const { from, to } = segment.toolkits[segment.toolkitOf[first.tool]!]!
  const said = query.whole.concepts.find(({ words }) => words[0]!.word === object)
  if (said === undefined) return false
  const asked = verbsOf(verb)
  for (let tool = from; tool < to; tool++) {
    if (asked !== 0 && agreement(asked, segment.verbs[tool]!) < AGREES_FROM) continue
    if (said.words.some(({ word }) => impactOf(segment, word, tool) >= MENTIONS_FROM)) return false
  }
  return true
}

const termsOf = ({ termNumber }: Segment, words: readonly string[]): ReadonlySet<number> =>
  new Set(words.flatMap((word) => termNumber.get(word) ?? []))

function hasInName({ nameStart, nameTerm }: Segment, tool: number, terms: ReadonlySet<number>): boolean {
  for (let at = nameStart[tool]!; at < nameStart[tool + 1]!; at++) if (terms.has(nameTerm[at]!)) return true
  return false
}
