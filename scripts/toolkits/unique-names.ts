import { createHash } from 'node:crypto'
import { NAME_MAX } from './sentence-names.ts'

const SUFFIX_MAX = 30

/** What a name is chosen from, the best first. */
export interface NameChoice {
  readonly slug: string
  readonly names: readonly string[]
  readonly request: string
}

/**
 * Returns a name of each tool that no other tool of the toolkit has. Of tools with the same name, each takes its next
 * longer one. Where none is left, the part of the path in which they differ follows in parentheses.
 */
export function uniqueNames(
  choices: readonly NameChoice[],
  reserved: Iterable<string>,
): ReadonlyMap<string, string> {
  const reservedNames = new Set([...reserved].map((name) => name.toLowerCase()))
  const position = new Map(choices.map(({ slug }) => [slug, 0]))
  const nameAt = ({ slug, names }: NameChoice) => names[position.get(slug)!]!
  const sharing = () =>
    [...Map.groupBy(choices, (choice) => nameAt(choice).toLowerCase())].filter(
      ([name, all]) => all.length > 1 || reservedNames.has(name),
    )
  let isChanged = true
  while (isChanged) {
    isChanged = false
    for (const { slug, names } of sharing().flatMap(([, all]) => all)) {
      const at = position.get(slug)!
      if (at + 1 >= names.length) continue
      position.set(slug, at + 1)
      isChanged = true
    }
  }
  const unique = new Map(choices.map((choice) => [choice.slug, nameAt(choice)]))
  for (const [, all] of sharing())
    for (const [slug, name] of suffixed(all, reservedNames)) unique.set(slug, name)
  return withoutRest(choices, unique, reservedNames)
}

/**
 * Tools of one name, each with the part of its path, or two parts, that no other has. Those without one are compared
 * with each other only; one that is left alone keeps the plain name.
 */
function suffixed(all: readonly NameChoice[], reservedNames: ReadonlySet<string>): [string, string][] {
  const parts = new Map(all.map((choice) => [choice, partsOf(choice.request)]))
  const namesBySlug = new Map<string, string>()
  for (const choice of all) {
    const name = choice.names.at(-1)!
    const others = all.filter((other) => other !== choice).map((other) => new Set(parts.get(other)))
    if (others.length === 0 && !reservedNames.has(name.toLowerCase())) return [[choice.slug, name]]
    const own = parts.get(choice)!
    const sets = [
      ...own.map((part) => [part]),
      ...own.flatMap((a, at) => own.slice(at + 1).map((b) => [a, b])),
    ]
    const difference = sets.find(
      (set) =>
        set.join(', ').length <= SUFFIX_MAX && !others.some((other) => set.every((part) => other.has(part))),
    )
    if (difference !== undefined) namesBySlug.set(choice.slug, withSuffix(name, difference.join(', ')))
  }
  const rest = all.filter(({ slug }) => !namesBySlug.has(slug))
  const isProgress = rest.length > 0 && rest.length < all.length
  return [
    ...namesBySlug,
    ...(isProgress
      ? suffixed(rest, reservedNames)
      : rest.map(({ slug, names }) => [slug, names.at(-1)!] as [string, string])),
  ]
}

/** Names that are still shared get the hash of their slug. */
function withoutRest(
  choices: readonly NameChoice[],
  names: ReadonlyMap<string, string>,
  reservedNames: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const used = new Set(reservedNames)
  return new Map(
    choices.map(({ slug }) => {
      let name = names.get(slug)!
      if (used.has(name.toLowerCase()))
        name = withSuffix(name, createHash('sha256').update(slug).digest('hex').slice(0, 4))
      used.add(name.toLowerCase())
      return [slug, name]
    }),
  )
}

/** The words of a request in which two of them may differ: method, fixed segments, parameters. */
function partsOf(request: string): string[] {
  const [method = '', path = ''] = request.split(' ')
  const segments = path
    .replaceAll('microsoft.graph.', '')
    .replaceAll('}{', '} {')
    .split(/[/?&=.() ]/)
    .filter((part) => part !== '')
  const words = segments.map((part) =>
    part
      .replace(/[{}+$']/g, '')
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll(/[-_]/g, ' ')
      .toLowerCase()
      .replace(/^me$/, 'my'),
  )
  const pairs = words.slice(1).map((word, index) => `${words[index]!} ${word}`)
  return [...words, ...pairs, method].filter((word) => word !== '')
}

function withSuffix(name: string, text: string): string {
  const suffix = ` (${text})`
  if (name.length + suffix.length <= NAME_MAX) return name + suffix
  const head = name.slice(0, NAME_MAX - suffix.length)
  const at = Math.max(
    ...[' of ', ' in ', ' for ', ' with ', ' from ', ' to ', ' on '].map((word) => head.lastIndexOf(word)),
  )
  return (at > 10 ? head.slice(0, at) : head.slice(0, head.lastIndexOf(' '))).replace(/[,;:]$/, '') + suffix
}
