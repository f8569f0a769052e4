import { type ApiError, badRequest } from '../api-error.ts'

/** More than `toolkit_versions` for every toolkit that one call can name. */
const VALUES_MAX = 2_000
const TOO_MANY = Symbol('more values than VALUES_MAX')
const BRACKETS = /^([^[\]]{1,64})\[([^[\]]{0,64})\]$/

export type ParsedQuery = Record<string, unknown>

/**
 * Parses a query string: repeated keys and `key[]=` become a list, `key[sub]=` an object. Empty values count
 * as absent. Objects have no prototype, so hostile keys are only keys.
 */
export function parseQuery(text: string): ParsedQuery {
  const query: ParsedQuery = Object.create(null)
  if (!text) return query
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue
    if (++count > VALUES_MAX) {
      Object.defineProperty(query, TOO_MANY, { value: true })
      break
    }
    const [, base, sub] = BRACKETS.exec(name) ?? []
    if (base !== undefined && sub) {
      const known = query[base]
      const group = isGroup(known) ? known : (query[base] = Object.create(null) as Record<string, unknown>)
      group[sub] = value
    } else {
      const key = base ?? name
      const known = query[key]
      if (Array.isArray(known)) known.push(value)
      else query[key] = known === undefined ? value : [known, value]
    }
  }
  return query
}

/** Returns whether a query string had more values than are read. Such a request is rejected. */
export const hasTooManyValues = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && TOO_MANY in query

export const tooManyValues = (): ApiError =>
  badRequest(
    `Error in query: has more than ${VALUES_MAX} values; send fewer, or repeat the call with a part of them`,
  )

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the names of the parameters that are lists. */
export function listParameters(schema: { properties?: Record<string, { type?: unknown }> }): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, member]) => member.type === 'array')
    .map(([name]) => name)
}

/** Splits comma-separated lists in place. Items are trimmed, and empty ones are removed. */
export function splitLists(query: ParsedQuery, lists: readonly string[]): void {
  for (const name of lists) {
    const value = query[name]
    if (value === undefined) continue
    query[name] = (Array.isArray(value) ? value : [value])
      .flatMap((part) => (typeof part === 'string' ? part.split(',') : [part]))
      .map((part) => (typeof part === 'string' ? part.trim() : part))
      .filter((part) => part !== '')
  }
}
