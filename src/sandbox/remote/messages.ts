import { parseBoundedJson } from '../../platform/bounded-json.ts'
import { isObject } from '../../platform/json-object.ts'
import type { Frame } from '../frames.ts'
import { readOutcome } from '../outcome.ts'
import type { SandboxOutcome } from '../types.ts'

// The lines of a run, as docs/guides/remote-sandboxes.md describes them. The service forwards what hostile code sends,
// so each line is checked.

/** One line of a run. */
export type RemoteMessage =
  | { readonly type: 'request'; readonly frame: Frame }
  | { readonly type: 'done'; readonly outcome: SandboxOutcome }
  | { readonly type: 'stopped'; readonly reason: string }

/** The service sent a line that is no message. */
export class RemoteProtocolError extends Error {}

const LINE_BOUNDS = { depth: 3, values: 100 }
const REASON_CHARACTERS_MAX = 300
const OPERATION_CHARACTERS_MAX = 100
const TEXT_CHARACTERS_MAX = 60_000
const NEWLINE = 10

/** Parses a line. @throws RemoteProtocolError */
export function parseMessage(line: string): RemoteMessage {
  let json: unknown
  try {
    json = parseBoundedJson(line, LINE_BOUNDS)
  } catch {
    throw new RemoteProtocolError('a line is not valid JSON')
  }
  if (!isObject(json)) throw new RemoteProtocolError('a line is not an object')
  const { type, id, op, text = '', body = '', outcome, reason } = json
  if (type === 'done' && isObject(outcome)) return { type, outcome: readOutcome(outcome) }
  if (type === 'stopped')
    return {
      type,
      reason: (typeof reason === 'string' && reason.slice(0, REASON_CHARACTERS_MAX)) || 'it ended',
    }
  if (type !== 'request' || !Number.isSafeInteger(id))
    throw new RemoteProtocolError('a line has no known type')
  if (typeof op !== 'string' || typeof text !== 'string' || typeof body !== 'string')
    throw new RemoteProtocolError('op, text and body of a request must be texts')
  if (op.length > OPERATION_CHARACTERS_MAX || text.length > TEXT_CHARACTERS_MAX)
    throw new RemoteProtocolError('op or text of a request is too long')
  return {
    type,
    frame: { header: { type, id: id as number, op, text }, body: Buffer.from(body, 'base64') },
  }
}

/** Splits a stream of bytes into lines. Feed it with each chunk; empty lines are left out. */
export function createLineDecoder(lineBytesMax: number, onLine: (line: string) => void) {
  let chunks: Buffer[] = []
  let length = 0
  return (chunk: Buffer): void => {
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      if (length + end > lineBytesMax)
        throw new RemoteProtocolError(`a line has more than ${lineBytesMax} bytes`)
      const line = Buffer.concat([...chunks, rest.subarray(0, end)]).toString()
      chunks = []
      length = 0
      rest = rest.subarray(end + 1)
      if (line.trim()) onLine(line)
    }
    length += rest.length
    if (length > lineBytesMax) throw new RemoteProtocolError(`a line has more than ${lineBytesMax} bytes`)
    // A copy: the chunk may be part of a buffer that is used again.
    if (rest.length) chunks.push(Buffer.from(rest))
  }
}
