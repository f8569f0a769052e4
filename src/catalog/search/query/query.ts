import { PREPOSITIONS } from './prepositions.ts'
import { isImperative, synonymsOf, verbBits, verbsOf } from './lexicon.ts'
import { commandOf } from './command.ts'
import { weightOfWord } from './word-weights.ts'
import { englishTokens } from './expressions.ts'
import { STOP_WORDS } from './stop-words.ts'
import { isInIdentifier, plainText, stem, type Token, tokensOf } from './tokens.ts'
import { translate } from './translate.ts'
import { replaceValues } from './values.ts'

/**
 * One thing that is asked for: the first word is what was said, the others may stand for it. `weight`: how
 * much it counts, at most 1.
 */
export interface Concept {
  readonly weight: number
  readonly words: readonly { readonly word: string; readonly weight: number }[]
}

/** The whole of a query, or one step of it. */
export interface Part {
  readonly concepts: readonly Concept[]
  /** Stems in their order, for their meaning. */
  readonly words: readonly string[]
  /** Classes of its verbs, as bits. */
  readonly verbs: number
  /** Stems of the verb that it begins with and of the words after it; empty if it is no command. */
  readonly command: readonly string[]
}

export interface Query {
  readonly whole: Part
  /** The steps when there are several, else empty. */
  readonly steps: readonly Part[]
  /** Every word as it was said, in English and corrected. */
  readonly tokens: readonly Said[]
  /** The language that it was translated from, if it was. */
  readonly language: string | undefined
  readonly corrections: readonly Correction[]
}

/** A misspelt word and what it was taken for. */
export interface Correction {
  readonly from: string
  readonly to: string
}

/** Words that a catalogue knows, and what others may stand for. */
export interface Vocabulary {
  /** The word that an unknown one stands for; undefined for a known one, and if none is near. */
  correct(token: Said): string | undefined
}

/** `first`: it begins a sentence, so its capital says nothing. */
export interface Said extends Token {
  readonly stem: string
  readonly first: boolean
}

/** A query is a sentence or a few; what is longer is a document. */
const CHARS_MAX = 2_048
const CONCEPTS_MAX = 64
const STEPS_MAX = 6
const SYNONYM_WEIGHT = 0.35
const PAIR_WEIGHT = 0.5
/** A step of fewer words leans on the one before it. */
const STEP_WORDS_MIN = 2
/** A text with more unknown words is no request. */
const CORRECTIONS_MAX = 8
/** Verbs of a request stand near its beginning in English. */
const VERB_WORDS = 4
const STEP_ENDS =
  /(?<=[.?!;\n])\s+|,?\s+(?=(?:and then|then|also|additionally|furthermore|moreover|finally|lastly|next(?=,)|afterwards?|after that|once you|as well as)\b)/i
/** Ends a clause if a verb follows: `…, add a row`, `… and send it`. */
const CLAUSE_ENDS = /(?:,|:|\s[-–—])?\s+(?:and|but|so|to then)\s+(?=[a-z])|[,:]\s+(?=[a-z])/gi
const FIRST_WORD = /^[a-z]+/i

/** The sentences of a text, and their clauses that begin with a verb. */
function clausesOf(text: string): string[] {
  return text.split(STEP_ENDS).flatMap((sentence) => {
    const clauses: string[] = []
    let from = 0
    for (const { 0: end, index } of sentence.matchAll(CLAUSE_ENDS)) {
      const next = index + end.length
      if (!isImperative(FIRST_WORD.exec(sentence.slice(next))?.[0] ?? '')) continue
      clauses.push(sentence.slice(from, index))
      from = next
    }
    return [...clauses, sentence.slice(from)]
  })
}

/**
 * Takes a query apart. Any text is a query; one without words asks for nothing. Another language is translated;
 * with a vocabulary, an English text is corrected, and of another only what names an application.
 */
