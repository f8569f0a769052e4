import type { FastifyInstance } from 'fastify'
import { exceededBound, JSON_BOUNDS, JsonTooComplex } from '../../bounded-json.ts'
import { badRequest } from '../api-error.ts'

/** Finds candidates in the raw text only: `\\u0000` is harmless, and a pair of surrogates is well-formed. */
const SUSPICIOUS_ESCAPE = /\\u(0000|d[89a-f])/i

/**
 * Accepts JSON bodies only. An empty body counts as absent, because clients send the content type without a
 * body too. NUL and unpaired surrogates are rejected because PostgreSQL cannot store them; prototype keys
 * because no field has such a name.
 */
export function registerJsonBodyParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(
    /^application\/([\w.-]+\+)?json\b/,
    { parseAs: 'string' },
    (request, text, done) => {
      if (text === '') return done(null, undefined)
      const shape = complexityProblem(text)
      if (shape) return done(badRequest(`Error in payload: ${shape}`))
      void parse(request, text, (error, body) => {
        if (error) return done(error)
        const fault = textProblem(text, body)
        done(fault ? badRequest(`Error in payload: ${fault}`) : null, body)
      })
    },
  )
}

/**
 * The number of values is not limited: the body is at most 6 MB, its sender has a key, and long lists of numbers
 * are common arguments.
 */
const REQUEST_BOUNDS = { ...JSON_BOUNDS, values: Infinity }

/** Returns why a JSON text must not be parsed. */
export function complexityProblem(text: string): string | undefined {
  const bound = exceededBound(text, REQUEST_BOUNDS)
  return bound && new JsonTooComplex(bound, REQUEST_BOUNDS).message
}

/** Returns why a parsed text cannot be stored. */
export const textProblem = (text: string, parsed: unknown): string | undefined =>
  SUSPICIOUS_ESCAPE.test(text) ? findTextProblem(parsed) : undefined

/** Checks all values and names. The nesting has been checked before. */
function findTextProblem(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.includes('\0')
      ? 'texts must not hold NUL'
      : value.isWellFormed()
        ? undefined
        : 'texts must be well-formed Unicode'
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const fault = (Array.isArray(value) ? undefined : findTextProblem(key)) ?? findTextProblem(member)
    if (fault) return fault
  }
  return undefined
}
