import de from '../data/languages/de.json' with { type: 'json' }
import english from '../data/languages/english.json' with { type: 'json' }
import es from '../data/languages/es.json' with { type: 'json' }
import fr from '../data/languages/fr.json' with { type: 'json' }
import it from '../data/languages/it.json' with { type: 'json' }
import ja from '../data/languages/ja.json' with { type: 'json' }
import pt from '../data/languages/pt.json' with { type: 'json' }
import zh from '../data/languages/zh.json' with { type: 'json' }
import { runToEnd } from '../../../platform/run-to-end.ts'
import { compileDictionary, entryOf, verbWithParticle, wordIn } from './dictionary.ts'
import type { Dictionary, LanguageFile } from './dictionary.ts'
import { expressionAt } from './expressions.ts'
import { STOP_WORDS } from './stop-words.ts'
import { plainText, stem, UNSPACED_RUN, UNSPACED_RUNS } from './tokens.ts'

// Requests in other languages become English word by word: enough to find a tool, since tools are described in
// English. The dictionaries are data.

/** `english`: the text with English words where the dictionaries have one. */
export interface Translation {
  readonly english: string
  /** The language that was recognized; undefined for English and for any other. */
  readonly language: string | undefined
}

const PHRASE_WORDS_MAX = 4
/** So many words of a language make it the language of a text; one is enough if the text has letters with accents. */
const HITS_MIN = 2
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const CLAUSE_END = /[,;!?\n]|[.:](?=\s|$)/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const NOT_ASCII = /[^\0-\x7f]/

const FILES: Readonly<Record<string, LanguageFile>> = { de, fr, es, pt, it, ja, zh }
const SPACED = ['de', 'fr', 'es', 'pt', 'it'] as const
const dictionaries = new Map<string, Dictionary>()

/** Prepared at the first use, so that a process that never searches does not pay for it. */
function dictionaryOf(language: string): Dictionary {
  let dictionary = dictionaries.get(language)
  if (!dictionary) dictionaries.set(language, (dictionary = compileDictionary(FILES[language]!)))
  return dictionary
}

let englishStems: ReadonlySet<string> | undefined
const WORDS_PER_PIECE = 200

/** Whether a word is English, in any form: a target of a dictionary, or a word that looks like a foreign one. */
function isEnglish(word: string): boolean {
  englishStems ??= runToEnd(readEnglishStems())
  return englishStems.has(stem(word))
}

function* readEnglishStems(): Generator<void, ReadonlySet<string>> {
  const targets = Object.values(FILES).flatMap(({ words }) => Object.keys(words))
  const stems = new Set<string>()
  let count = 0
  for (const word of new Set([...targets, ...english.words].join(' ').split(' '))) {
    stems.add(stem(word))
    if (++count % WORDS_PER_PIECE === 0) yield
  }
  return stems
}

/** Prepares what `translate` needs at its first use. Yields between the parts, each of some milliseconds. */
export function* prepareTranslation(): Generator<void, void> {
  englishStems ??= yield* readEnglishStems()
  for (const language of SPACED) {
    dictionaryOf(language)
    yield
  }
}

/** Translates a request. Words that no dictionary has stay, such as names of applications. */
export function translate(text: string): Translation {
  const plain = plainText(text)
  if (UNSPACED_RUN.test(plain)) {
    const language = KANA.test(plain) ? 'ja' : 'zh'
    return {
      language,
      english: plain.replace(UNSPACED_RUNS, (run) => ` ${splitRun(run, language)} `),
    }
  }
  const folded = plain.replace(/[ßœæ]/giu, (letter) => LIGATURES[letter.toLowerCase()]!)
  const language = languageOf(folded.match(WORD) ?? [], NOT_ASCII.test(text))
  if (!language) return { language: undefined, english: text }
  const dictionary = dictionaryOf(language)
  const clauses = folded.split(CLAUSE_END).map((clause) => clause.match(WORD) ?? [])
  const parts = clauses.map((words) => replaceWords(joinParticles(words, dictionary), dictionary))
  return { language, english: parts.filter(Boolean).join(' ') }
}

const LIGATURES: Readonly<Record<string, string>> = { ß: 'ss', œ: 'oe', æ: 'ae' }

/** The language with the most words in a text, if it has more of them than English has. */
function languageOf(words: readonly string[], hasAccents: boolean): string | undefined {
  // `time` is Portuguese for a team: said twice, it is still one word.
  const distinct = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word.length > 1)
  const known = distinct.filter((word) => STOP_WORDS.has(word) || isEnglish(word))
  const others = distinct.filter((word) => !known.includes(word))
  let best: string | undefined
  let most = hasAccents ? 0 : HITS_MIN - 1
  for (const name of SPACED) {
    const dictionary = dictionaryOf(name)
    // `am`, `in` and `me` are words of other languages, too.
    const against = known.filter((word) => !dictionary.skip.has(word) && !dictionary.exact.has(word)).length
    const hits = others.filter(
      (word) => dictionary.skip.has(word) || entryOf(dictionary, word) !== undefined,
    ).length
    if (hits > Math.max(most, against / 2)) [best, most] = [name, hits]
  }
  return best
}

