/** An object of JSON that somebody else wrote. Its keys are whatever they are: read them with `own` only. */
export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** A member, own keys only, so that `constructor` finds nothing. */
export const own = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** A text that says something. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined
