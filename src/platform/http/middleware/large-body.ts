import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import {
  isPartlyUnparsed,
  objectFromOutline,
  outlineRequestInThread,
  parseCheckedMembers,
} from '../../json-outline/index.ts'
import { IncompleteBodies, SharedBody } from '../../shared-body.ts'
import { badRequest } from '../api-error.ts'
import { type RequestTurn, runInTurn } from '../turns/request-turns.ts'
import { nextPortion, runInSlices } from '../turns/run-in-slices.ts'
import { JSON_TYPE, readLargeText } from './json-body.ts'

/** A request whose body may have been read before the parser of the framework. */
interface LargeRequest extends FastifyRequest {
  readonly turn: RequestTurn | null
  largeBody: unknown
}
type Done = (error: Error | null, payload?: Readable) => void

const incompleteRequests = new IncompleteBodies()
/** Bodies of a project that are read at a time. Others are read and parsed like those of other operations. */
const READ_AT_ONCE_MAX = 4
/** How many bodies of each project are being read. */
const reading = new Map<string, number>()

function countReading(projectId: string, change: 1 | -1): void {
  const count = (reading.get(projectId) ?? 0) + change
  if (count > 0) reading.set(projectId, count)
  else reading.delete(projectId)
}

/**
 * Returns a hook that reads large JSON bodies of an operation that forwards them. A thread checks the text. Of long
 * properties, those that the schema of the operation checks are parsed in slices; the others stay bytes until
 * something reads them. Five megabytes as objects take 25 MB, and the garbage collector stops the thread for them.
 */
export function largeBodyHook(schema: object) {
  return (request: FastifyRequest, _reply: FastifyReply, payload: Readable, done: Done): void => {
    const { headers, routeOptions } = request
    const { turn } = request as LargeRequest
    const projectId = turn?.projectId ?? ''
    const bytes = Number(headers['content-length'] ?? 0)
    const isReadHere =
      bytes <= routeOptions.bodyLimit &&
      JSON_TYPE.test(headers['content-type'] ?? '') &&
      (reading.get(projectId) ?? 0) < READ_AT_ONCE_MAX
    const memory = isReadHere ? SharedBody.reserve(headers, incompleteRequests) : undefined
    if (!memory) return done(null, payload)
    countReading(projectId, 1)
    const read = () => readBody(payload, memory, turn, schema)
    ;(turn ? runInTurn(turn, read) : read())
      .finally(() => countReading(projectId, -1))
      .then((body) => {
        Object.assign(request, { largeBody: body })
        done(null, emptyPayload(bytes))
      }, done)
  }
}

/** The framework compares the length of the body with the header. */
const emptyPayload = (receivedEncodedLength: number): Readable =>
  Object.assign(Readable.from([]), { receivedEncodedLength })

async function readBody(
  payload: Readable,
  memory: SharedBody,
  turn: RequestTurn | null,
  schema: object,
): Promise<unknown> {
  const received = await receive(payload, memory, turn)
  turn?.startSlices()
  const outline = await outlineRequestInThread(turn?.projectId ?? '', received)
  turn?.endSlices()
  if (outline.kind === 'other') return runInSlices(readLargeText(received.toString('utf8')))
  if (outline.kind === 'invalid') throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
  if (outline.kind === 'rejected') throw badRequest(`Error in payload: ${outline.reason}`)
  const { bytes, members } = outline
  const body = objectFromOutline(
    bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : received,
    members,
  )
  if (isPartlyUnparsed(body)) await runInSlices(parseCheckedMembers(body, schema))
  return body
}

/** Reads a body. While other projects are active, it reads a chunk when it is the turn of the project. */
function receive(payload: Readable, memory: SharedBody, turn: RequestTurn | null): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      memory.close()
      reject(Object.assign(error, { statusCode: 400 }))
    }
    payload.on('data', (chunk: Buffer) => {
      memory.add(chunk)
      const portion = memory.isComplete ? undefined : nextPortion(turn ?? undefined)
      if (!portion) return
      payload.pause()
      void portion.then(() => payload.resume())
    })
    payload.once('end', () => {
      const { isComplete } = memory
      if (isComplete) resolve(memory.close())
      else fail(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    })
    payload.once('error', fail)
    payload.once('close', () => fail(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()))
  })
}