/** The words of a clause with verb prefixes put before their verbs: `leg einen Termin an` has `anleg`. */
function joinParticles(words: readonly string[], dictionary: Dictionary): readonly string[] {
  const { particles } = dictionary
  if (!particles.size) return words
  const out = [...words]
  let start = 0
  for (let at = 1; at < out.length; at++) {
    const next = out[at + 1]?.toLowerCase()
    const particle = out[at]!.toLowerCase()
    if (!particles.has(particle) || (next !== undefined && !CONJUNCTIONS.has(next))) continue
    const verbs = out.map((word, index) =>
      index >= start && index < at ? verbWithParticle(dictionary, word.toLowerCase(), particle) : undefined,
    )
    const verb = verbs.findIndex((whole) => whole !== undefined)
    if (verb === -1) continue
    out[verb] = verbs[verb]!
    out.splice(at, 1)
    start = at
  }
  return out
}

const CONJUNCTIONS: ReadonlySet<string> = new Set(
  'und oder aber dann damit sobald wenn falls bevor nachdem weil'.split(' '),
)

function replaceWords(clause: readonly string[], dictionary: Dictionary): string {
  const out: string[] = []
  let words = clause
  let lower = clause.map((word) => word.toLowerCase())
  for (let at = 0; at < words.length;) {
    const idiom = expressionAt(dictionary.idioms, lower, at)
    if (idiom) {
      out.push(...idiom.replacement)
      words = words.filter((_, place) => !idiom.places.includes(place))
      lower = lower.filter((_, place) => !idiom.places.includes(place))
      continue
    }
    const [length, english] = phraseAt(words, at, dictionary)
    if (english === undefined) out.push(words[at]!)
    else if (english) out.push(english)
    at += length
  }
  return out.join(' ')
}

/** The English of the longest phrase at a place; empty for words to skip, undefined for an unknown word. */
function phraseAt(
  words: readonly string[],
  at: number,
  dictionary: Dictionary,
): [number, string | undefined] {
  for (let length = Math.min(PHRASE_WORDS_MAX, words.length - at); length > 1; length--) {
    const found = dictionary.exact.get(
      words
        .slice(at, at + length)
        .join(' ')
        .toLowerCase(),
    )
    if (found) return [length, found]
  }
  const word = words[at]!.toLowerCase()
  const english = dictionary.marks.get(word) ?? wordIn(dictionary, word)
  // A word that is the same in both stays as it is written: `Drive`.
  return [1, english === word ? undefined : english]
}

/** Words of a text without spaces: the longest that the dictionary has at each place; what is left stays. */
function splitRun(run: string, language: 'ja' | 'zh'): string {
  const order = (language === 'ja' ? ['ja', 'zh'] : ['zh', 'ja']).map(dictionaryOf)
  const out: string[] = []
  let rest = ''
  const flush = () => {
    if (rest && !ENDING.test(rest)) out.push(rest)
    rest = ''
  }
  const ends = wordEndsOf(run, language)
  for (let at = 0; at < run.length;) {
    const [length, english] = longestAt(run, at, order, ends)
    if (english === undefined) rest += run[at]
    else {
      flush()
      if (english) out.push(english)
    }
    at += length
  }
  flush()
  return out.join(' ')
}

/** Left over after known words: the inflection of a Japanese verb, or a single Chinese character. */
const ENDING = /^(?:\p{Script=Hiragana}{1,5}|\p{Script=Han})$/u
const UNSPACED_CHARS_MAX = 12
/** A short word in katakana is often a part of another, as `アップ` of `アップル`. */
const SHORT_KATAKANA = /^[\p{Script=Katakana}ー]{1,3}$/u
const KATAKANA = /[\p{Script=Katakana}ー]/u

const segmenters = new Map<string, Intl.Segmenter>()

/** Where words of a run end, and 0. */
function wordEndsOf(run: string, language: string): ReadonlySet<number> {
  let segmenter = segmenters.get(language)
  if (!segmenter)
    segmenters.set(language, (segmenter = new Intl.Segmenter(language, { granularity: 'word' })))
  return new Set([0, ...Array.from(segmenter.segment(run), ({ index, segment }) => index + segment.length)])
}

/** A single character is a word only between the borders of words: `约` of `纽约` is none. */
function longestAt(
  run: string,
  at: number,
  order: readonly Dictionary[],
  ends: ReadonlySet<number>,
): [number, string | undefined] {
  for (let length = Math.min(UNSPACED_CHARS_MAX, run.length - at); length > 0; length--) {
    if (length === 1 && !(ends.has(at) && ends.has(at + 1))) continue
    const part = run.slice(at, at + length)
    if (SHORT_KATAKANA.test(part) && KATAKANA.test((run[at - 1] ?? '') + (run[at + length] ?? ''))) continue
    for (const { exact, skip, simplified } of order) {
      const word = simplified.size ? part.replace(/./gu, (sign) => simplified.get(sign) ?? sign) : part
      const english = exact.get(word) ?? (skip.has(word) ? '' : undefined)
      if (english !== undefined) return [length, english]
    }
  }
  return [1, undefined]
}
