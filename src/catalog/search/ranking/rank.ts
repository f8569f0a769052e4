import { accumulate, type Scores, Sum } from './score-segment.ts'
import type { Part, Query } from '../query/query.ts'
import type { Segment } from '../segments/segment.ts'
import type { AddWeights } from './tool-weights.ts'
import { cosine, meaningOf, FITS_WITH_APPLICATION_FROM, rater, termRarities, WEIGHT } from './rater.ts'
import { type Signals, SignalTable } from './signal-table.ts'
import { putNeededTool } from './needed-tools.ts'
import { Top } from './top-hits.ts'
import { mostSimilar, similarityRater } from './similar-tools.ts'
import type { RequestVector, ToolVectors } from './tool-vectors.ts'
import type { Vectors } from './vectors.ts'

/** A segment with what is known of it for one query. */
export interface Searched {
  readonly segment: Segment
  /** Sureness that a toolkit is meant, by its number in the segment. */
  readonly meant: ReadonlyMap<number, number>
  /** 1 for toolkits that are left out, as if the index did not have them. */
  readonly hidden?: Uint8Array | undefined
  /** 1 for toolkits that may be found; undefined: all. */
  readonly mask: Uint8Array | undefined
  /** Added to the score of a tool: curated tools, applications that are connected, tools used lately. */
  readonly addWeights: AddWeights
  /** Vectors of an embedding model, if there is one. */
  readonly vectors?: ToolVectors | undefined
  /** Asked only for tools that would be among the best. */
  readonly allows: ((tool: number) => boolean) | undefined
}

export interface Hit {
  readonly segment: number
  readonly tool: number
  score: number
  /** Its row in the table of signals, once it is rated. */
  row: number
}

/** A tool of the result. */
export interface RankedHit extends Hit {
  /** What the score consists of; with `explain`. */
  readonly signals?: Signals
}

export interface RankOptions {
  readonly limit: number
  readonly idf: (word: string) => number
  /** The same for a term of a segment. */
  readonly idfOfTerm: (segment: Segment, term: number) => number
  readonly model: Vectors
  /** The vector of the whole query, if there is an embedding model. */
  readonly request?: RequestVector | undefined
  /** Stems that only name a toolkit. */ readonly toolkitStems: ReadonlySet<string>
  /** Whether to return what each score consists of. */
  readonly explain: boolean
}

/** What the parts of one query are ranked with. */
interface Ranking {
  readonly searched: readonly Searched[]
  readonly options: RankOptions
  /** How rare the terms of each segment are. */
  readonly rarities: readonly ((term: number) => number)[]
}

/** Signals of the search in progress: searches do not overlap, since none waits for anything. */
const table = new SignalTable()

const CANDIDATES = 200
/** What the whole query still counts for a tool that one of its steps found. */
const STEP_KEEPS = 0.5
const STEP_CANDIDATES = 60
const NEAR_CANDIDATES = 50
/**
 * So many tools are looked through in all; more than that only those of the toolkits that are meant, and
 * fewer.
 */
const NEAR_SCAN_MAX = 5_000
const NEAR_SCAN_MEANT_MAX = 2_000
const NEAR_SURE_MIN = 0.5
/** What is less near is not meant. */
const NEAR_MIN = 0.35
/** So many tools before it that are like it count. */
const REPEATED_MAX = 10

/** The best tools for a query, best first; equal ones in the order of the segments. */
export function rank(searched: readonly Searched[], query: Query, options: RankOptions): RankedHit[] {
  table.clear()
  const count = Math.max(CANDIDATES, options.limit)
  const ranking: Ranking = {
    searched,
    options,
    rarities: searched.map(({ segment }) => termRarities(segment, options.idfOfTerm)),
  }
  const found =
    query.steps.length > 0
      ? rankSteps(ranking, query, count)
      : rankPart(
          ranking,
          query.whole,
          bestOf(searched, accumulate(searched, query.whole.concepts, options.idf), count),
        )
  const hits = spread(searched, sorted(found))
  putNeededTool(searched, hits, table)
  const best = hits.slice(0, options.limit)
  return options.explain ? best.map((hit) => ({ ...hit, signals: table.signalsOf(hit.row) })) : best
}

/** A tool counts for the whole query, or for the step that it fits best. */
function rankSteps(ranking: Ranking, query: Query, count: number): Hit[] {
  const { searched, options } = ranking
  const sum = new Sum(searched)
  // The vector is that of the whole query.
  const ofSteps: Ranking = { ...ranking, options: { ...options, request: undefined } }
  const bySteps = query.steps.map((step) => {
    const scores = accumulate(searched, step.concepts, options.idf)
    sum.add(scores)
    return rankPart(ofSteps, step, bestOf(searched, scores, STEP_CANDIDATES))
  })
  const byKey = new Map(
    rankPart(ranking, query.whole, bestOf(searched, sum.scores, count)).map((hit) => [keyOf(hit), hit]),
  )
  for (const hit of bySteps.flat()) {
    const known = byKey.get(keyOf(hit))
    if (!known) {
      byKey.set(keyOf(hit), rated(hit, table.mix(hit.row, WEIGHT.step, hit.row, 0)))
    } else if (known.score * STEP_KEEPS + hit.score * WEIGHT.step > known.score) {
      byKey.set(keyOf(hit), rated(hit, table.mix(known.row, STEP_KEEPS, hit.row, WEIGHT.step)))
    }
  }
  return [...byKey.values()]
}

