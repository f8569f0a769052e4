import { isObject, type JsonObject } from '../../platform/json-object.ts'

export { isObject, getOwn, nonEmptyString } from '../../platform/json-object.ts'

/** A JSON object of a foreign document. Its keys are untrusted: read them with `getOwn` only. */
export type Json = JsonObject

export const object = (value: unknown): Json => (isObject(value) ? value : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const texts = (value: unknown): string[] => list(value).filter((one) => typeof one === 'string')
