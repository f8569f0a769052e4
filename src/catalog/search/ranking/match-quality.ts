import { MILD_VERBS, verbBits } from '../query/lexicon.ts'
import type { Query } from '../query/query.ts'
import { missingAction } from './missing-action.ts'
import { coverageOf, type Evidence, FITS_FROM, APPLICATION_FROM, weigh } from './evidence.ts'
import type { Hit, Searched } from './rank.ts'
import type { Segment } from '../segments/segment.ts'

/** Why nothing fits. */
export type Misfit =
  /** The application is known and not installed, or installed without tools. */
  | { readonly kind: 'not_installed' | 'no_tools'; readonly application: string }
  /** The application has tools for the object, but none that does this with it. */
  | {
      readonly kind: 'no_such_action'
      readonly application: string
      readonly verb: string
      readonly object: string
    }
  /** Too little of the request is in any tool. */
  | { readonly kind: 'unlike' }

/** `none`: nothing here does what was asked; `weak`: perhaps; `good`: likely. */
export interface Fit {
  readonly level: 'good' | 'weak' | 'none'
  /** 0 to 1: the share of what was asked, by the rarity of its words, that the first tool has. */
  readonly coverage: number
  /** Set if the level is `none`. */
  readonly misfit?: Misfit | undefined
}

/** What the rating reads of a search. */
export interface Rated {
  readonly searched: readonly Searched[]
  readonly query: Query
  /** The best tools, best first. */
  readonly hits: readonly Hit[]
  readonly idf: (word: string) => number
  /** How alike the meaning of the request and of the first tool are, −1 to 1. */
  readonly likeness: number
  /** Stems that only name an application. */
  readonly names: ReadonlySet<string>
  /** An application that the text names and that has no tools here. */
  readonly absent: Extract<Misfit, { kind: 'not_installed' | 'no_tools' }> | undefined
}

const GOOD_FROM = 0.55
/** The place of the tool over which the first one leads: those right after it are often as good. */
const LEAD_OVER = 4

/** How well the first hit answers the query; honest about finding nothing, because a list always has a first. */
export function fitOf(rated: Rated): Fit {
  const { query, absent } = rated
  const [first] = rated.hits
  const misfit = absent ?? (query.steps.length === 0 ? missingAction(rated) : undefined)
  if (!first) return { level: 'none', coverage: 0, misfit: misfit ?? { kind: 'unlike' } }
  const evidence = evidenceFor(rated, first)
  const { coverage } = evidence
  if (misfit) return { level: 'none', coverage, misfit }
  const isElsewhere =
    query.steps.length === 0 && evidence.application < APPLICATION_FROM && namesApplication(rated.searched)
  if (isElsewhere || weigh(evidence) < FITS_FROM)
    return { level: 'none', coverage, misfit: { kind: 'unlike' } }
  return { level: coverage >= GOOD_FROM ? 'good' : 'weak', coverage }
}

const namesApplication = (searched: readonly Searched[]): boolean =>
  searched.some(({ meant }) => [...meant.values()].some((sure) => sure >= APPLICATION_FROM))

/** What speaks for a hit: of a request in several steps, for the step that it covers best. */
function evidenceFor({ searched, query, hits, idf, names, likeness }: Rated, hit: Hit): Evidence {
  const { segment, meant } = searched[hit.segment]!
  const reading = { idf, names, isTranslated: query.language !== undefined }
  const [best] = [query.whole, ...query.steps]
    .map((part) => coverageOf(part, segment, hit.tool, reading))
    .sort((a, b) => b.coverage - a.coverage)
  return {
    ...best!,
    likeness: Math.max(0, likeness),
    application: meant.get(segment.toolkitOf[hit.tool]!) ?? 0,
    lead: Math.min(1, hit.score - (hits[LEAD_OVER]?.score ?? 0)),
    name: nameShare(segment, hit.tool, query, idf),
  }
}

/** The share of the name of a tool, by the rarity of its words, that a request says in these or other words. */
function nameShare(segment: Segment, tool: number, { whole }: Query, idf: Rated['idf']): number {
  const said = new Set(whole.concepts.flatMap(({ words }) => words.map(({ word }) => word)))
  let [all, covered] = [0, 0]
  for (let at = segment.nameStart[tool]!; at < segment.nameStart[tool + 1]!; at++) {
    const word = segment.terms.at(segment.nameTerm[at]!)!
    all += idf(word)
    if (said.has(word)) covered += idf(word)
  }
  return all > 0 ? covered / all : 0
}

const DELETE = verbBits('delete')
const MAY_DELETE = verbBits('delete', 'stop', 'update')
const MAKES = verbBits('create', 'send')

/**
 * Whether a tool does the opposite of what a request asks for: it makes what is to be deleted, or deletes what is to
 * be made. Such a tool is never handed over as the one to call.
 */
export const isOpposite = (asked: number, does: number): boolean =>
  ((asked & DELETE) !== 0 && (asked & ~MAY_DELETE) === 0 && does !== 0 && (does & MAY_DELETE) === 0) ||
  ((asked & MAKES) !== 0 && (asked & (MAY_DELETE | MILD_VERBS)) === 0 && (does & DELETE) !== 0)
