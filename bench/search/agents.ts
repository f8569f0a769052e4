import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  loadCatalog,
  type Catalog,
  readAllTools,
  searchOf,
  type ToolSearch,
} from '../../src/catalog/index.ts'
import { fts5, miniSearch, type Search } from './baselines.ts'
import { type CorpusTool, type Question, readQuestions } from './data-sets.ts'
import { gradeQuestion, type Grades, interval, mean } from './metrics.ts'
import { percentOf } from './percent.ts'

// Requests as people and agents say them, over the built-in toolkits: how often the right tool is found, and how
// often a tool is offered for a request that none fulfils.

const root = join(import.meta.dirname, '../..')
const FOUND = 10
export type Half = 'tuning' | 'reported'

/** Its requests are for generated tools. */
export const GENERATED_SET = 'generated'

/** Folders here with requests for curated tools: each has a file `queries.jsonl`. */
export const requestSets = (): string[] =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, entry.name, 'queries.jsonl')),
    )
    .map(({ name }) => name)
    .filter((name) => name !== GENERATED_SET)
    .sort()

/** The half of a question, by the hash of its id. */
export const halfOf = ({ id }: Question): Half =>
  createHash('sha256').update(id).digest()[0]! % 2 === 1 ? 'reported' : 'tuning'

export const agentQuestions = (half: Half, set = 'agents'): Question[] =>
  readQuestions(import.meta.dirname, set)!.filter((question) => halfOf(question) === half)

/** Sets for choosing words and weights, which no table counts: each has a file `requests.tsv`. */
const TUNING_SETS = ['everyday', 'training']

function tuningQuestions(set: string): Question[] {
  const lines = readFileSync(join(import.meta.dirname, set, 'requests.tsv'), 'utf8').split('\n')
  return lines.filter(Boolean).map((line, at) => {
    const [kind = '', gold = '', query = ''] = line.split('\t')
    return {
      id: `${set}-${at}`,
      kind,
      gold: gold ? gold.split(/[ ,]/) : [],
      mode: kind === 'steps' ? 'all' : 'any',
      query,
    }
  })
}

/** Prints the measures of the product on the sets for choosing words and weights. */
export async function reportTuningSets(say: (line?: string) => void): Promise<void> {
  const ask = productSearch(searchOf(await builtInCatalog()))
  for (const set of TUNING_SETS) {
    const questions = tuningQuestions(set)
    say(`  ${set}: ${questions.length} requests, for tuning only`)
    reportSearch(say, 'Patchbay', questions, ask)
  }
}

/** The built-in toolkits. */
export const builtInCatalog = (): Promise<Catalog> =>
  loadCatalog({ folder: join(root, 'toolkits'), operations: false })

/** What a search returned for a request. `offered`: it says that the first tool may do it. */
export interface Outcome {
  readonly slugs: readonly string[]
  readonly offered: boolean
}

/** The tools of a catalogue for the baselines, with the same texts. */
export function corpusOf(catalog: Catalog): CorpusTool[] {
  return [...readAllTools(catalog)].map(({ slug, name, description, toolkit, manifest, tags }) => ({
    id: slug,
    name,
    description: [description, manifest.human_description, ...(manifest.phrases ?? [])].join(' . '),
    group: toolkit,
    title: catalog.toolkit(toolkit)!.name,
    operation: slug.slice(toolkit.length + 1),
    tags,
    parameters: Object.entries(
      (manifest.input as { properties?: Record<string, { description?: string }> }).properties ?? {},
    ).map(([parameter, { description: text = '' }]) => ({ name: parameter, description: text })),
  }))
}

export const productSearch =
  (search: ToolSearch): ((text: string) => Outcome) =>
  (text) => {
    const { tools, fit } = search.find(text, { limit: FOUND })
    return { slugs: tools.map(({ slug }) => slug), offered: tools.length > 0 && fit.level !== 'none' }
  }

const baseline =
  (search: Search) =>
  (text: string): Outcome => {
    const slugs = search.ask(text, FOUND)
    return { slugs, offered: slugs.length > 0 }
  }

/** Prints the measures of the product and of the baselines, for each kind and for all. */
export async function reportAgents(say: (line?: string) => void, half: Half, set: string): Promise<void> {
  const catalog = await builtInCatalog()
  const corpus = corpusOf(catalog)
  const questions = agentQuestions(half, set)
  say(
    `  ${set}: ${corpus.length} tools, ${questions.length} requests (${half} half); ` +
      'hit@1 · hit@5 · nDCG@10, with the 95 % interval of each',
  )
  const table: [string, (text: string) => Outcome][] = [
    ['Patchbay', productSearch(searchOf(catalog))],
    ['SQLite FTS5', baseline(fts5(corpus))],
    ['MiniSearch', baseline(miniSearch(corpus))],
  ]
  for (const [name, ask] of table) reportSearch(say, name, questions, ask)
  const whole = await loadCatalog({ folder: join(root, 'toolkits') })
  say(
    `  ${set}, with generated tools: ${whole.toolCount} tools. Only curated tools count as right; generated ` +
      'ones fulfil ' +
      'some of the impossible requests',
  )
  reportSearch(say, 'Patchbay', questions, productSearch(searchOf(whole)))
}

/** Prints the measures of the requests that only a generated tool fulfils. */
export async function reportGenerated(say: (line?: string) => void, half: Half): Promise<void> {
  const whole = await loadCatalog({ folder: join(root, 'toolkits') })
  const questions = agentQuestions(half, GENERATED_SET)
  say(`  ${GENERATED_SET}: ${whole.toolCount} tools, ${questions.length} requests (${half} half)`)
  reportSearch(say, 'Patchbay', questions, productSearch(searchOf(whole)))
}

/** Prints the measures of one search. */
export function reportSearch(
  say: (line?: string) => void,
  name: string,
  questions: readonly Question[],
  ask: (text: string) => Outcome,
): void {
  const outcomes = questions.map((question) => ({ question, outcome: ask(question.query) }))
  const possible = outcomes.filter(({ question }) => question.kind !== 'impossible')
  say(`    ${name}`)
  const graded = possible.map(({ question, outcome }) => ({
    kind: question.kind,
    grades: gradeQuestion(question, outcome.slugs),
  }))
  for (const [kind, some] of Map.groupBy(graded, (one) => one.kind))
    say(`      ${kind.padEnd(10)} ${String(some.length).padStart(3)}  ${line(some.map((one) => one.grades))}`)
  say(
    `      ${'all'.padEnd(10)} ${String(graded.length).padStart(3)}  ${line(graded.map((one) => one.grades))}`,
  )
  const withheld = possible.filter(({ outcome }) => !outcome.offered).length
  const impossible = outcomes.filter(({ question }) => question.kind === 'impossible')
  say(
    '      offered although impossible ' +
      `${percentOf(impossible.filter(({ outcome }) => outcome.offered).length, impossible.length)}` +
      `, withheld although possible ${percentOf(withheld, possible.length)}`,
  )
}

const line = (grades: readonly Grades[]): string =>
  (['hit1', 'hit5', 'ndcg10'] as const)
    .map((name) => {
      const values = grades.map((one) => one[name])
      const [low, high] = interval(values)
      return `${mean(values).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
    })
    .join('  ')
