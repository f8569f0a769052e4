/** Objects with equal keys are counted: two auth configs of one name stay two. */
export function nthKey(counts: Map<string, number>, key: string): string {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return `${key}#${count}`
}

/** Replaces every text that is a known id of the source. */
export function replaceIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => replaceIds(item, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceIds(item, ids)]))
}

/** JSON with sorted names, so that equal values have equal texts. */
export const stable = (value: unknown): string =>
  JSON.stringify(value ?? {}, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
