import { createHash } from 'node:crypto'
import type { Operation } from '../model.ts'
import { wordsOf } from './words.ts'

export const SLUG_MAX = 64
const HASH_CHARACTERS = 6

/** What an operation has that a slug is made of. */
export type Nameable = Pick<Operation, 'method' | 'path' | 'id' | 'identity'>

/** What an operation is, whatever it is called: the same in every document that has it. */
export const identityOf = ({ method, path, identity }: Omit<Nameable, 'id'>): string =>
  identity ?? `${method.toUpperCase()} ${path}`

/**
 * A slug for every operation, by its identity. A slug that a former import gave stays for ever, also where
 * the operation was renamed; of operations that would be called alike, the one with the shortest path takes
 * the name and the others one that ends in six characters of their hash. So does one whose name begins with
 * one of `foreign`: prefixes of other toolkits, whose own tools may have that name.
 */
export function slugsFor(
  prefix: string,
  operations: readonly Nameable[],
  former: ReadonlyMap<string, string>,
  foreign: readonly string[] = [],
): Map<string, string> {
  const slugs = new Map<string, string>()
  const usedSlugs = new Set<string>()
  const give = (identity: string, slug: string) => {
    slugs.set(identity, slug)
    usedSlugs.add(slug)
  }
  for (const operation of operations) {
    const slug = former.get(identityOf(operation))
    if (slug !== undefined && slug.startsWith(prefix) && slug.length <= SLUG_MAX && !usedSlugs.has(slug))
      give(identityOf(operation), slug)
  }
  // The slug of a removed operation is not reused: a client that still calls it must not reach another
  // operation.
  for (const slug of former.values()) usedSlugs.add(slug)
  for (const operation of [...operations].sort(canonical)) {
    const identity = identityOf(operation)
    if (slugs.has(identity)) continue
    const preferred = fitted(prefix, actionWords(operation, prefix), identity)
    give(
      identity,
      usedSlugs.has(preferred) || foreign.some((other) => preferred.startsWith(other))
        ? uniqueSlug(prefix, preferred, identity, usedSlugs)
        : preferred,
    )
  }
  return slugs
}

function canonical(a: Nameable, b: Nameable): number {
  const [one, other] = [identityOf(a), identityOf(b)]
  return a.path.length - b.path.length || (one < other ? -1 : one > other ? 1 : 0)
}

/**
 * `repos/list-for-org` is LIST FOR ORG after REPOS; without an id, the method and the path: `GET
 * /users/{id}/posts` is GET USERS BY ID POSTS.
 */
function actionWords({ id, method, path }: Nameable, prefix: string): string[] {
  const operationWords = id === undefined ? [] : upper(withoutPath(wordsOf(id), method, path))
  const words = isReadable(operationWords)
    ? operationWords
    : upper([
        method,
        ...path
          .split(/[/#?&=]/)
          .flatMap((part) => (/^\{.*\}$/.test(part) ? ['by', ...wordsOf(part)] : wordsOf(part))),
      ])
  const own = prefix.slice(0, -1).split('_')
  const repeated = own.every((word, index) => words[index] === word) && words.length > own.length
  return repeated ? words.slice(own.length) : words
}

/** FastAPI writes the name of the function, the path and the method: `list_items_items__get` is LIST ITEMS. */
function withoutPath(words: readonly string[], method: string, path: string): readonly string[] {
  const end = [...path.split('/').flatMap((part) => wordsOf(part)), method].map((word) => word.toLowerCase())
  const start = words.length - end.length
  const isGenerated =
    start > 0 && end.length > 1 && end.every((word, index) => words[start + index]!.toLowerCase() === word)
  return isGenerated ? words.slice(0, start) : words
}

const upper = (words: readonly string[]) => words.map((word) => word.toUpperCase())

/** Some generators write a hash, or a number, as the id. */
const isReadable = (words: readonly string[]) =>
  words.some((word) => /[A-Z]{2}/.test(word) && !/^[0-9A-F]{16,}$/.test(word)) && words.join('').length <= 200

/** Whole words that fit. What is cut away is stood for by the hash, so that two long names differ. */
function fitted(prefix: string, words: readonly string[], identity: string): string {
  const slug = prefix + (words.join('_') || 'CALL')
  return slug.length <= SLUG_MAX ? slug : cutWith(prefix, words, identity)
}

function cutWith(prefix: string, words: readonly string[], identity: string, round = 0): string {
  const room = SLUG_MAX - prefix.length - HASH_CHARACTERS - 1
  let text = ''
  for (const word of words) {
    if ((text === '' ? word.length : text.length + 1 + word.length) > room) break
    text += text === '' ? word : `_${word}`
  }
  if (text === '') text = (words[0] ?? '').slice(0, Math.max(0, room))
  return `${prefix}${text}${text === '' ? '' : '_'}${hash(`${identity}${'#'.repeat(round)}`)}`
}

function uniqueSlug(prefix: string, proposed: string, identity: string, used: ReadonlySet<string>): string {
  const words = proposed.slice(prefix.length).split('_')
  for (let round = 0; ; round++) {
    const slug = cutWith(prefix, words, identity, round)
    if (!used.has(slug)) return slug
  }
}

/** Letters and digits, as slugs have them. */
const hash = (text: string) =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 16)}`)
    .toString(36)
    .toUpperCase()
    .padStart(HASH_CHARACTERS, '0')
    .slice(-HASH_CHARACTERS)

/** A slug for a toolkit from the title of its document: short, so that room is left for its tools. */
export function toolkitSlug(title: string): string {
  // A name such as GitHub or YouTube is one word, whatever its capitals.
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’]+/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .filter(
      (word) =>
        ![
          'api',
          'apis',
          'rest',
          'the',
          'openapi',
          'swagger',
          'specification',
          'documentation',
          'docs',
        ].includes(word) && !/^v\d+$/.test(word),
    )
  let slug = ''
  for (const word of words) {
    if (slug !== '' && slug.length + 1 + word.length > 24) break
    slug += slug === '' ? word.slice(0, 24) : `_${word}`
  }
  return slug === '' ? 'api' : slug
}
