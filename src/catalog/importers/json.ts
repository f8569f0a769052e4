import { isObject, type Members } from '../../platform/members.ts'

export { isObject, own, text } from '../../platform/members.ts'

/** A JSON object of a foreign document. Its keys are whatever somebody wrote: read them with `own` only. */
export type Json = Members

export const object = (value: unknown): Json => (isObject(value) ? value : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const texts = (value: unknown): string[] => list(value).filter((one) => typeof one === 'string')
