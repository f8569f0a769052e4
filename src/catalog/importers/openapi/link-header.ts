import { ImportRejected } from '../import-rejected.ts'
import { getOwn, type Json, object } from '../json.ts'
import type { Operation } from '../model.ts'
import type { References } from './references.ts'

/**
 * Reads whether the success responses of an operation declare the header `Link` (RFC 8288), and whether its
 * declaration mentions pages. An unresolved reference declares nothing.
 */
export function readLinkHeader(
  operation: Json,
  base: string,
  references: References,
): Operation['linkHeader'] {
  for (const [status, value] of Object.entries(object(getOwn(operation, 'responses')))) {
    if (!/^(2|default$)/i.test(status)) continue
    try {
      const response = references.follow({ value, base })
      const headers = object(getOwn(response.value, 'headers'))
      const name = Object.keys(headers).find((one) => one.toLowerCase() === 'link')
      if (name === undefined) continue
      const header = references.follow({ value: headers[name], base: response.base })
      return mentionsPages(object(header.value)) ? 'pages' : 'declared'
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
    }
  }
  return undefined
}

const CHARACTERS_MAX = 2_000

const mentionsPages = (header: Json): boolean =>
  [
    getOwn(header, 'description'),
    getOwn(header, 'example'),
    getOwn(getOwn(header, 'schema'), 'description'),
    getOwn(getOwn(header, 'schema'), 'example'),
  ].some(
    (text) =>
      typeof text === 'string' && /\bnext\b|\bpag(?:e|es|ing|inat)/i.test(text.slice(0, CHARACTERS_MAX)),
  )
