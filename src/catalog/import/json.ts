/** A JSON object of a foreign document. Its keys are whatever somebody wrote: read them with `own` only. */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value)

/** A member, own keys only, so that `constructor` finds nothing. */
export const own = (value: unknown, key: string): unknown => isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

export const object = (value: unknown): Json => isObject(value) ? value : {}
export const list = (value: unknown): unknown[] => Array.isArray(value) ? value : []
export const text = (value: unknown): string | undefined => typeof value === 'string' && value.trim() !== '' ? value : undefined
export const texts = (value: unknown): string[] => list(value).filter((one) => typeof one === 'string')
