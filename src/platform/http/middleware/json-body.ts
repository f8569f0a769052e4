import type { FastifyInstance } from 'fastify'
import { badRequest } from '../api-error.ts'

/**
 * Nesting of objects and lists. A thousand levels would still work; ten thousand exceed the stack of
 * recursive functions.
 */
const NESTING_MAX = 100
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
      const shape = nestingProblem(text)
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
 * Returns why a JSON text must not be parsed. Checked before parsing, which takes a second for three million
 * brackets.
 */
export const nestingProblem = (text: string): string | undefined =>
  text.length > NESTING_MAX && isDeeperThan(NESTING_MAX, text)
    ? `is nested deeper than ${NESTING_MAX} levels`
    : undefined

/** Returns why a parsed text cannot be stored. */
export const textProblem = (text: string, parsed: unknown): string | undefined =>
  SUSPICIOUS_ESCAPE.test(text) ? findTextProblem(parsed) : undefined

const QUOTE = 34,
  BACKSLASH = 92,
  OPENING = new Set([91, 123]),
  CLOSING = new Set([93, 125])

function isDeeperThan(most: number, text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (OPENING.has(code) && ++depth > most) return true
    else if (CLOSING.has(code)) depth--
  }
  return false
}

/** Returns the end of the string that starts at `start`: the next quote that is not escaped. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

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
