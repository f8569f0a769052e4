import { verbsOf } from '../query/lexicon.ts'
import { STOP_WORDS } from '../query/stop-words.ts'
import { stem, tokensOf } from '../query/tokens.ts'

const PREPOSITIONS: ReadonlySet<string> = new Set(
  'about after as at before between by for from in into of on per that to under until via with without'.split(
    ' ',
  ),
)
/** Nouns that say nothing about the thing: `contact details` is about a contact. */
const GENERIC: ReadonlySet<string> = new Set(
  'data details information info object objects record records id ids json request response'.split(' '),
)

/**
 * The stem of the thing that a tool does something with, by its name: the last word before the first preposition. "Add
 * a webinar registrant" is about a registrant, and makes no webinar. Undefined for a name without such a word.
 */
export function headWord(name: string): string | undefined {
  const words = tokensOf(name).filter(({ isJoined }) => !isJoined)
  const phrase: string[] = []
  for (const [at, { word }] of words.entries()) {
    if (at > 0 && PREPOSITIONS.has(word)) break
    if (!STOP_WORDS.has(word) && !(at === 0 && verbsOf(stem(word)) !== 0)) phrase.push(word)
  }
  const head = phrase.findLast((word) => !GENERIC.has(word)) ?? phrase.at(-1)
  return head && stem(head)
}
