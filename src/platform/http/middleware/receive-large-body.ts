import { errorCodes } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { objectFromOutline, outlineRequestInThread, type RequestOutline } from '../../json-outline/index.ts'
import { IncompleteBodies, SharedBody } from '../../shared-body.ts'
import type { RequestTurn } from '../turns/request-turns.ts'
import { nextPortion } from '../turns/run-in-slices.ts'
import { JSON_TYPE } from './json-body.ts'

/** A request whose body has not been read. */
export interface UnreadRequest {
  readonly payload: Readable
  readonly headers: IncomingHttpHeaders
  readonly bytesMax: number
  readonly turn: RequestTurn | null
}
/** A large body, and what a thread found in it. */
export interface ReceivedBody {
  readonly bytes: Buffer
  readonly outline: RequestOutline
}

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
 * Reads a large JSON body, lets a thread check it, and returns what `use` returns for it. Returns undefined and reads
 * nothing if the body is small or no JSON, or if too many others are being read.
 * @param kind `message`: its objects may have prototype keys
 * @throws an error of the framework for a body of another length than announced
 */
export function receiveLargeBody<T>(
  { payload, headers, bytesMax, turn }: UnreadRequest,
  kind: 'request' | 'message',
  use: (body: ReceivedBody) => Promise<T>,
): Promise<T> | undefined {
  const projectId = turn?.projectId ?? ''
  const isReadHere =
    Number(headers['content-length'] ?? 0) <= bytesMax &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    (reading.get(projectId) ?? 0) < READ_AT_ONCE_MAX
  const memory = isReadHere ? SharedBody.reserve(headers, incompleteRequests) : undefined
  if (!memory) return undefined
  countReading(projectId, 1)
  const receiveAndUse = async () => {
    const bytes = await receive(payload, memory, turn)
    turn?.startSlices()
    const outline = await outlineRequestInThread(projectId, bytes, kind)
    turn?.endSlices()
    return use({ bytes, outline })
  }
  return receiveAndUse().finally(() => countReading(projectId, -1))
}

/** Returns the object of a body. Its long properties are parsed when something reads them. */
export const objectOfBody = (
  received: Buffer,
  { bytes, members }: RequestOutline & { kind: 'object' },
): Record<string, unknown> =>
  objectFromOutline(bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : received, members)

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
