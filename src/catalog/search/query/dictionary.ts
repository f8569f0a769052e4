import { compileExpressions, type Expressions } from './expressions.ts'
import { plainText } from './tokens.ts'

// A dictionary of a language: the data files map English words to the words of the language. `entfern-` matches
// each word that begins so, `non-lu` matches two words. Accents are left out, as in every text of the index.

/** Words separated by spaces; several strings keep the lines of a file short. */
type Words = string | readonly string[]

/** A data file. */
export interface LanguageFile {
  /** Words without meaning for a search. */
  readonly function: Words
  readonly words: Readonly<Record<string, Words>>
  /** Expressions whose words may have others between them: `passe-*-en` of `Passe le ticket en terminé`. */
  readonly idioms?: Readonly<Record<string, Words>>
  /** Which of these are indefinite articles (`a`) and prepositions (`of`, `in`): they say what the object is. */
  readonly marks?: Readonly<Record<string, string>>
  /** Verb prefixes that stand at the end of a clause, as in `Leg einen Termin an`. */
  readonly particles?: Words
  /** Letters between the parts of compounds, as in `Rechnung-s-nummer`. Without them nothing is a compound. */
  readonly compoundLinks?: Words
  /** Pronouns that are written together with a verb, as in `mándamelo`. */
  readonly enclitics?: Words
  /** Other spellings: `ae:a` reads `aendern` as `andern`. */
  readonly spellings?: Words
  /** Pairs of a traditional and a simplified character. */
  readonly traditional?: Words
}

/** A data file prepared for look-ups. */
export interface Dictionary {
  readonly skip: ReadonlySet<string>
  readonly marks: ReadonlyMap<string, string>
  readonly idioms: Expressions
  readonly exact: ReadonlyMap<string, string>
  readonly prefixes: ReadonlyMap<string, string>
  readonly particles: ReadonlySet<string>
  readonly compoundLinks: readonly string[]
  readonly enclitics: readonly string[]
  readonly spellings: readonly (readonly [string, string])[]
  readonly simplified: ReadonlyMap<string, string>
}

const PREFIX_CHARS_MIN = 3
/** Shorter ends of words are endings more often than parts of a compound. */
const PART_CHARS_MIN = 4
/** A known end after an unknown beginning, as in `Slackkanal`, has at least so many characters. */
const END_CHARS_MIN = 5
const PARTICIPLE = /^(?:ge|zu)(?=.{4})/

const listOf = (words: Words | undefined): readonly string[] =>
  words === undefined ? [] : (typeof words === 'string' ? words : words.join(' ')).split(' ')

const NOT_ASCII = /[^\0-\x7f]/

/** Most forms are ASCII already, which is quicker to see than to normalize. */
const plainForm = (form: string): string => (NOT_ASCII.test(form) ? plainText(form) : form)

/** Prepares a data file. */
export function compileDictionary(file: LanguageFile): Dictionary {
  const exact = new Map<string, string>()
  const prefixes = new Map<string, string>()
  for (const [english, forms] of Object.entries(file.words))
    for (const form of listOf(forms)) {
      const plain = plainForm(form)
      const map = plain.endsWith('-') ? prefixes : exact
      const key = plain.replace(/-$/, '').replaceAll('-', ' ')
      if (!map.has(key)) map.set(key, english)
    }
  return {
    skip: new Set(listOf(file.function).map(plainForm)),
    marks: new Map(
      Object.entries(file.marks ?? {}).flatMap(([english, forms]) =>
        listOf(forms).map((form): [string, string] => [plainForm(form), english]),
      ),
    ),
    idioms: compileExpressions(
      Object.entries(file.idioms ?? {}).map(([english, forms]) => [english, listOf(forms).join(' ')]),
    ),
    exact,
    prefixes,
    particles: new Set(listOf(file.particles)),
    compoundLinks: file.compoundLinks === undefined ? [] : ['', ...listOf(file.compoundLinks)],
    enclitics: listOf(file.enclitics),
    spellings: listOf(file.spellings).map((pair) => pair.split(':') as [string, string]),
    simplified: new Map(listOf(file.traditional).map((pair) => [...pair] as [string, string])),
  }
}

