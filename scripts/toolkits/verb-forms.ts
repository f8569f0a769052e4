import baseVerbs from './data/base-verbs.json' with { type: 'json' }
import naturalVerbs from './data/natural-verbs.json' with { type: 'json' }

/** English verbs in the base form with which a name of a tool begins. */
const BASE_VERBS: ReadonlySet<string> = new Set(baseVerbs)
/** Verbs of APIs to the words that people use: `retrieve` is `get`, `mutate` is `update`. */
const NATURAL_VERBS: ReadonlyMap<string, string> = new Map(Object.entries(naturalVerbs))

/** Whether a word is the base form of a verb that names of tools begin with. */
export const isBaseVerb = (word: string): boolean => BASE_VERBS.has(word.toLowerCase())

/** Returns the verb of a name: `retrieve` and `Retrieves` are `get`; undefined for a word that is no known verb. */
export function naturalVerb(word: string): string | undefined {
  const lower = word.toLowerCase()
  const forms = [lower, ...basesOf(lower), ...basesOfGerund(lower)]
  const natural = forms.map((form) => NATURAL_VERBS.get(form)).find((verb) => verb !== undefined)
  return natural ?? forms.find((form) => BASE_VERBS.has(form))
}

/**
 * Returns the base form of a verb in the third person: `Closes` is `close`.
 *
 * @throws for one that `data/base-verbs.json` does not have
 */
export function baseForm(verb: string): string {
  const base = verb.endsWith('s') ? naturalVerb(verb) : undefined
  if (base === undefined)
    throw new Error(`data/base-verbs.json has no base form of ${verb}: add it, or use another verb.`)
  return base
}

/** Whether a word is a known verb in the third person. */
export const isThirdPerson = (word: string): boolean =>
  basesOf(word.toLowerCase()).some((form) => BASE_VERBS.has(form) || NATURAL_VERBS.has(form))

/** What a verb in the third person may come from: `publishes` is `publish` or `publishe`. */
function basesOf(word: string): string[] {
  if (!word.endsWith('s')) return []
  return [
    word.slice(0, -1),
    ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
    ...(word.endsWith('es') ? [word.slice(0, -2)] : []),
  ]
}

/** `creating` is `create`, `submitting` is `submit`. */
function basesOfGerund(word: string): string[] {
  if (!word.endsWith('ing')) return []
  const stem = word.slice(0, -3)
  return [stem, `${stem}e`, stem.slice(0, -1)]
}
