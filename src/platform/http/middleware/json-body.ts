import type { FastifyInstance } from 'fastify'
import { badRequest } from '../api-error.ts'

/** Objects and lists inside each other. A thousand would still work; ten thousand end the stack of whoever walks over them. */
const NESTING_MAX = 100
/** A hint in the raw text only: `\\u0000` is harmless, and two halves of one character are well-formed. */
const SUSPICIOUS_ESCAPE = /\\u(0000|d[89a-f])/i

/**
 * JSON bodies only. An empty one counts as absent: clients put the content type on calls without a body too.
 * NUL and half characters are refused because PostgreSQL cannot hold them, prototype keys because no field is called so.
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
      parse(request, text, (error, body) => {
        if (error) return done(error)
        const fault = textProblem(text, body)
        done(fault ? badRequest(`Error in payload: ${fault}`) : null, body)
      })
    },
  )
}

/** What forbids reading a JSON text at all; asked before it is parsed, which takes a second for three million brackets. */
export const nestingProblem = (text: string): string | undefined =>
  text.length > NESTING_MAX && isDeeperThan(NESTING_MAX, text)
    ? `is nested deeper than ${NESTING_MAX} levels`
    : undefined

/** What no text may hold that is to be stored, anywhere in what a JSON text was parsed to. */
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

/** Where the string that begins at `start` ends: the next quote that no backslash escapes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

/** In any value or name; its depth is bounded already. */
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
