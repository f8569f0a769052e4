import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { exceededBound, JSON_BOUNDS, JsonTooComplex } from '../../bounded-json.ts'
import { parseJsonInPieces } from '../../json-pieces.ts'
import { badRequest } from '../api-error.ts'
import { isLargeBody, type RequestTurn, runInTurn } from '../turns/request-turns.ts'
import { runInSlices } from '../turns/run-in-slices.ts'

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
      if (isLargeBody(text.length)) {
        const { turn } = request as FastifyRequest & { turn: RequestTurn | null }
        const read = () => runInSlices(readLargeBody(text))
        void (turn ? runInTurn(turn, read) : read()).then((body) => done(null, body), done)
        return
      }
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
 * Parses and checks a large body in slices, so that the process handles other requests meanwhile.
 * @throws ApiError 400, and the error of the framework for a text that is not JSON
 */
function* readLargeBody(text: string): Generator<void, unknown> {
  try {
    const body = yield* parseJsonInPieces(text, REQUEST_BOUNDS)
    const fault = SUSPICIOUS_TEXTS.some((one) => text.includes(one))
      ? yield* findFaultInPieces(body)
      : undefined
    if (fault) throw badRequest(`Error in payload: ${fault}`)
    return body
  } catch (error) {
    if (error instanceof JsonTooComplex) throw badRequest(`Error in payload: ${error.message}`)
    throw error instanceof SyntaxError ? new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY() : error
  }
}

/** A text without any of these has no NUL, no unpaired surrogate and no prototype key. */
const SUSPICIOUS_TEXTS = ['\\u', '__proto__', 'constructor']
const VALUES_PER_PIECE = 1_000

/** Returns why a parsed text cannot be stored. @throws SyntaxError for a prototype key, as the parser of small bodies */
function* findFaultInPieces(body: unknown): Generator<void, string | undefined> {
  const rest = [body]
  let count = 0
  while (rest.length > 0) {
    const value = rest.pop()
    const fault = typeof value === 'string' ? faultOfText(value) : undefined
    if (fault) return fault
    if (typeof value !== 'object' || value === null) continue
    if (hasPrototypeKey(value)) throw new SyntaxError('The body has a prototype key.')
    for (const name in value) {
      const faultOfName = faultOfText(name)
      if (faultOfName) return faultOfName
      rest.push((value as Record<string, unknown>)[name])
      if (++count % VALUES_PER_PIECE === 0) yield
    }
  }
  return undefined
}

function hasPrototypeKey(value: object): boolean {
  if (Object.hasOwn(value, '__proto__')) return true
  const inner = Object.hasOwn(value, 'constructor')
    ? (value as Record<string, unknown>)['constructor']
    : undefined
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')
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
  if (typeof value === 'string') return faultOfText(value)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const fault = (Array.isArray(value) ? undefined : findTextProblem(key)) ?? findTextProblem(member)
    if (fault) return fault
  }
  return undefined
}

function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'texts must not hold NUL'
  return text.isWellFormed() ? undefined : 'texts must be well-formed Unicode'
}
