import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { exceededBound, JsonTooComplex } from '../../bounded-json.ts'
import { parseJsonInPieces } from '../../json-pieces.ts'
import { faultOfText, findFaultInPieces, REQUEST_BOUNDS } from '../../request-json.ts'
import { badRequest } from '../api-error.ts'
import { isLargeBody, type RequestTurn, runInTurn } from '../turns/request-turns.ts'
import { runInSlices } from '../turns/run-in-slices.ts'

/** Content types of JSON. */
export const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/

/** Finds candidates in the raw text only: `\\u0000` is harmless, and a pair of surrogates is well-formed. */
const SUSPICIOUS_ESCAPE = /\\u(0000|d[89a-f])/i

/**
 * Accepts JSON bodies only. An empty body counts as absent, because clients send the content type without a
 * body too, unless `large-body.ts` has read the body before. NUL and unpaired surrogates are rejected because
 * PostgreSQL cannot store them; prototype keys because no field has such a name.
 */
export function registerJsonBodyParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(JSON_TYPE, { parseAs: 'string' }, (request, text, done) => {
    const { turn, largeBody } = request as FastifyRequest & { turn: RequestTurn | null; largeBody: unknown }
    if (text === '') return done(null, largeBody ?? undefined)
    if (isLargeBody(text.length)) {
      const read = () => runInSlices(readLargeText(text))
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
  })
}

/**
 * Parses and checks a large body in slices, so that the process handles other requests meanwhile.
 * @throws ApiError 400, and the error of the framework for a text that is not JSON
 */
export function* readLargeText(text: string): Generator<void, unknown> {
  try {
    const body = yield* parseJsonInPieces(text, REQUEST_BOUNDS)
    const fault = yield* findFaultInPieces(text, body)
    if (fault) throw badRequest(`Error in payload: ${fault}`)
    return body
  } catch (error) {
    if (error instanceof JsonTooComplex) throw badRequest(`Error in payload: ${error.message}`)
    throw error instanceof SyntaxError ? new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY() : error
  }
}

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
