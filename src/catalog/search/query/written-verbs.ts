import { FURTHER_IMPERATIVES, VERB_GROUPS, VERBS } from './lexicon.ts'
import { createSpelling, type Spelling } from './spelling.ts'

/** A shorter word is within an edit of too many others. */
export const VERB_CHARS_MIN = 5

let spelling: Spelling | undefined

/** Verbs are compared as they are written: `crate` is one edit from `create`, and two from its stem in the indexes. */
export function verbSpelling(): Spelling {
  if (!spelling) {
    const verbs = [...Object.values(VERBS), ...VERB_GROUPS, FURTHER_IMPERATIVES].join(' ').split(' ')
    const targets = [...new Set(verbs)].filter((word) => word.length >= VERB_CHARS_MIN)
    spelling = createSpelling(
      targets.map((word) => ({ word, weight: 0 })),
      2,
    )
  }
  return spelling
}