export function readQuery(text: string, vocabulary?: Vocabulary): Query {
  const { english, language } = translate(replaceValues(text.slice(0, CHARS_MAX)))
  const corrections: Correction[] = []
  const sentences = clausesOf(english).map((sentence) => {
    const plain = plainText(sentence)
    const tokens = language === undefined ? englishTokens(sentence) : tokensOf(sentence)
    return tokens.map((token, at): Said => {
      const said = { ...token, stem: stem(token.word), first: at === 0 && language === undefined }
      const word =
        vocabulary && corrections.length < CORRECTIONS_MAX && !said.isJoined && !isInIdentifier(plain, said)
          ? vocabulary.correct(said)
          : undefined
      if (word === undefined) return said
      corrections.push({ from: said.word, to: word })
      return { ...said, word, stem: stem(word) }
    })
  })
  const tokens = sentences.flat()
  const steps: Said[][] = []
  for (const sentence of sentences) {
    const last = steps.at(-1)
    if (
      last &&
      (steps.length >= STEPS_MAX ||
        contentOf(sentence).length < STEP_WORDS_MIN ||
        contentOf(last).length < STEP_WORDS_MIN)
    )
      last.push(...sentence)
    else steps.push([...sentence])
  }
  return {
    whole: partOf(tokens, language),
    steps: steps.length > 1 ? withReferents(steps).map((step) => partOf(step, language)) : [],
    tokens,
    language,
    corrections,
  }
}

/** A step with one of these is about the thing of the step before it: `find the card and write there`. */
const PRONOUNS = new Set('it them there one this that these those its their'.split(' '))

/** The steps with the things that they refer to. */
const withReferents = (steps: readonly (readonly Said[])[]): (readonly Said[])[] =>
  steps.map((step, at) =>
    at > 0 && step.some(({ word }) => PRONOUNS.has(word)) ? [...step, ...thingOf(steps[at - 1]!)] : step,
  )

/** The words of a step that say what it is about: those before the first preposition, without verbs and names. */
function thingOf(step: readonly Said[]): Said[] {
  const end = step.findIndex(({ word }, at) => at > 1 && PREPOSITIONS.has(word))
  return step
    .slice(1, end === -1 ? step.length : end)
    .filter(
      ({ word, stem, capital, isJoined }) =>
        !capital && !isJoined && !STOP_WORDS.has(word) && verbsOf(stem) === 0,
    )
}

/** Questions that begin with these ask for something to be read, whatever verbs they have: `who has signed up`. */
const ASKING_WORDS = new Set('who whose which when where'.split(' '))
/** Questions with these do so if they have no verb of another class: `how do I delete` asks for a deletion. */
const QUESTION_WORDS = new Set('what why how is are was were does do did has have had am'.split(' '))
const READING = verbBits('read', 'list', 'search')
const GIVING = verbBits('compute', 'send')

/** A reading request for more than one thing: `show me all invoices`, `which invoices are open`. */
const SEVERAL = new Set('all every which any each'.split(' '))
const LISTING = verbBits('list', 'search')

/**
 * Classes of the first verb, or those of reading for a question. In other languages, the word that asks may be at any
 * place.
 */
function verbsOfPart(tokens: readonly Token[], words: readonly string[], isTranslated: boolean): number {
  const asks = (set: ReadonlySet<string>) =>
    (isTranslated ? tokens : tokens.slice(0, 1)).some(({ word }) => set.has(word))
  const first = words.reduce((bits, word) => bits || verbsOf(word), 0)
  const said = asks(ASKING_WORDS) || (first === 0 && asks(QUESTION_WORDS)) ? READING : first
  const isReading = said !== 0 && (said & ~(READING | GIVING)) === 0
  return isReading && tokens.some(({ word }) => SEVERAL.has(word)) ? LISTING : said
}

const contentOf = (tokens: readonly Token[]): readonly Token[] =>
  tokens.filter(({ word }) => !STOP_WORDS.has(word))

function partOf(tokens: readonly Said[], language: string | undefined): Part {
  const content = contentOf(tokens)
  const words = content.map(({ word }) => stem(word))
  const distinct = [...new Set(words)].slice(0, CONCEPTS_MAX)
  const said = new Set(distinct)
  const concepts: Concept[] = distinct.map((word) => ({
    weight: weightOfWord(word),
    words: [
      { word, weight: 1 },
      ...synonymsOf(word)
        .filter((other) => !said.has(other))
        .map((other) => ({ word: other, weight: SYNONYM_WEIGHT })),
    ],
  }))
  // `time zone` may be `timezone` in the catalogue.
  const pairs = new Set(
    content
      .slice(1)
      .flatMap((token, at) =>
        token.isJoined || content[at]!.isJoined ? [] : [stem(content[at]!.word + token.word)],
      ),
  )
  for (const word of [...pairs].filter((word) => !said.has(word)).slice(0, CONCEPTS_MAX))
    concepts.push({ weight: 1, words: [{ word, weight: PAIR_WEIGHT }] })
  return {
    concepts,
    words,
    verbs: verbsOfPart(
      tokens,
      language === undefined ? words.slice(0, VERB_WORDS) : words,
      language !== undefined,
    ),
    command: commandOf({ tokens, language }).words,
  }
}
