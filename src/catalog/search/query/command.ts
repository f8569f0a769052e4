import { verbsOf } from './lexicon.ts'
import { PREPOSITIONS } from './prepositions.ts'
import type { Query, Said } from './query.ts'
import { specificActionOf } from './specific-actions.ts'
import { STOP_WORDS } from './stop-words.ts'
import { weightOfWord } from './word-weights.ts'

const HAS_DIGIT = /\d/
/** May stand before the verb of a command, and after the subject of a statement. */
const BEFORE_COMMANDS = new Set('to please you just kindly also now then and me us let'.split(' '))
const AFTER_SUBJECTS = new Set(
  'i we you he she they is are was were should must can will would has have had'.split(' '),
)
const INDEFINITE = new Set(['a', 'an', 'new', 'another'])
/** What follows these is always some thing of a kind. */
const MAKING = new Set(['creat', 'make'])
/** Languages in which a noun stands before its adjectives. */
const NOUN_FIRST = new Set(['fr', 'es', 'pt', 'it'])
const QUALIFIERS = new Set(['new', 'anoth', 'open', 'first', 'last', 'empti', 'current'])

/** How a request begins. */
export interface Command {
  /** Stems of its verb and of the words after it up to the first preposition. */
  readonly words: readonly string[]
  /** It is about a thing of some kind, not about a certain one: `add a label`. */
  readonly isIndefinite: boolean
}

/**
 * Reads how a request begins. A question or a statement has no words of a command.
 * @param names stems that only name an application; default: none is known
 */
export function commandOf(
  { tokens, language }: Pick<Query, 'tokens' | 'language'>,
  names: ReadonlySet<string> = new Set(),
): Command {
  const words: string[] = []
  let isIndefinite = false
  if (language === undefined && !isCommand(tokens)) return { words, isIndefinite }
  for (const { word, stem, isJoined } of language === 'ja' ? verbFirst(tokens) : tokens) {
    if (words.length > 1 && (word === 'and' || PREPOSITIONS.has(word) || NOUN_FIRST.has(language ?? '')))
      break
    if (words.length === 1 && INDEFINITE.has(word)) isIndefinite = true
    if (isJoined || HAS_DIGIT.test(word) || STOP_WORDS.has(word) || names.has(stem) || QUALIFIERS.has(stem))
      continue
    if (words.length > 0 || weightOfWord(stem) === 1) words.push(stem)
  }
  if (language === 'ja' && words.length > 2) return { words: [], isIndefinite: false }
  return { words, isIndefinite: isIndefinite || (words[0] !== undefined && MAKING.has(words[0])) }
}

/** Whether the first word with a meaning is where a verb is: `the report`, `I deleted it` and `mails I sent` are no commands. */
function isCommand(tokens: readonly Said[]): boolean {
  const at = tokens.findIndex(({ word, stem }) => !STOP_WORDS.has(word) && weightOfWord(stem) === 1)
  const before = tokens[at - 1]
  const isLed = !before || BEFORE_COMMANDS.has(before.word) || weightOfWord(before.stem) < 1
  return at >= 0 && isLed && !AFTER_SUBJECTS.has(tokens[at + 1]?.word ?? '')
}

/** A Japanese request ends with its verb. */
function verbFirst(tokens: readonly Said[]): readonly Said[] {
  const verb = tokens.findLast(({ stem }) => verbsOf(stem) !== 0 || specificActionOf(stem) !== undefined)
  return verb ? [verb, ...tokens.filter((token) => token !== verb)] : tokens
}
