/**
 * Names that are compared at most: the error path of a request must stay cheap in a project with many tools.
 */
const NAMES_MAX = 5_000
/** Longest name that is compared. */
const LENGTH_MAX = 64
/** Shortest name that another one may continue. */
const CONTINUED_MIN = 4

/**
 * Returns the name with the smallest number of edits, in any letter case and with or without `_` and `-`, or undefined
 * when none is near: more than two edits and more than a quarter of the name. Without a near name, a single name that
 * continues the given one is returned: GITHUB_STAR_ADDED_EVENT for GITHUB_STAR_ADDED.
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  if (name.length > LENGTH_MAX) return undefined
  const plainName = withoutStyle(name)
  let limit = Math.max(2, Math.floor(name.length / 4))
  let best: string | undefined
  const longer: string[] = []
  let compared = 0
  for (const candidate of names) {
    if (++compared > NAMES_MAX) break
    const plain = withoutStyle(candidate)
    if (plainName.length >= CONTINUED_MIN && plain.startsWith(plainName)) longer.push(candidate)
    const edits = editsBetween(plainName, plain, limit)
    if (edits > limit || (best !== undefined && edits === limit)) continue
    best = candidate
    limit = edits
  }
  return best ?? (longer.length === 1 ? longer[0] : undefined)
}

/** `auth_scheme`, `auth-scheme` and `authScheme` are the same word in three styles. */
const withoutStyle = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

/** Returns ` Did you mean x?` for the end of a message, or an empty text when no name is near. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const nearest = nearestName(name, names)
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

/** Returns the Levenshtein distance, or a number above `limit` as soon as it must be larger. */
function editsBetween(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)))
    if (Math.min(...next) > limit) return limit + 1
    row = next
  }
  return row[other.length]!
}
