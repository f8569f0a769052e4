import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSearchToolkit } from '#fixtures/search-index.ts'
import type { Concept } from '../query/query.ts'
import { stem } from '../query/tokens.ts'
import { buildSegment, IMPACT_SCALE, type Segment } from '../segments/segment.ts'
import type { Searched } from './rank.ts'
import { accumulate } from './score-segment.ts'

const WORDS = 'order ship label rocket user mail crate silver spoon tree rate'.split(' ').map(stem)
const TOOLS = 1_500
const PLENTY = 2_000
const RARE_ALTERNATIVE_IDF = 1

/** An index in which the words are in one of 2, 3, 5, … tools, so that some lists are long and others short. */
const segmentOf = (slug: string, offset: number): Segment =>
  buildSegment(
    [0, 1].map((half) =>
      sampleSearchToolkit(
        `${slug}_${half}`,
        'Sample',
        Array.from({ length: TOOLS / 2 }, (_, at) => {
          const number = offset + half * (TOOLS / 2) + at
          const words = WORDS.filter((_, word) => number % (2 * word + 2) === 0)
          return [`${slug}_${number}`, words.slice(0, 3).join(' ') || 'other', words.join(' ')] as const
        }),
      ),
    ),
  )

const SEGMENTS = [segmentOf('first', 0), segmentOf('second', 7)]
const idf = (word: string): number => 0.4 + WORDS.indexOf(word) / 3
const searchedOf = (mask: Uint8Array | undefined): Searched[] =>
  SEGMENTS.map((segment) => ({
    segment,
    mask,
    meant: new Map(),
    addWeights: () => {},
    allows: undefined,
  }))

/** The same scores without shared arrays: a Map for each index, and a Set for each concept. */
function plainScores(concepts: readonly Concept[], mask: Uint8Array | undefined): Map<number, number>[] {
  const scores = SEGMENTS.map(() => new Map<number, number>())
  const rated = concepts
    .map((concept) => ({ ...concept, main: idf(concept.words[0]!.word) }))
    .sort((a, b) => b.weight * b.main - a.weight * a.main)
  for (const { words, weight: share, main } of rated) {
    const scored = SEGMENTS.map(() => new Set<number>())
    for (const { word, weight } of words) {
      const own = word === words[0]!.word ? main : Math.min(idf(word), main)
      if (weight < 1 && own < RARE_ALTERNATIVE_IDF) continue
      const isPlenty = scores.reduce((sum, { size }) => sum + size, 0) >= PLENTY
      SEGMENTS.forEach((segment, number) => {
        const term = segment.termNumber.get(word)!
        for (let at = segment.postingStart[term]!; at < segment.postingStart[term + 1]!; at++) {
          const tool = segment.postingTool[at]!
          const before = scores[number]!.get(tool)
          if (scored[number]!.has(tool) || (before === undefined && isPlenty)) continue
          if (mask?.[segment.toolkitOf[tool]!] === 0) continue
          scored[number]!.add(tool)
          const more = ((share * weight * own) / IMPACT_SCALE) * segment.postingImpact[at]!
          scores[number]!.set(tool, Math.fround((before ?? 0) + more))
        }
      })
    }
  }
  return scores
}

test('search: scores in reused arrays are those of a plain sum, for one request after the other', () => {
  const word = fc.constantFrom(...WORDS)
  const concept = fc
    .tuple(word, fc.uniqueArray(word, { maxLength: 3 }), fc.constantFrom(1, 0.6))
    .map(([first, others, weight]): Concept => ({
      weight,
      words: [
        { word: first, weight: 1 },
        ...others.filter((other) => other !== first).map((other) => ({ word: other, weight: 0.35 })),
      ],
    }))
  const mask = fc.constantFrom(undefined, Uint8Array.of(0, 1), Uint8Array.of(1, 0))
  fc.assert(
    fc.property(fc.array(concept, { minLength: 1, maxLength: 6 }), mask, (concepts, visible) => {
      const expected = plainScores(concepts, visible)
      accumulate(searchedOf(visible), concepts, idf).forEach(({ of, touched, count }, number) => {
        const found = [...touched.subarray(0, count)].sort((a, b) => a - b)
        const tools = [...expected[number]!.keys()].sort((a, b) => a - b)
        assert.deepEqual(found, tools)
        for (const tool of tools) assert.equal(of[tool], expected[number]!.get(tool))
        assert.equal(
          of.filter((score) => score !== 0).length,
          count,
          'scores of earlier requests are cleared',
        )
      })
    }),
    { numRuns: 60 },
  )
})
