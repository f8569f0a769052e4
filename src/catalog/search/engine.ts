import type { ToolEntry } from '../types/index.ts'
import { type EntryFilter, type EntryReader, entryReader, toolPredicate } from './entry-filter.ts'
import { wordStatistics } from './word-statistics.ts'
import { type Fit, fitOf, isOpposite } from './ranking/match-quality.ts'
import { type Correction, type Query, readQuery, type Said } from './query/query.ts'
import { vocabularyOf } from './query/vocabulary.ts'
import { absentApplication } from './query/absent-applications.ts'
import { toolWeights } from './ranking/tool-weights.ts'
import { type Hit, rank, type RankedHit, type RankOptions, type Searched } from './ranking/rank.ts'
import { likenessOf } from './ranking/rater.ts'
import type { Signals } from './ranking/signal-table.ts'
import { wordMatches, type WordMatch } from './ranking/word-matches.ts'
import type { HiddenToolkits } from './segments/hidden-toolkits.ts'
import type { Segment } from './segments/segment.ts'
import { type OtherNames, type ToolkitNames, toolkitNames } from './query/toolkit-names.ts'
import type { RequestVector, ToolVectors } from './ranking/tool-vectors.ts'
import type { Vectors } from './ranking/vectors.ts'

/** An index with the names of its toolkits. */
export interface Part {
  readonly segment: Segment
  readonly names: ToolkitNames
  /** Toolkits that are left out, as if the index did not have them. */
  readonly hidden?: HiddenToolkits | undefined
}

export interface FindOptions {
  /** At most as many tools; 1 to `FOUND_MAX`. */
  readonly limit: number
  /** Slugs of toolkits that may be found; default: all. */
  readonly toolkits?: ReadonlySet<string> | undefined
  /** What is known of the caller. */
  readonly context?: SearchContext | undefined
  /** Whether a tool may be found, asked only for those that would be among the best; default: every tool. */
  readonly allows?: ((toolSlug: string) => boolean) | undefined
  /** Takes the place of `allows`: the same by the entries of the tools, which the result has, too. */
  readonly entries?: EntryFilter | undefined
  /** The similarity of tools to the query, by an embedding model; default: by words only. */
  readonly similarity?: Similarity | undefined
  /** Whether to return why each tool has its rank. Default false. */
  readonly explain?: boolean | undefined
}

/** A query as an embedding model reads it, and the vectors of tools. */
export interface Similarity {
  readonly request: RequestVector
  vectorsOf(segment: Segment): ToolVectors | undefined
}

/** What is known of the caller, which moves tools up. */
export interface SearchContext {
  /** Slugs of toolkits of which the user has a connected account, or that the session allows. */
  readonly connected?: ReadonlySet<string> | undefined
  /** Slugs of tools to how often the project called them successfully of late. */
  readonly used?: ReadonlyMap<string, number> | undefined
}

export interface FoundTool {
  readonly slug: string
  readonly toolkit: string
  /** With `entries`. A renamed tool is found by both of its names, and its entry has the present one. */
  readonly entry?: ToolEntry
  readonly score: number
  /** It does the opposite of what was asked, such as creating what is to be deleted. */
  readonly isOpposite: boolean
  /** What the score consists of; with `explain`. */
  readonly signals?: Signals
  /** The words of the query that the tool has; with `explain`. */
  readonly matches?: readonly WordMatch[]
}

export interface FoundBySearch {
  /** Best first. Scores compare tools of one answer, not answers. */
  readonly tools: readonly FoundTool[]
  /** Toolkits that the query seems to name, surest first; `sureness` is above 0 and at most 1. */
  readonly toolkits: readonly { readonly slug: string; readonly sureness: number }[]
  /** Whether the first tool is likely what was asked for. */
  readonly fit: Fit
  /** Words that were taken for others, since nothing knows them. */
  readonly corrections: readonly Correction[]
  /** The language that the query was translated from, if it was; with `explain`. */
  readonly language?: string | undefined
}

export const FOUND_MAX = 1_000
const TOOLKITS_MAX = 10
/** So many of the best tools say whether anything fits, however few are returned. */
const HITS_RATED = 5

export const partOf = (segment: Segment, otherNames: OtherNames): Part => ({
  segment,
  names: toolkitNames(segment.toolkits, otherNames),
})

/**
 * The tools of some indexes that fit a sentence, as one ranking: how rare a word is counts over all of them,
 * so that it does not matter how tools are spread over indexes. Never throws; a query without words finds
 * nothing. At most a few milliseconds for 125,000 tools.
 */
