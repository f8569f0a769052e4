import type { ToolManifest } from '../../manifest/format/index.ts'

type Clause = string | { any_of: string[] }

const CLAUSES_MAX = 12

/**
 * Converts "one of these sets of scopes" to "all of these clauses". A scope of every set is a clause of its
 * own. Where the rest does not multiply out to a few clauses, the weaker "one of all of them" is required: a
 * call that the provider rejects is better than a call that Patchbay rejects wrongly.
 */
export function scopesOf(sets: readonly (readonly string[])[]): ToolManifest['scopes'] | undefined {
  if (sets.length === 0) return undefined
  const common = sets[0]!.filter((scope) => sets.every((set) => set.includes(scope)))
  const rests = sets.map((set) => set.filter((scope) => !common.includes(scope)))
  const all: Clause[] = [...new Set(common)]
  if (rests.every((rest) => rest.length > 0)) all.push(...multiplied(rests))
  return all.length === 0 ? undefined : { all_of: all }
}

function multiplied(rests: readonly (readonly string[])[]): Clause[] {
  const size = rests.reduce((product, rest) => product * rest.length, 1)
  const choices =
    size > CLAUSES_MAX
      ? [rests.flat()]
      : rests.reduce<string[][]>(
          (made, rest) => made.flatMap((clause) => rest.map((scope) => [...clause, scope])),
          [[]],
        )
  const distinct = new Map(
    choices.map((clause) => {
      const sorted = [...new Set(clause)].sort()
      return [sorted.join('\n'), sorted]
    }),
  )
  // A clause that holds another is implied by it.
  const clauses = [...distinct.values()].filter(
    (clause, _, every) =>
      !every.some((other) => other !== clause && other.every((scope) => clause.includes(scope))),
  )
  return clauses.map((clause) => (clause.length === 1 ? clause[0]! : { any_of: clause }))
}