const sorted = (hits: Hit[]): Hit[] =>
  hits.sort((a, b) => b.score - a.score || a.segment - b.segment || a.tool - b.tool)

function bestOf(searched: readonly Searched[], all: readonly Scores[], count: number): Hit[] {
  const top = new Top(count)
  all.forEach((scores, number) => {
    const { allows } = searched[number]!
    let { floor } = top
    for (let at = 0; at < scores.count; at++) {
      const tool = scores.touched[at]!
      const score = scores.of[tool]!
      if (score < floor || !top.takes(score, number, tool) || (allows && !allows(tool))) continue
      top.add(score, number, tool)
      floor = top.floor
    }
  })
  return top.best()
}

/** Orders candidates by everything that counts; those after the first are left behind these. */
function rankPart({ searched, options, rarities }: Ranking, part: Part, hits: Hit[]): Hit[] {
  const best = hits[0]?.score ?? 1
  const meaning =
    options.model.dimensions > 0 ? options.model.bytesOf(meaningOf(part, options.toolkitStems)) : undefined
  const { request } = options
  // A longer list has further candidates after these, which are not rated: so it begins as a shorter one does.
  const ratedMax =
    CANDIDATES +
    addCandidates(hits, [
      ...(meaning ? nearest(searched, meaning) : []),
      ...(request ? mostSimilar(searched, request, NEAR_CANDIDATES) : []),
    ])
  const rateSimilarity = request && similarityRater(searched, hits.slice(0, ratedMax), request)
  const isNamed = searched.some(namesCurated)
  const raters = searched.map((one, at) => rater(one, part, rarities[at]!, meaning, table, isNamed))
  hits.forEach((hit, at) => {
    const row = (hit.row = table.add())
    table.set(row, 'words', hit.score / best)
    if (at < ratedMax) {
      raters[hit.segment]!(hit.tool, row)
      if (rateSimilarity) table.set(row, 'similarity', WEIGHT.similarity * rateSimilarity(hit))
    } else table.set(row, 'unrated', -1)
    hit.score = table.sum(row)
  })
  return hits
}

/** Whether a request names an application with curated tools: their names are certain, generated ones often are words. */
const namesCurated = ({ segment, meant }: Searched): boolean =>
  [...meant].some(
    ([toolkit, sure]) =>
      sure >= FITS_WITH_APPLICATION_FROM && segment.curated[segment.toolkits[toolkit]!.from] === 1,
  )

const rated = ({ segment, tool }: Hit, row: number): Hit => ({ segment, tool, score: table.sum(row), row })

/**
 * The nearest by meaning of few tools: of the toolkits that are meant, or of all when there are few. They may
 * share no word with the query.
 */
function nearest(searched: readonly Searched[], meaning: Int8Array): Hit[] {
  const top = new Top(NEAR_CANDIDATES)
  const all = searched.reduce((sum, { segment }) => sum + segment.slugs.length, 0) <= NEAR_SCAN_MAX
  let left = all ? NEAR_SCAN_MAX : NEAR_SCAN_MEANT_MAX
  const scan = (number: number, from: number, to: number) => {
    const { segment, mask, allows } = searched[number]!
    for (let tool = from; tool < to && left > 0; tool++, left--) {
      if (mask && mask[segment.toolkitOf[tool]!] === 0) continue
      const score = cosine(meaning, segment.vectors, tool * meaning.length)
      if (score >= NEAR_MIN && top.takes(score, number, tool) && (!allows || allows(tool)))
        top.add(score, number, tool)
    }
  }
  searched.forEach(({ segment, meant }, number) => {
    if (all) scan(number, 0, segment.slugs.length)
    else
      for (const [toolkit, sure] of meant)
        if (sure >= NEAR_SURE_MIN)
          scan(number, segment.toolkits[toolkit]!.from, segment.toolkits[toolkit]!.to)
  })
  return top.best()
}

/** Adds tools that share no word with the query after the best candidates, so that they are rated. Returns how many. */
function addCandidates(hits: Hit[], near: readonly Hit[]): number {
  const best = new Set(hits.slice(0, CANDIDATES).map(keyOf))
  const added = new Map(near.map((hit) => [keyOf(hit), hit]))
  for (const key of best) added.delete(key)
  const further = hits.slice(CANDIDATES).filter((hit) => !added.has(keyOf(hit)))
  hits.splice(
    CANDIDATES,
    hits.length,
    ...[...added.values()].map((hit) => ({ ...hit, score: 0 })),
    ...further,
  )
  return added.size
}

const keyOf = ({ segment, tool }: Hit): number => segment * 2 ** 32 + tool

/**
 * A tool that is like one before it, such as the same operation in another edition of an API, stands further
 * down.
 */
function spread(searched: readonly Searched[], hits: Hit[]): Hit[] {
  const seen = new Map<number, number>()
  for (const hit of hits) {
    const likeness = searched[hit.segment]!.segment.likeness[hit.tool]!
    const times = seen.get(likeness) ?? 0
    seen.set(likeness, times + 1)
    if (times === 0) continue
    const repeated = -WEIGHT.again * Math.min(times, REPEATED_MAX)
    table.set(hit.row, 'repeated', repeated)
    hit.score += repeated
  }
  return sorted(hits)
}
