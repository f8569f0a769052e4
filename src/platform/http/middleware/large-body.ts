import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { isPartlyUnparsed, parseCheckedMembers } from '../../json-outline/index.ts'
import { badRequest } from '../api-error.ts'
import { type RequestTurn, runInTurn } from '../turns/request-turns.ts'
import { runInSlices } from '../turns/run-in-slices.ts'
import { readLargeText } from './json-body.ts'
import { objectOfBody, type ReceivedBody, receiveLargeBody } from './receive-large-body.ts'

/** A request whose body may have been read before the parser of the framework. */
interface LargeRequest extends FastifyRequest {
  readonly turn: RequestTurn | null
  largeBody: unknown
}
type Done = (error: Error | null, payload?: Readable) => void

/**
 * Returns a hook that reads large JSON bodies of an operation that forwards them. A thread checks the text. Of long
 * properties, those that the schema of the operation checks are parsed in slices; the others stay bytes until
 * something reads them. Five megabytes as objects take 25 MB, and the garbage collector stops the thread for them.
 */
export function largeBodyHook(schema: object) {
  return (request: FastifyRequest, _reply: FastifyReply, payload: Readable, done: Done): void => {
    const { headers, routeOptions } = request
    const { turn } = request as LargeRequest
    const receive = () =>
      receiveLargeBody({ payload, headers, bytesMax: routeOptions.bodyLimit, turn }, 'request', (body) =>
        readBody(body, schema),
      )
    const reading = turn ? runInTurn(turn, receive) : receive()
    if (!reading) return done(null, payload)
    reading.then((body) => {
      Object.assign(request, { largeBody: body })
      done(null, emptyPayload(headers))
    }, done)
  }
}

/** Returns a payload in place of one that has been read. The framework compares its length with the header. */
export const emptyPayload = (headers: FastifyRequest['headers']): Readable =>
  Object.assign(Readable.from([]), { receivedEncodedLength: Number(headers['content-length'] ?? 0) })

async function readBody({ bytes, outline }: ReceivedBody, schema: object): Promise<unknown> {
  if (outline.kind === 'other') return runInSlices(readLargeText(bytes.toString('utf8')))
  if (outline.kind === 'invalid') throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
  if (outline.kind === 'rejected') throw badRequest(`Error in payload: ${outline.reason}`)
  const body = objectOfBody(bytes, outline)
  if (isPartlyUnparsed(body)) await runInSlices(parseCheckedMembers(body, schema))
  return body
}
