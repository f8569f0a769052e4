import { wordsOf } from '../../src/catalog/importers/tools/words.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'

// Finds the tool that a name of the original platform means, by the words that they share. A wrong match would call
// another operation, so that only a clear one counts, and never one with another verb.

/** Part of the words, weighted by their rarity, that a name and a tool must share; and the lead over the next tool. */
const SCORE_MIN = 0.86
const LEAD_MIN = 0.12

type Kind = 'list' | 'get' | 'search' | 'create' | 'update' | 'delete'

/** A tool with the texts that say what it does. */
export interface OriginalNameCandidate {
  readonly slug: string
  readonly effect: ToolManifest['effect']
  /** Slug, operation id and summary, without the toolkit; each is compared alone. */
  readonly texts: readonly string[]
  readonly path: string
}

const FILLERS = new Set(
  (
    'a an the of for to in on by from with and or via using its all any this that new given specific single one id ' +
    'ids details information info object objects data api v1 v2 v3 endpoint existing certain based'
  ).split(' '),
)
const KINDS: Readonly<Record<string, Kind>> = Object.fromEntries(
  (
    [
      ['list', 'list lists'],
      ['get', 'get gets retrieve retrieves fetch fetches read show view returns check checks'],
      ['search', 'search searches find query'],
      ['create', 'create creates add adds insert new'],
      ['update', 'update updates edit modify patch set change replace'],
      ['delete', 'delete deletes remove removes destroy'],
    ] as const
  ).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
)
const SAME: Readonly<Record<string, string>> = {
  repo: 'repository',
  repos: 'repository',
  org: 'organization',
  orgs: 'organization',
  auth: 'authenticated',
  pr: 'pull',
  dm: 'direct',
  config: 'configuration',
  env: 'environment',
  msg: 'message',
  doc: 'document',
  docs: 'document',
  authed: 'authenticated',
  me: 'authenticated',
  info: 'detail',
  people: 'person',
  params: 'parameter',
  perms: 'permission',
  admin: 'administrator',
  var: 'variable',
}

/** Returns the tool of each name that clearly means one. */
export function matchNames(
  toolkit: string,
  names: readonly string[],
  tools: readonly OriginalNameCandidate[],
): Map<string, string> {
  const documents = tools.map((tool) => ({
    tool,
    sets: [...tool.texts, `${tool.effect} ${tool.path}`]
      .map((text) => wordSet(text, toolkit))
      .filter(({ size }) => size > 0),
  }))
  const weight = rarity(documents.flatMap(({ sets }) => sets))
  const matches = new Map<string, string>()
  for (const name of names) {
    const words = wordSet(name.slice(toolkit.length + 1), toolkit)
    const kind = kindOf(name.slice(toolkit.length + 1))
    if (words.size === 0) continue
    const ranked = documents
      .filter(({ tool }) => kind !== undefined && fitsKind(kind, tool, toolkit))
      .map(({ tool, sets }) => ({
        slug: tool.slug,
        score: Math.max(0, ...sets.map((set) => overlap(words, set, weight))),
      }))
      .sort((a, b) => b.score - a.score)
    const [best, next] = ranked
    if (best && best.score >= SCORE_MIN && best.score - (next?.score ?? 0) >= LEAD_MIN)
      matches.set(name, best.slug)
  }
  return matches
}

/** Words without verbs of the kinds and without fillers, in the singular. */
function wordSet(text: string, toolkit: string): ReadonlySet<string> {
  const own = new Set(toolkit.split('_'))
  return new Set(
    wordsOf(text.replace(/\{[^{}]*\}/g, ' '))
      .map((word) => word.toLowerCase())
      .filter(
        (word) => !FILLERS.has(word) && !own.has(word) && KINDS[word] === undefined && !/^\d+$/.test(word),
      )
      .map((word) => SAME[word] ?? singular(word)),
  )
}

const singular = (word: string): string =>
  word.endsWith('ies') && word.length > 4
    ? `${word.slice(0, -3)}y`
    : /(ss|us|is)$/.test(word)
      ? word
      : word.replace(/(?<=x|ch|sh)es$|s$/, '')

const kindOf = (name: string): Kind | undefined =>
  wordsOf(name)
    .map((word) => KINDS[word.toLowerCase()])
    .find((kind) => kind !== undefined)

/**
 * Whether a tool does the kind of thing that a name says. Names say `get` of lists too; then the path must not end
 * with the id of one object.
 */
function fitsKind(kind: Kind, { slug, path, effect }: OriginalNameCandidate, toolkit: string): boolean {
  const own = kindOf(slug.slice(toolkit.length + 1)) ?? (effect === 'read' ? 'get' : effect)
  if (kind === 'list' && path.endsWith('}')) return false
  return kind === own || (kind === 'list' && own === 'get') || (kind === 'get' && own === 'list')
}

function rarity(sets: readonly ReadonlySet<string>[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const set of sets) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + sets.length / (1 + (counts.get(word) ?? 0)))
}

/** Weighted words in both, as a part of the weighted words in either (Jaccard index). */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>, weight: (word: string) => number): number {
  let common = 0
  let all = 0
  for (const word of new Set([...a, ...b])) {
    all += weight(word)
    if (a.has(word) && b.has(word)) common += weight(word)
  }
  return all === 0 ? 0 : common / all
}
