import { createHash } from 'node:crypto'
import type { Operation } from '../../src/catalog/importers/model.ts'
import { wordsOf } from '../../src/catalog/importers/tools/words.ts'
import { isVerb } from './effect.ts'

const SLUG_MAX = 64
const WORDS_MAX = 9

/** An operation that needs a slug. */
export interface Unnamed {
  readonly key: string
  readonly operation: Pick<Operation, 'method' | 'path' | 'id' | 'summary' | 'tags'>
  readonly title: string
  /** Slug of the overlay, of the original platform or of the last run. */
  readonly preferred: string | undefined
}

/**
 * Gives each operation a slug: the preferred one, else the first free one of: its summary, its id, its tag and
 * summary, its method and path. Preferred slugs go first, so that no other operation takes them.
 */
export function nameOperations(
  toolkit: string,
  operations: readonly Unnamed[],
  reserved: Iterable<string>,
): Map<string, string> {
  const prefix = `${toolkit.toUpperCase()}_`
  const used = new Set(reserved)
  const slugs = new Map<string, string>()
  const give = (key: string, slug: string) => {
    slugs.set(key, slug)
    used.add(slug)
  }
  for (const { key, preferred } of operations)
    if (preferred !== undefined && !used.has(preferred)) give(key, preferred)
  for (const unnamed of operations) {
    if (slugs.has(unnamed.key)) continue
    const candidates = candidatesFor(unnamed)
      .map((words) => slugOf(prefix, words))
      .filter((slug) => slug !== undefined)
    const free = candidates.find((slug) => !used.has(slug))
    give(unnamed.key, free ?? hashed(candidates[0] ?? `${prefix}CALL`, unnamed.key))
  }
  return slugs
}

function candidatesFor({ operation, title }: Unnamed): string[][] {
  const { id, summary, tags, method, path } = operation
  const said =
    summary === undefined || !/^[\x20-\x7e]+$/.test(summary) ? [] : wordsOf(summary.replace(/['’]/g, ''))
  const short = said.length >= 2 && said.length <= WORDS_MAX ? said : []
  const called = id === undefined || !/[A-Za-z]{2}/.test(id) ? [] : wordsOf(id)
  const route = [
    method,
    ...path.split(/[/?#&=]/).flatMap((part) => (/\{/.test(part) ? ['by', ...wordsOf(part)] : wordsOf(part))),
  ]
  const area = wordsOf(tags[0] ?? title)
  return [
    short,
    called.length >= 2 ? verbFirst(called) : [],
    short.length > 0 ? [...short, 'in', ...area] : [],
    route,
  ].filter((words) => words.length > 0)
}

/** `conversations.archive` is ARCHIVE_CONVERSATIONS, as slugs begin with what is done. */
function verbFirst(words: readonly string[]): string[] {
  const [first = '', ...rest] = words
  const last = rest.at(-1) ?? ''
  return !isVerb(first) && isVerb(last) ? [last, first, ...rest.slice(0, -1)] : [...words]
}

function slugOf(prefix: string, words: readonly string[]): string | undefined {
  const own = prefix.slice(0, -1).split('_')
  const upper = words.map((word) => word.toUpperCase())
  const repeats = own.every((word, index) => upper[index] === word) && upper.length > own.length
  const slug = `${prefix}${(repeats ? upper.slice(own.length) : upper).join('_')}`
  return slug.length <= SLUG_MAX ? slug : undefined
}

/** Two operations that would be called alike differ by the hash of their method and path. */
function hashed(slug: string, key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 6).toUpperCase()
  return `${slug.slice(0, SLUG_MAX - 7).replace(/_$/, '')}_${hash}`
}
