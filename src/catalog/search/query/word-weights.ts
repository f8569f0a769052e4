import { stem } from './tokens.ts'

// Words that people put around what they ask for: "I was wondering, could you perhaps help me …". Few tools
// have them, so they would count as rare and telling. No stop words: `help` or `thanks` may be all that a
// tool is called. Nothing that also says what is meant (`plan`, `recommend`, `information`, `specific`).

const WORDS = new Set(
  (
    'able actually already anyway anything appreciate assistance basically curious currently excited ' +
    'feel feeling felt glad gonna great guess happened hear heard hello help helpful helping hey hi hope ' +
    'hoping idea ideally ' +
    'instead interested know lately little looking lot lots maybe mind need needed needing needs nice ' +
    'okay perfect perhaps possibly prefer preferably pretty quickly quite rather really recently ' +
    'regarding ' +
    'seem seems sir something soon supposed sure thank thanks thing things think thinking thought tried ' +
    'trying unfortunately urgently various wanted wanting way well wish wonder wondering worry yes'
  )
    .split(' ')
    .map(stem),
)
const WEIGHT = 0.6

/** What a stem of a query counts: less when it is talk around what is asked for. */
export const weightOfWord = (word: string): number => (WORDS.has(word) ? WEIGHT : 1)
