import { verbsOf } from './lexicon.ts'
import type { Said } from './query.ts'
import type { SegmentToolkit } from '../segments/segment.ts'
import { STOP_WORDS } from './stop-words.ts'
import vendors from '../data/vendors.json' with { type: 'json' }
import { stem, tokensOf } from './tokens.ts'

/** What a text says of toolkits. */
export interface Meant {
  /** How sure it is, from 0 to 1, that a toolkit is meant, by its number. */
  readonly toolkits: ReadonlyMap<number, number>
  /** Stems of the words that name one surely. */
  readonly words: ReadonlySet<string>
}

export type Commonness = (stem: string, own: readonly number[]) => number

interface Alias {
  readonly toolkit: number
  readonly strength: number
}

/** Other names that people have for an application: what they say, and a name that the toolkit has. */
export type OtherNames = Readonly<Record<string, readonly string[]>>

/** Finds out which toolkits a text means, by what people call them. */
export interface ToolkitNames {
  /**
   * `common` answers in how large a share of the other toolkits' tools a stem stands, 0 to 1; `own` are the
   * numbers of those that are not counted. `hidden` has 1 for toolkits that are left out, by their numbers.
   */
  meantBy(tokens: readonly Said[], common: Commonness, hidden?: Uint8Array): Meant
}

/** Words of a title that are no part of a name. */
const PLAIN = new Set(
  (
    'api apis rest restful service services platform cloud the public open web http json reference ' +
    'documentation docs developer developers sdk v1 v2 v3 v4 beta current and for of by on with de client ' +
    'server public management app apps inc com io org'
  ).split(' '),
)
/** Vendors whose products are also called without them. */
const VENDORS = new Set(vendors)
const HOST_NOISE = new Set(
  'com org net io co ai app dev api apis www uk us eu de gov edu info cloud me tv fm local'.split(' '),
)
const WINDOW_WORDS_MAX = 4
const ALIAS_CHARS_MIN = 2
const BEFORE_NAME = new Set([
  'in',
  'on',
  'via',
  'with',
  'using',
  'from',
  'to',
  'through',
  'at',
  'into',
  'by',
  'of',
  'my',
  'our',
  'out',
])
/** A name in a larger share of the catalogue than this is also a common word. */
const COMMON_SHARE = 0.0015
/** In this share it is what the catalogue is about. */
const EVERYDAY_SHARE = 0.01
/** From here on a word names a toolkit and says nothing else. */
const FITS_WITH_APPLICATION_FROM = 0.6
const COMMON = {
  capital: 0.9,
  capitalEveryday: 0.5,
  afterPreposition: 0.5,
  several: 0.4,
  otherwise: 0.1,
} as const
const STRENGTH = { slug: 1, title: 1, other: 0.9, withoutVendor: 0.6, host: 0.7, hostPart: 0.5 } as const

/**
 * The names of toolkits: from slug and title, hosts, without their vendor, and other names that are given.
 */
export function toolkitNames(toolkits: readonly SegmentToolkit[], otherNames: OtherNames = {}): ToolkitNames {
  const aliases = new Map<string, Alias[]>()
  const add = (alias: string, toolkit: number, strength: number) => {
    if (alias.length < ALIAS_CHARS_MIN || PLAIN.has(alias) || STOP_WORDS.has(alias)) return
    const known = aliases.get(alias)
    const before = known?.find((one) => one.toolkit === toolkit)
    if (!known) aliases.set(alias, [{ toolkit, strength }])
    else if (!before) known.push({ toolkit, strength })
    else if (before.strength < strength) known[known.indexOf(before)] = { toolkit, strength }
  }
  toolkits.forEach((toolkit, number) => {
    for (const [alias, strength] of namesOf(toolkit)) add(alias, number, strength)
  })
  for (const [said, names] of Object.entries(otherNames)) {
    for (const name of names)
      for (const { toolkit, strength } of aliases.get(singular(name)) ?? [])
        if (strength >= STRENGTH.host) add(singular(said.replaceAll(' ', '')), toolkit, STRENGTH.other)
  }
  return {
    meantBy: (tokens, common, hidden) =>
      meantBy(
        (alias) => {
          const all = aliases.get(alias)
          const visible = hidden ? all?.filter(({ toolkit }) => hidden[toolkit] !== 1) : all
          return visible?.length ? visible : undefined
        },
        tokens,
        common,
      ),
  }
}

