import type { FastifyInstance } from 'fastify'
import { badRequest } from './api-error.ts'

/**
 * JSON bodies only. An empty one counts as absent: clients put the content type on calls without a body too.
 * NUL is refused because PostgreSQL text cannot hold it, prototype keys because no field is called so.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(/^application\/([\w.-]+\+)?json\b/, { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    parse(request, text, (error, body) => {
      if (error) return done(error)
      // The raw text is only a quick sign: an escaped backslash before u0000 is harmless.
      if (text.includes('\\u0000') && holdsNul(body)) return done(badRequest('Error in payload: texts must not hold NUL'))
      done(null, body)
    })
  })
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (Array.isArray(value)) return value.some(holdsNul)
  if (typeof value === 'object' && value !== null) return Object.entries(value).some(([key, member]) => key.includes('\0') || holdsNul(member))
  return false
}
