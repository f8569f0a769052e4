import de from '../data/languages/de.json' with { type: 'json' }
import es from '../data/languages/es.json' with { type: 'json' }
import fr from '../data/languages/fr.json' with { type: 'json' }
import it from '../data/languages/it.json' with { type: 'json' }
import ja from '../data/languages/ja.json' with { type: 'json' }
import pt from '../data/languages/pt.json' with { type: 'json' }
import zh from '../data/languages/zh.json' with { type: 'json' }
import { STOP_WORDS } from './stop-words.ts'
import { plainText, UNSPACED_RUN, UNSPACED_RUNS } from './tokens.ts'

// Requests in other languages become English word by word: enough to find a tool, since tools are described in
// English. The dictionaries are data: English words to the words of a language. `entfern-` matches every word
// that begins so, `non-lu` matches two words. Accents are left out, as in every text of the index.

/** A dictionary: words without meaning for a search, and English words to the words of the language. */
interface LanguageFile {
  readonly function: string
  readonly words: Readonly<Record<string, string>>
}

interface Dictionary {
  readonly skip: ReadonlySet<string>
  readonly exact: ReadonlyMap<string, string>
  readonly prefixes: ReadonlyMap<string, string>
}

/** `english`: the text with English words where the dictionaries have one. */
export interface Translation {
  readonly english: string
  /** The language that was recognized; undefined for English and for any other. */
  readonly language: string | undefined
}

const PREFIX_CHARS_MIN = 3
const PHRASE_WORDS_MAX = 3
/** So many words of a language make it the language of a text; one is enough if the text has letters with accents. */
const HITS_MIN = 2
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const NOT_ASCII = /[^\0-\x7f]/

const compiled = (file: LanguageFile): Dictionary => {
  const exact = new Map<string, string>()
  const prefixes = new Map<string, string>()
  for (const [english, forms] of Object.entries(file.words))
    for (const form of plainText(forms).split(' ')) {
      const map = form.endsWith('-') ? prefixes : exact
      const key = form.replace(/-$/, '').replaceAll('-', ' ')
      if (!map.has(key)) map.set(key, english)
    }
  return { skip: new Set(plainText(file.function).split(' ')), exact, prefixes }
}

const SPACED: ReadonlyMap<string, Dictionary> = new Map(
  Object.entries({ de, fr, es, pt, it }).map(([name, file]) => [name, compiled(file)]),
)
const UNSPACED = { ja: compiled(ja), zh: compiled(zh) } as const

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
  const words = plain.match(WORD) ?? []
  const language = languageOf(words, NOT_ASCII.test(text))
  return language
    ? { language, english: replaceWords(words, SPACED.get(language)!) }
    : { language: undefined, english: text }
}

/** The language with the most words in a text, if it has more of them than English has. */
function languageOf(words: readonly string[], hasAccents: boolean): string | undefined {
  const lower = words.map((word) => word.toLowerCase())
  const english = lower.filter((word) => word.length > 1 && STOP_WORDS.has(word)).length
  // `time` is Portuguese for a team: said twice, it is still one word.
  const distinct = [...new Set(lower)]
  let best: string | undefined
  let most = Math.max(hasAccents ? 0 : HITS_MIN - 1, english / 2)
  for (const [name, dictionary] of SPACED) {
    const hits = distinct.filter(
      (word) =>
        word.length > 1 &&
        !STOP_WORDS.has(word) &&
        (dictionary.skip.has(word) || ![undefined, word].includes(wordIn(dictionary, word))),
    ).length
    if (hits > most) [best, most] = [name, hits]
  }
  return best
}

function wordIn({ exact, prefixes }: Dictionary, word: string): string | undefined {
  const found = exact.get(word)
  if (found !== undefined) return found
  for (let length = word.length; length >= PREFIX_CHARS_MIN; length--) {
    const english = prefixes.get(word.slice(0, length))
    if (english !== undefined) return english
  }
  return undefined
}

function replaceWords(words: readonly string[], dictionary: Dictionary): string {
  const out: string[] = []
  for (let at = 0; at < words.length;) {
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
  return [1, wordIn(dictionary, word) ?? (dictionary.skip.has(word) ? '' : undefined)]
}

/** Words of a text without spaces: the longest that the dictionary has at each place; what is left stays. */
function splitRun(run: string, language: keyof typeof UNSPACED): string {
  const dictionaries = language === 'ja' ? [UNSPACED.ja, UNSPACED.zh] : [UNSPACED.zh, UNSPACED.ja]
  const out: string[] = []
  let rest = ''
  const flush = () => {
    if (rest) out.push(rest)
    rest = ''
  }
  for (let at = 0; at < run.length;) {
    const [length, english] = longestAt(run, at, dictionaries)
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

const UNSPACED_CHARS_MAX = 8

function longestAt(
  run: string,
  at: number,
  dictionaries: readonly Dictionary[],
): [number, string | undefined] {
  for (let length = Math.min(UNSPACED_CHARS_MAX, run.length - at); length > 0; length--) {
    const part = run.slice(at, at + length)
    for (const { exact, skip } of dictionaries) {
      const english = exact.get(part) ?? (skip.has(part) ? '' : undefined)
      if (english !== undefined) return [length, english]
    }
  }
  return [1, undefined]
}
