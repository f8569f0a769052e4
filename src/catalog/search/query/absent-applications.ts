import applications from '../data/applications.json' with { type: 'json' }
import type { Searched } from '../ranking/rank.ts'
import type { Segment } from '../segments/segment.ts'
import type { Said } from './query.ts'

// Names of applications that people ask for, so that a request for one that is not installed is not answered with a
// tool of another. `common` are also English words and need a capital in mid-sentence.

const NAMES: ReadonlyMap<string, string> = new Map(
  [...applications.names, ...applications.common].map((name) => [keyOfName(name), name]),
)
const COMMON: ReadonlySet<string> = new Set(applications.common.map(keyOfName))
const WINDOW_WORDS_MAX = 3
/** Another application that is named as surely as this may do it instead. */
const FITS_WITH_APPLICATION_FROM = 0.6

/** The application that a text names and that has no tools here, unless it also names one that has. */
export function absentApplication(
  tokens: readonly Said[],
  searched: readonly Searched[],
): { readonly kind: 'not_installed' | 'no_tools'; readonly application: string } | undefined {
  let empty: string | undefined
  for (const { segment, meant } of searched)
    for (const [toolkit, sure] of meant) {
      if (sure < FITS_WITH_APPLICATION_FROM) continue
      const { from, to, name } = segment.toolkits[toolkit]!
      if (to > from) return undefined
      empty = name
    }
  if (empty !== undefined) return { kind: 'no_tools', application: empty }
  const words = tokens.filter(({ isJoined }) => !isJoined)
  for (let at = 0; at < words.length; at++)
    for (let length = Math.min(WINDOW_WORDS_MAX, words.length - at); length > 0; length--) {
      const window = words.slice(at, at + length)
      const key = window.map(({ word }) => word).join('')
      const name = NAMES.get(key)
      if (name === undefined || searched.some((one) => hasToolkit(one, key))) continue
      if (COMMON.has(key) && !window.every(({ capital, first }) => capital && !first)) continue
      return { kind: 'not_installed', application: name }
    }
  return undefined
}

/** Toolkits of an index that are called like an application of the list: its key to their numbers. */
const installedBySegment = new WeakMap<Segment, ReadonlyMap<string, readonly number[]>>()

/** Reads the names of all toolkits once for each index: that takes longer than the rest of a search. */
function installedIn(segment: Segment): ReadonlyMap<string, readonly number[]> {
  let installed = installedBySegment.get(segment)
  if (!installed) {
    const entries = segment.toolkits.flatMap(({ name, slug }, number) =>
      [keyOfName(name), keyOfName(slug)].filter((key) => NAMES.has(key)).map((key) => ({ key, number })),
    )
    installed = new Map(
      [...Map.groupBy(entries, ({ key }) => key)].map(([key, some]) => [
        key,
        some.map(({ number }) => number),
      ]),
    )
    installedBySegment.set(segment, installed)
  }
  return installed
}

/** Whether an index has a toolkit of this name that is not hidden. */
const hasToolkit = ({ segment, hidden }: Searched, key: string): boolean =>
  installedIn(segment)
    .get(key)
    ?.some((number) => hidden?.[number] !== 1) ?? false

function keyOfName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '')
}
