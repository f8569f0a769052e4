import { wordsOf } from '../../src/catalog/importers/tools/words.ts'
import type { SelectedOperation } from './operations.ts'
import { fixedSegments } from './path-words.ts'

const PART_MIN = 3

/** Words of paths that are written together, to what the vendor writes apart: `contactpersons`, `contact-persons`. */
export type Compounds = ReadonlyMap<string, string>

/**
 * Finds words in the paths of a toolkit that its vendor writes apart. A word counts if a name, sentence or tag of the
 * vendor has its parts next to each other, in the singular or plural and always the same ones, and none has it as one
 * word.
 */
export function findCompounds(
  operations: readonly Pick<SelectedOperation, 'operation' | 'path'>[],
): Compounds {
  const texts = operations.flatMap(({ operation: { summary, id, tags } }) =>
    [summary, id, ...tags].map((text) => wordsOf(text ?? '').map((word) => word.toLowerCase())),
  )
  const single = new Set(texts.flat())
  const parts = new Map<string, Set<string>>()
  for (const words of texts)
    for (const [first, second] of words.slice(1).map((word, at) => [words[at]!, word] as const))
      if ([first, second].every((word) => word.length >= PART_MIN && /^[a-z]+$/.test(word)))
        parts.set(first + second, (parts.get(first + second) ?? new Set()).add(`${first}-${second}`))
  const written = new Set(operations.flatMap(({ path }) => fixedSegments(path)))
  return new Map(
    [...written].flatMap((word) => {
      const other = otherNumber(word)
      if (single.has(word) || single.has(other)) return []
      const found = new Set([
        ...(parts.get(word) ?? []),
        ...[...(parts.get(other) ?? [])].map((words) => otherNumber(words)),
      ])
      return found.size === 1 ? [[word, [...found][0]!] as const] : []
    }),
  )
}

/** `persons` for `person`, and the reverse. */
const otherNumber = (word: string): string => (word.endsWith('s') ? word.slice(0, -1) : `${word}s`)

/** Returns a path whose compounds are written apart, for texts. */
export const withCompounds = (path: string, compounds: Compounds): string =>
  compounds.size === 0
    ? path
    : path
        .split('/')
        .map((segment) => compounds.get(segment) ?? segment)
        .join('/')