export function find(
  parts: readonly Part[],
  text: string,
  model: Vectors,
  { limit, toolkits, allows, entries, context, similarity, explain = false }: FindOptions,
): FoundBySearch {
  const words = wordStatistics(parts)
  const query = readQuery(
    text,
    vocabularyOf(
      parts.map(({ segment }) => segment),
      words.count,
      model,
    ),
  )
  const meantBy = parts.map(({ segment, names, hidden }) =>
    names.meantBy(query.tokens, (word, own) => words.shareOutside(word, segment, own), hidden?.flags),
  )
  const readers = entries && parts.map(({ segment }) => entryReader(entries, segment))
  const searched: Searched[] = parts.map(({ segment, hidden }, at) => ({
    segment,
    hidden: hidden?.flags,
    meant: meantBy[at]!.toolkits,
    addWeights: toolWeights(segment, context),
    vectors: similarity?.vectorsOf(segment),
    mask: toolkits ? maskOf(segment, toolkits, hidden?.flags) : hidden?.visible,
    allows: toolPredicate(segment, { allows, entries }, readers?.[at]),
  }))
  const toolkitWords = new Set(meantBy.flatMap((one) => [...one.words]))
  const options: RankOptions = {
    limit: Math.max(HITS_RATED, Math.min(FOUND_MAX, limit)),
    idf: words.idf,
    idfOfTerm: words.idfOfTerm,
    model,
    toolkitStems: toolkitWords,
    request: similarity?.request,
    explain,
  }
  const hits = rank(searched, query, options)
  const meant = searched.flatMap(({ segment, meant: sure, mask }) =>
    [...sure]
      .filter(([toolkit]) => !mask || mask[toolkit] === 1)
      .map(([toolkit, sureness]) => ({ slug: segment.toolkits[toolkit]!.slug, sureness })),
  )
  return {
    tools: hits.slice(0, Math.max(1, limit)).map((hit) => presentHit(parts, query, hit, explain, readers)),
    toolkits: meant
      .sort((a, b) => b.sureness - a.sureness || (a.slug < b.slug ? -1 : 1))
      .slice(0, TOOLKITS_MAX),
    fit: fitOfHits(searched, query, hits, options),
    corrections: query.corrections,
    ...(explain ? { language: query.language } : {}),
  }
}

function presentHit(
  parts: readonly Part[],
  query: Query,
  { segment: number, tool, score, signals }: RankedHit,
  explain: boolean,
  readers: readonly EntryReader[] | undefined,
): FoundTool {
  const { segment } = parts[number]!
  const entry = readers?.[number]!(tool)
  return {
    slug: segment.slugs.at(tool)!,
    toolkit: segment.toolkits[segment.toolkitOf[tool]!]!.slug,
    ...(entry && { entry }),
    score,
    isOpposite: isOpposite(query.whole.verbs, segment.verbs[tool]!) && query.steps.length === 0,
    ...(explain ? { signals: signals!, matches: wordMatches(query, segment, tool) } : {}),
  }
}

function fitOfHits(
  searched: readonly Searched[],
  query: Query,
  hits: readonly Hit[],
  options: RankOptions,
): Fit {
  const [first] = hits
  const parts = [query.whole, ...query.steps]
  const likeness = first
    ? Math.max(...parts.map((part) => likenessOf(searched[first.segment]!, first.tool, part, options)))
    : 0
  return fitOf({
    searched,
    query,
    hits,
    idf: options.idf,
    likeness,
    names: new Set([...options.toolkitStems, ...joinedNames(query.tokens, options.toolkitStems)]),
    absent: absentApplication(query.tokens, searched),
  })
}

/** `github` of `GitHub`, whose parts name the application. */
const joinedNames = (tokens: readonly Said[], nameStems: ReadonlySet<string>): string[] =>
  tokens.flatMap(({ isJoined, stem }, at) =>
    isJoined && nameStems.has(tokens[at - 1]?.stem ?? '') ? [stem] : [],
  )

/** 1 for toolkits that may be found. */
const maskOf = (
  { toolkits }: Segment,
  selected: ReadonlySet<string>,
  hidden: Uint8Array | undefined,
): Uint8Array =>
  Uint8Array.from(toolkits, ({ slug }, number) => (hidden?.[number] === 1 || !selected.has(slug) ? 0 : 1))
