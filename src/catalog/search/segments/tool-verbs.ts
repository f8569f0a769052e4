import { verbBits, verbsOf } from '../query/lexicon.ts'
import type { SearchDocument } from './document.ts'

const EFFECT_VERBS = {
  read: verbBits('read', 'list', 'search'),
  create: verbBits('create', 'send', 'run'),
  update: verbBits('update'),
  delete: verbBits('delete'),
} as const
/** Verbs stand at the beginning of a name. */
const VERB_WORDS = 2

/** Returns the bits of the verbs in a tool's name, or else those of its effect. */
export function verbsOfTool({ effect }: SearchDocument, name: readonly string[]): number {
  for (const word of name.slice(0, VERB_WORDS)) {
    const verbs = verbsOf(word)
    if (verbs !== 0) return verbs
  }
  return effect ? EFFECT_VERBS[effect] : 0
}