/** The English of a word that a dictionary has as it is or by its beginning. */
export function entryOf(dictionary: Dictionary, word: string): string | undefined {
  return dictionary.exact.get(word) ?? prefixOf(dictionary, word)?.english
}

/** The English of a word, also if it is a compound, a participle or has pronouns at its end. */
export function wordIn(dictionary: Dictionary, word: string): string | undefined {
  const found = dictionary.exact.get(word)
  if (found !== undefined) return found
  if (dictionary.skip.has(word)) return ''
  const prefix = prefixOf(dictionary, word)
  return (
    compoundOf(dictionary, word, prefix?.length ?? PREFIX_CHARS_MIN) ??
    prefix?.english ??
    respelled(dictionary, word) ??
    participleOf(dictionary, word) ??
    withoutEnclitics(dictionary, word) ??
    compoundEndOf(dictionary, word)
  )
}

/** The verb with its prefix, if the dictionary has it: `leg` and `an` are `anleg`. */
export function verbWithParticle(dictionary: Dictionary, verb: string, particle: string): string | undefined {
  const whole = particle + verb
  const isKnown =
    verb.length >= PREFIX_CHARS_MIN &&
    (dictionary.exact.has(whole) || (prefixOf(dictionary, whole)?.length ?? 0) > particle.length + 1)
  return isKnown ? whole : undefined
}

function prefixOf({ prefixes }: Dictionary, word: string): { english: string; length: number } | undefined {
  for (let length = word.length; length >= PREFIX_CHARS_MIN; length--) {
    const english = prefixes.get(word.slice(0, length))
    if (english !== undefined) return { english, length }
  }
  return undefined
}

/** Both parts of a compound whose first part is at least as long as the known beginning. */
function compoundOf(dictionary: Dictionary, word: string, beginning: number): string | undefined {
  const { exact, prefixes, compoundLinks } = dictionary
  if (!compoundLinks.length) return undefined
  for (let length = word.length - PART_CHARS_MIN; length >= beginning; length--) {
    const first = exact.get(word.slice(0, length)) ?? prefixes.get(word.slice(0, length))
    if (first === undefined) continue
    const rest = word.slice(length)
    for (const link of compoundLinks) {
      if (!rest.startsWith(link) || rest.length - link.length < PART_CHARS_MIN) continue
      const second = wordIn(dictionary, rest.slice(link.length))
      if (second) return first === second ? first : `${first} ${second}`
    }
  }
  return undefined
}

function compoundEndOf(dictionary: Dictionary, word: string): string | undefined {
  if (!dictionary.compoundLinks.length) return undefined
  for (let start = PREFIX_CHARS_MIN; start <= word.length - END_CHARS_MIN; start++) {
    const end = word.slice(start)
    const prefix = prefixOf(dictionary, end)
    const english =
      dictionary.exact.get(end) ?? (prefix && prefix.length >= END_CHARS_MIN ? prefix.english : undefined)
    if (english !== undefined) return `${word.slice(0, start)} ${english}`
  }
  return undefined
}

function respelled(dictionary: Dictionary, word: string): string | undefined {
  let other = word
  for (const [from, to] of dictionary.spellings) other = other.replaceAll(from, to)
  return other === word ? undefined : wordIn(dictionary, other)
}

/** `angelegt` and `anzulegen` as `anlegt` and `anlegen`, `gesendet` as `sendet`. */
function participleOf(dictionary: Dictionary, word: string): string | undefined {
  if (!dictionary.particles.size) return undefined
  if (PARTICIPLE.test(word)) {
    const found = entryOf(dictionary, word.slice(2))
    if (found !== undefined) return found
  }
  for (const particle of dictionary.particles) {
    const rest = word.slice(particle.length)
    if (!word.startsWith(particle) || !PARTICIPLE.test(rest)) continue
    const found = entryOf(dictionary, particle + rest.slice(2))
    if (found !== undefined) return found
  }
  return undefined
}

function withoutEnclitics(dictionary: Dictionary, word: string): string | undefined {
  for (const enclitic of dictionary.enclitics) {
    if (!word.endsWith(enclitic) || word.length - enclitic.length < PREFIX_CHARS_MIN) continue
    const verb = word.slice(0, -enclitic.length)
    const found = entryOf(dictionary, verb) ?? withoutEnclitics(dictionary, verb)
    if (found !== undefined) return found
  }
  return undefined
}
