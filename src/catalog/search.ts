import { propertiesOf } from './build.ts'
import type { Catalog, Tool } from './records.ts'
import { synonymsOf, wordsOf } from './search-words.ts'

export interface RankedTool { readonly tool: Tool, readonly score: number }

/** A field's weight, and how much its length counts (b of BM25). */
const FIELDS = [
  { weight: 2.5, b: 0.3, of: (tool: Tool) => `${tool.name} ${tool.slug.slice(tool.toolkit.length + 1)}` },
  { weight: 1.5, b: 0.3, of: (tool: Tool, toolkit: string) => `${tool.toolkit} ${toolkit}` },
  { weight: 1, b: 0.5, of: (tool: Tool) => tool.description },
  { weight: 0.5, b: 0.3, of: (tool: Tool) => tool.tags.filter((tag) => !tag.endsWith('Hint')).join(' ') },
  { weight: 0.3, b: 0.6, of: (tool: Tool) => Object.entries(propertiesOf(tool.input)).map(([name, { description }]) => `${name} ${typeof description === 'string' ? description : ''}`).join(' ') },
] as const
const K1 = 1.2
const SYNONYM_WEIGHT = 0.35
const NAME_COVERAGE_WEIGHT = 0.3
const TOOLKIT_WEIGHT = 0.5
/** A query is a sentence; more words than this are a document. */
const QUERY_WORDS_MAX = 64

interface Index {
  readonly tools: readonly Tool[]
  /** Word to tools, each with the weighted frequency of the word in its fields. */
  readonly postings: ReadonlyMap<string, readonly (readonly [tool: number, frequency: number])[]>
  readonly names: readonly ReadonlySet<string>[]
  readonly toolkits: ReadonlyMap<string, { readonly slug: string, readonly names: readonly string[] }>
}

const indexes = new WeakMap<Catalog, Index>()

/** Tools of the newest releases that share words with a query, best first; equal scores stand in the catalogue's order. */
export function rankTools(catalog: Catalog, query: string): readonly RankedTool[] {
  let index = indexes.get(catalog)
  if (!index) indexes.set(catalog, index = indexOf(catalog))
  const words = [...new Set(wordsOf(query.slice(0, 4096)))].slice(0, QUERY_WORDS_MAX)
  const scores = new Map<number, number>()
  for (const word of words) {
    addScores(index, [word], 1, scores)
    addScores(index, synonymsOf(word).filter((other) => !words.includes(other)), SYNONYM_WEIGHT, scores)
  }
  let top = Number.MIN_VALUE
  for (const score of scores.values()) if (score > top) top = score
  const said = new Set(words)
  const meant = new Set(words.flatMap(synonymsOf))
  const ranked = [...scores].map(([number, score]) => ({ number, score: score / top + structure(index, number, said, meant) }))
  ranked.sort((a, b) => b.score - a.score || a.number - b.number)
  return ranked.map(({ number, score }) => ({ tool: index.tools[number]!, score }))
}

/** Words that count as one: a tool scores for the best of them, and they are as common as all of them together. */
function addScores(index: Index, words: readonly string[], weight: number, scores: Map<number, number>): void {
  const frequencies = new Map<number, number>()
  for (const word of words) {
    for (const [number, frequency] of index.postings.get(word) ?? []) frequencies.set(number, Math.max(frequency, frequencies.get(number) ?? 0))
  }
  const idf = Math.log(1 + (index.tools.length - frequencies.size + 0.5) / (frequencies.size + 0.5))
  for (const [number, frequency] of frequencies) scores.set(number, (scores.get(number) ?? 0) + weight * idf * (frequency * (K1 + 1)) / (frequency + K1))
}

/** What counts beyond shared words: how much of the tool's name the query says, and whether it names the toolkit, in full: `news` is not Hacker News. */
function structure(index: Index, number: number, said: ReadonlySet<string>, meant: ReadonlySet<string>): number {
  const name = index.names[number]!
  let covered = 0
  for (const word of name) covered += said.has(word) ? 1 : meant.has(word) ? 0.6 : 0
  const { slug, names } = index.toolkits.get(index.tools[number]!.toolkit)!
  const named = said.has(slug) || (names.length > 0 && names.every((word) => said.has(word)))
  return NAME_COVERAGE_WEIGHT * (name.size > 0 ? covered / name.size : 0) + (named ? TOOLKIT_WEIGHT : 0)
}

function indexOf(catalog: Catalog): Index {
  const { tools } = catalog
  const texts = tools.map((tool) => FIELDS.map(({ of }) => wordsOf(of(tool, catalog.toolkit(tool.toolkit)?.name ?? ''))))
  const averages = FIELDS.map((_, field) => texts.reduce((sum, fields) => sum + fields[field]!.length, 0) / Math.max(1, texts.length))
  const postings = new Map<string, (readonly [number, number])[]>()
  texts.forEach((fields, number) => {
    const frequencies = new Map<string, number>()
    fields.forEach((words, field) => {
      const { weight, b } = FIELDS[field]!
      const share = weight / (1 - b + b * words.length / Math.max(1, averages[field]!))
      for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + share)
    })
    for (const [word, frequency] of frequencies) {
      const list = postings.get(word)
      if (list) list.push([number, frequency])
      else postings.set(word, [[number, frequency]])
    }
  })
  const toolkits = new Map(catalog.toolkits.map(({ slug, name }) => [slug, { slug: wordsOf(slug.replaceAll('_', ''))[0] ?? '', names: wordsOf(name) }]))
  return { tools, postings, names: tools.map(({ name }) => new Set(wordsOf(name))), toolkits }
}
