import { readFileSync } from 'node:fs'
import { find, partOf } from '../../src/catalog/search/engine.ts'
import otherNames from '../../src/catalog/search/data/toolkit-aliases.json' with { type: 'json' }
import { decodeSegment } from '../../src/catalog/search/segments/snapshot.ts'
import { wordVectors } from '../../src/catalog/search/tool-search.ts'
import { prepareSpelling, vocabularyOf } from '../../src/catalog/search/query/vocabulary.ts'
import { stem } from '../../src/catalog/search/query/tokens.ts'
import { readQuestions, SETS } from './data-sets.ts'
import { quantile } from '../figures.ts'
import { misspell } from './typos.ts'

// Loads a snapshot as a start does and asks it the questions of every set, one after the other. Started by main.ts.

const [file = '', data = ''] = process.argv.slice(2)
const QUESTIONS_OF_A_SET = 60
const ROUNDS = 3
const MB = 2 ** 20
const usedMb = (): { resident: number; heap: number; buffers: number } => {
  global.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss / MB, heap: heapUsed / MB, buffers: external / MB }
}

const questions = SETS.flatMap((set) => readQuestions(data, set)?.slice(0, QUESTIONS_OF_A_SET) ?? []).map(
  ({ query }) => query,
)
const bare = usedMb()
const loading = performance.now()
const segment = decodeSegment(readFileSync(file), 'bench')
if (!segment) throw new Error(`${file} is no snapshot.`)
const part = partOf(segment, otherNames)
const model = wordVectors()
const loadS = (performance.now() - loading) / 1_000

const clock: number[] = []
const processor: number[] = []
for (let round = 0; round <= ROUNDS; round++) {
  for (const question of questions) {
    const before = performance.now()
    const cpu = process.cpuUsage()
    find([part], question, model, { limit: 10 })
    const { user, system } = process.cpuUsage(cpu)
    if (round === 0) continue // until the code is compiled
    clock.push(performance.now() - before)
    processor.push((user + system) / 1_000)
  }
}
const used = usedMb()
const preparing = process.cpuUsage()
prepareSpelling(segment)
const prepared = process.cpuUsage(preparing)
const corrections = timeCorrections()
process.stdout.write(
  `, load ${loadS.toFixed(2)} s; a query p50 ${quantile(clock, 0.5).toFixed(2)} ms, p99 ` +
    `${quantile(clock, 0.99).toFixed(2)} ms` +
    ` (processor ${quantile(processor, 0.5).toFixed(2)}, ${quantile(processor, 0.99).toFixed(2)}); ` +
    `memory ${(used.resident - bare.resident).toFixed(0)} MB ` +
    `(buffers ${(used.buffers - bare.buffers).toFixed(0)}, heap ${(used.heap - bare.heap).toFixed(0)})\n` +
    `            a correction p50 ${quantile(corrections, 0.5).toFixed(3)} ms, p99 ` +
    `${quantile(corrections, 0.99).toFixed(3)} ms, at most ${Math.max(...corrections).toFixed(2)} ms of ` +
    `${corrections.length} misspelt words; prepared in ${((prepared.user + prepared.system) / 1_000).toFixed(0)} ms ` +
    'of processor time\n',
)

/** Processor time of the correction of each misspelt word, in milliseconds, after a first round. */
function timeCorrections(): number[] {
  const words = questions.flatMap((question) => {
    const misspelt = misspell(question)
    const right = new Set(question.split(/\W+/))
    return misspelt?.split(/\W+/).filter((word) => word.length > 0 && !right.has(word)) ?? []
  })
  const count = (base: string) => {
    const term = segment!.termNumber.get(base)
    return term === undefined ? 0 : segment!.postingStart[term + 1]! - segment!.postingStart[term]!
  }
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const said of words) {
      const word = said.toLowerCase()
      const vocabulary = vocabularyOf([segment!], count, model)
      const cpu = process.cpuUsage()
      vocabulary.correct({ word, stem: stem(word), start: 0, capital: false, isJoined: false, first: false })
      const { user, system } = process.cpuUsage(cpu)
      if (round > 0) times.push((user + system) / 1_000)
    }
  }
  return times
}