function* namesOf({ slug, name, hosts }: SegmentToolkit): Generator<[alias: string, strength: number]> {
  yield [singular(slug.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')), STRENGTH.slug]
  const title = tokensOf(name.replace(/\(.*?\)/g, ' '))
    .filter(({ isJoined }) => !isJoined)
    .map(({ word }) => word)
  const begin = title.findIndex((word) => !PLAIN.has(word))
  const core = begin < 0 ? [] : title.slice(begin, title.findLastIndex((word) => !PLAIN.has(word)) + 1)
  if (core.length > 0 && core.length <= WINDOW_WORDS_MAX + 2) {
    yield [singular(title.join('')), STRENGTH.title]
    // `Docs` of "Google Docs" is a plain word, but the vendor alone is not the name.
    const isVendor = core.length === 1 && VENDORS.has(core[0]!) && title.length > 1
    if (!isVendor) yield [singular(core.join('')), STRENGTH.title]
    if (core.length > 1 && VENDORS.has(core[0]!))
      yield [singular(core.slice(1).join('')), STRENGTH.withoutVendor]
  }
  for (const host of hosts) {
    // The last label is a top-level domain, which names nobody: `neon.tech` is not "tech".
    const parts = host
      .toLowerCase()
      .split('.')
      .slice(0, -1)
      .filter((part) => part && !HOST_NOISE.has(part))
    for (const [at, part] of parts.entries())
      yield [singular(part), at === parts.length - 1 ? STRENGTH.host : STRENGTH.hostPart]
  }
}

const singular = (word: string): string =>
  word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word

function meantBy(
  aliasesOf: (alias: string) => readonly Alias[] | undefined,
  tokens: readonly Said[],
  common: Commonness,
): Meant {
  const meant = new Map<number, number>()
  const words = new Set<string>()
  const plain = tokens.filter(({ isJoined }) => !isJoined)
  // Where everything is capital, a capital says nothing.
  const capitals = plain.filter(({ capital, first }) => capital && !first).length > plain.length / 2
  for (let at = 0; at < plain.length; at++) {
    let phrase = ''
    for (let length = 1; length <= WINDOW_WORDS_MAX && at + length <= plain.length; length++) {
      phrase += plain[at + length - 1]!.word
      const found = aliasesOf(singular(phrase))
      if (!found) continue
      const own = found.map(({ toolkit }) => toolkit)
      const window = plain.slice(at, at + length)
      const sure = sureness(window, plain[at - 1], capitals, (word) => common(word, own))
      // A name that many share, such as a vendor's, points at none of them much.
      const shared =
        1 / Math.sqrt(found.filter(({ strength }) => strength >= STRENGTH.host).length || found.length)
      for (const { toolkit, strength } of found) {
        const so = strength * sure * Math.max(shared, strength === 1 ? 0.7 : 0.2)
        meant.set(toolkit, Math.max(meant.get(toolkit) ?? 0, so))
        if (so >= FITS_WITH_APPLICATION_FROM) for (const { word } of window) words.add(stem(word))
      }
    }
  }
  return { toolkits: meant, words }
}

function sureness(
  tokens: readonly Said[],
  before: Said | undefined,
  capitals: boolean,
  common: (stem: string) => number,
): number {
  const [first] = tokens as [Said]
  // `GitHub` is one word whose parts are common ones.
  const isOneWord = tokens.length > 1 && tokens.every(({ start }) => start === first.start)
  const words = tokens.map(({ word }) => word)
  const shares = words.map((word) => common(stem(word)))
  // "Google Calendar": common words that follow each other by chance are rare, as their shares multiplied say.
  const together = shares.reduce((product, share) => product * share, 1)
  const rarest = Math.min(together, isOneWord ? common(stem(words.join(''))) : 1)
  if (rarest <= COMMON_SHARE && verbsOf(stem(first.word)) === 0) return 1
  if (tokens.every(({ capital }) => capital) && !first.first && !capitals)
    return rarest <= EVERYDAY_SHARE ? COMMON.capital : COMMON.capitalEveryday
  if (before && BEFORE_NAME.has(before.word) && rarest <= EVERYDAY_SHARE) return COMMON.afterPreposition
  return tokens.length > 1 ? COMMON.several : COMMON.otherwise
}
