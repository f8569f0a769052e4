import type { Question } from './data-sets.ts'
import { quantile } from '../figures.ts'

export interface Quality {
  recall1: number
  recall5: number
  recall10: number
  ndcg10: number
}

/** Means over questions; `ranked` is what a search answered for each, best first, at least ten where there are. */
export function quality(questions: readonly Question[], ranked: readonly (readonly string[])[]): Quality {
  const sum: Quality = { recall1: 0, recall5: 0, recall10: 0, ndcg10: 0 }
  questions.forEach((question, at) => {
    const found = ranked[at]!
    sum.recall1 += recall(question, found, 1)
    sum.recall5 += recall(question, found, 5)
    sum.recall10 += recall(question, found, 10)
    sum.ndcg10 += ndcg(question, found, 10)
  })
  const mean = (value: number) => value / Math.max(1, questions.length)
  return {
    recall1: mean(sum.recall1),
    recall5: mean(sum.recall5),
    recall10: mean(sum.recall10),
    ndcg10: mean(sum.ndcg10),
  }
}

/** `any`: whether one is among the first `depth`; `all`: the share that is. */
function recall({ gold, mode }: Question, found: readonly string[], depth: number): number {
  const hits = found.slice(0, depth).filter((id) => gold.includes(id)).length
  return mode === 'any' ? Math.min(1, hits) : hits / gold.length
}

/** `any`: by the place of the first that is right. */
function ndcg({ gold, mode }: Question, found: readonly string[], depth: number): number {
  const gains = found.slice(0, depth).map((id, at) => (gold.includes(id) ? 1 / Math.log2(at + 2) : 0))
  if (mode === 'any') return Math.max(0, ...gains)
  let ideal = 0
  for (let at = 0; at < Math.min(depth, gold.length); at++) ideal += 1 / Math.log2(at + 2)
  return gains.reduce((sum, gain) => sum + gain, 0) / ideal
}

/** What one question counts: `hit1` the first tool is right, `hit5` the share of what is needed in the first five. */
export interface Grades {
  readonly hit1: number
  readonly hit5: number
  readonly ndcg10: number
}

/** Grades what a search returned for a question, best first. */
export const gradeQuestion = (question: Question, found: readonly string[]): Grades => ({
  hit1: found[0] !== undefined && question.gold.includes(found[0]) ? 1 : 0,
  hit5: recall(question, found, 5),
  ndcg10: ndcg(question, found, 10),
})

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const RESAMPLES = 1_000

/** The 95 % interval of a mean: percentiles of bootstrap resamples, the same in every run. */
export function interval(values: readonly number[]): [low: number, high: number] {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)]!)),
  )
  return [quantile(means, 0.025), quantile(means, 0.975)]
}
