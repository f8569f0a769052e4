/**
 * Copies JSON: the copy shares no list and no object with the value, except objects with more than `propertiesMax`
 * properties. For schemas it takes a fifth of the time of `structuredClone`.
 */
export function copyJson<T>(value: T, propertiesMax = Infinity): T {
  if (!isContainer(value)) return value
  if (Array.isArray(value))
    return (value.some(isContainer) ? value.map((item) => copyJson(item, propertiesMax)) : value.slice()) as T
  const names = Object.keys(value as object)
  if (names.length > propertiesMax) return value
  // A spread copies a property with the name `__proto__` as a property. Assigning to it then sets no prototype.
  const copy = { ...value } as Record<string, unknown>
  for (const name of names) if (isContainer(copy[name])) copy[name] = copyJson(copy[name], propertiesMax)
  return copy as T
}

/** Whether a value of JSON is a list or an object. */
export const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null
