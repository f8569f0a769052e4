import { wordsOf } from '../../src/catalog/importers/tools/words.ts'
import { pathArguments } from './input-parts.ts'
import { singularNoun } from './nouns.ts'
import type { SelectedOperation } from './operations.ts'

/** Keys of lists (`GET /repos/{}/{}/issues`) to their tools. */
export type Lists = ReadonlyMap<string, string>

/** Segments that say nothing about the kind of the objects, so that another list with the same one may have others. */
const ANY_KIND = new Set(
  'item object record result value entity data element list file content version'.split(' '),
)
const IS_ID = /(?:^|[-_.a-z])(?:id|uuid|gid|sid|key|slug|number|code)$/i
const ID_WORDS = new Set('id uuid gid sid key slug number code oid public or name'.split(' '))
const PLACES_MAX = 1

interface List {
  readonly key: string
  readonly tool: string
}
const byNoun = new WeakMap<Lists, Map<string, List[]>>()

/**
 * For each argument of the path, the tool that returns its values: the list at the path before it, or one of the same
 * objects elsewhere. `/channels/{id}` comes from `GET /guilds/{}/channels`.
 */
export function sourcesOf(
  { key, path }: Pick<SelectedOperation, 'key' | 'path'>,
  lists: Lists,
  slug: string,
): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  const [, , route = ''] = /^(https:\S+ )?\S+ (.*)$/.exec(key) ?? []
  let at = -1
  for (const name of pathArguments(path)) {
    at = route.indexOf('/{}', at + 1)
    if (at < 0) break
    const before = route.slice(0, at)
    const list =
      lists.get(`GET ${before}`) ?? (isIdOf(nounOf(before), name) ? listElsewhere(before, lists) : undefined)
    if (list !== undefined && list !== slug) sources.set(name, list)
  }
  return sources
}

/** Whether an argument is named like an id, of the objects or of nothing: `project_id` or `id` after `/projects`. */
function isIdOf(noun: string, name: string): boolean {
  const words = wordsOf(name).map((word) => singularNoun(word.toLowerCase()))
  const owner = words.filter((word) => !ID_WORDS.has(word))
  return IS_ID.test(name) && (owner.length === 0 || owner.includes(noun.split(' ').at(-1)!))
}

/** A list of the same objects at another path: one below the same first segment, or the only one that there is. */
function listElsewhere(before: string, lists: Lists): string | undefined {
  const noun = nounOf(before)
  if (noun === '' || ANY_KIND.has(noun) || /^v ?\d/.test(noun)) return undefined
  let index = byNoun.get(lists)
  if (!index) {
    const all = [...lists]
      .map(([key, tool]) => ({ key, tool }))
      .filter(({ key }) => placesIn(key) <= PLACES_MAX)
    index = Map.groupBy(
      all.sort((a, b) => order(a.key) - order(b.key)),
      ({ key }) => nounOf(key),
    )
    byNoun.set(lists, index)
  }
  const known = index.get(noun) ?? []
  const near = known.find(({ key }) => rootOf(key) === rootOf(before))
  return (near ?? (known.length === 1 ? known[0] : undefined))?.tool
}

/** The noun of the last segment: `/team/{}/spaces` has `space`. Empty after a place. */
const nounOf = (route: string): string => {
  const segment = route.split('/').at(-1)!
  return segment.includes('{') ? '' : singularNoun(wordsOf(segment).join(' ').toLowerCase())
}

/** The first segment of a path that is no version. */
const rootOf = (route: string): string | undefined =>
  route
    .replace(/^GET /, '')
    .split('/')
    .find((part) => !/^$|^api$|^rest$|^v?\d|^https:|\./.test(part))

const placesIn = (key: string): number => key.split('{}').length - 1

/** Fewer places first, then shorter paths. */
const order = (key: string): number => placesIn(key) * 1_000 + key.length
