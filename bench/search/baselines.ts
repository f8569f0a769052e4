import MiniSearch from 'minisearch'
import { DatabaseSync } from 'node:sqlite'
import { STOP_WORDS } from '../../src/catalog/search/query/stop-words.ts'
import { stem } from '../../src/catalog/search/query/tokens.ts'
import type { CorpusTool } from './data-sets.ts'

/** Something that answers the ids of the tools for a query, best first. */
export interface Search {
  name: string
  ask(query: string, limit: number): string[]
}

const COLUMNS = ['name', 'toolkit', 'description', 'tags', 'parameters'] as const
const WEIGHTS: Readonly<Record<(typeof COLUMNS)[number], number>> = {
  name: 2.5,
  toolkit: 1.5,
  description: 1,
  tags: 0.5,
  parameters: 0.3,
}
const WORD = /[\p{L}\p{N}]+/gu
const QUERY_WORDS_MAX = 64

/**
 * The same texts as ours reads; names are taken apart, since neither baseline does it. Both leave out our
 * stop words, and both stem.
 */
function columnsOf(tool: CorpusTool): Record<(typeof COLUMNS)[number], string> {
  return {
    name: apart(`${tool.name} ${tool.operation ?? ''}`),
    toolkit: apart(`${tool.title ?? ''} ${tool.group}`),
    description: tool.description,
    tags: (tool.tags ?? []).join(' '),
    parameters: tool.parameters.map((one) => `${apart(one.name)} ${one.description}`).join(' '),
  }
}

const apart = (text: string): string => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_./-]+/g, ' ')
const wordsOf = (query: string): string[] =>
  [...new Set(query.toLowerCase().match(WORD) ?? [])]
    .filter((word) => !STOP_WORDS.has(word))
    .slice(0, QUERY_WORDS_MAX)

/** FTS5 of the SQLite in Node: Porter stemming, bm25 with the weights of the fields, any word may match. */
export function fts5(tools: readonly CorpusTool[]): Search {
  const db = new DatabaseSync(':memory:')
  db.exec(`create virtual table tools using fts5(${COLUMNS.join(', ')}, tokenize = 'porter unicode61')`)
  db.exec('begin')
  const insert = db.prepare(`insert into tools (rowid, ${COLUMNS.join(', ')}) values (?, ?, ?, ?, ?, ?)`)
  tools.forEach((tool, at) => {
    const columns = columnsOf(tool)
    insert.run(at, ...COLUMNS.map((name) => columns[name]))
  })
  db.exec('commit')
  const select = db.prepare(
    'select rowid from tools where tools match ? order by bm25(tools, ' +
      `${COLUMNS.map((name) => WEIGHTS[name]).join(', ')}) limit ?`,
  )
  return {
    name: 'SQLite FTS5',
    ask(query, limit) {
      const words = wordsOf(query)
      return words.length
        ? select
            .all(words.map((word) => `"${word}"`).join(' OR '), limit)
            .map(({ rowid }) => tools[Number(rowid)]!.id)
        : []
    },
  }
}

/**
 * MiniSearch with the weights of the fields as boosts and the stemmer of ours. `fuzzy`: edits that it accepts, as a
 * share of the letters of a word; default none.
 */
export function miniSearch(tools: readonly CorpusTool[], options: { fuzzy?: number } = {}): Search {
  const index = new MiniSearch({
    fields: [...COLUMNS],
    processTerm: (term) => (STOP_WORDS.has(term.toLowerCase()) ? null : stem(term.toLowerCase())),
    searchOptions: { boost: WEIGHTS, combineWith: 'OR', ...options },
  })
  index.addAll(tools.map((tool, id) => ({ id, ...columnsOf(tool) })))
  return {
    name: options.fuzzy ? 'MiniSearch, fuzzy' : 'MiniSearch',
    ask: (query, limit) =>
      index
        .search(wordsOf(query).join(' '))
        .slice(0, limit)
        .map(({ id }) => tools[id as number]!.id),
  }
}
