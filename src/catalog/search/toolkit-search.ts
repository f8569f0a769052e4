import { compareToolkitNames } from '../query/catalog.ts'
import type { Catalog, Toolkit } from '../types/index.ts'
import { readQuery } from './query/query.ts'
import { type ToolkitNames, toolkitNames } from './query/toolkit-names.ts'
import otherNames from './data/toolkit-aliases.json' with { type: 'json' }
import { wordsOf } from './query/tokens.ts'

/** What a match is worth: the best counts. */
const SCORE = {
  same: 4,
  meant: 3,
  nameBegins: 2.5,
  wordBegins: 2,
  inName: 1.5,
  allWords: 1,
  inDescription: 0.8,
} as const

/**
 * The toolkits of a catalogue that a text names or describes, best first; of equal ones in the order of their
 * names. A part of a name is enough, as people type.
 */
export function rankToolkits(catalog: Catalog, text: string): Toolkit[] {
  const query = text.trim().toLowerCase()
  return query
    ? scored(catalog, query, text)
        .sort((a, b) => b.score - a.score || compareToolkitNames(a.toolkit, b.toolkit))
        .map(({ toolkit }) => toolkit)
    : []
}

/** Each of two layers by its own names: those of the lower one are known already. */
function scored(
  { layers, toolkits }: Catalog,
  searchedName: string,
  text: string,
): { toolkit: Toolkit; score: number }[] {
  if (layers) {
    const [lower, upper] = layers
    return [
      ...scored(lower, searchedName, text).filter(({ toolkit: { slug } }) => !upper.toolkit(slug)),
      ...scored(upper, searchedName, text),
    ]
  }
  const words = new Set(wordsOf(text))
  const { toolkits: meant } = namesOf(toolkits).meantBy(readQuery(text).tokens, () => 0)
  return toolkits
    .map((toolkit, at) => ({
      toolkit,
      score: Math.max(scoreOf(toolkit, searchedName, words), SCORE.meant * (meant.get(at) ?? 0)),
    }))
    .filter(({ score }) => score > 0)
}

const known = new WeakMap<readonly Toolkit[], ToolkitNames>()

function namesOf(toolkits: readonly Toolkit[]): ToolkitNames {
  let names = known.get(toolkits)
  if (!names)
    known.set(
      toolkits,
      (names = toolkitNames(
        toolkits.map(({ slug, name }) => ({ slug, name, digest: '', hosts: [], from: 0, to: 0 })),
        otherNames,
      )),
    )
  return names
}

/**
 * What a toolkit says, made ready: to take its words apart costs more than all else, and a catalogue may have
 * thousands.
 */
interface Spoken {
  readonly names: readonly string[]
  readonly nameWords: readonly string[]
  readonly description: string
  /** Stems, each between blanks. */ readonly words: string
}

const spoken = new WeakMap<Toolkit, Spoken>()

function spokenOf(toolkit: Toolkit): Spoken {
  let found = spoken.get(toolkit)
  if (!found) {
    const names = [toolkit.slug.toLowerCase(), toolkit.name.toLowerCase()]
    const words = wordsOf(
      `${toolkit.name} ${toolkit.description} ${toolkit.categories.map(({ name }) => name).join(' ')}`,
    )
    spoken.set(
      toolkit,
      (found = {
        names,
        nameWords: names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)),
        description: toolkit.description.toLowerCase(),
        words: ` ${[...new Set(words)].join(' ')} `,
      }),
    )
  }
  return found
}

function scoreOf(toolkit: Toolkit, searchedName: string, words: ReadonlySet<string>): number {
  const { names, nameWords, description, words: own } = spokenOf(toolkit)
  if (names.includes(searchedName)) return SCORE.same
  if (names.some((name) => name.startsWith(searchedName))) return SCORE.nameBegins
  if (nameWords.some((word) => word.startsWith(searchedName))) return SCORE.wordBegins
  if (names.some((name) => name.includes(searchedName))) return SCORE.inName
  if (description.includes(searchedName)) return SCORE.inDescription
  return words.size > 0 && [...words].every((word) => own.includes(` ${word} `)) ? SCORE.allWords : 0
}
