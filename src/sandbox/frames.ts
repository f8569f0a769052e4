import { Buffer } from 'node:buffer'

// A frame of the channel between this server and a sandbox: the lengths of both parts as 32-bit numbers (big endian), a
// JSON header, and bytes. The sandbox runs hostile code, so the server checks both lengths before it reads on.

/** One message of the channel. `body`: JSON of the message, or the bytes of a file. */
export interface Frame {
  readonly header: FrameHeader
  readonly body: Uint8Array
}
/** `type`: the kind of message. `id`: of the run or the request. `op`: the operation of a request. */
export interface FrameHeader {
  readonly type: string
  readonly id: number
  readonly op?: string
  /** A short text: the path of a file, or the error of a reply. */
  readonly text?: string
}

export const LENGTHS_BYTES = 8
export const HEADER_BYTES_MAX = 64_000

/** Encodes a frame. */
export function encodeFrame(header: FrameHeader, body: Uint8Array): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const lengths = Buffer.alloc(LENGTHS_BYTES)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  return Buffer.concat([lengths, text, body])
}

/** The other side sent bytes that are no frame, or a frame that is too large. */
export class FrameError extends Error {}

/** Reads the lengths of the two parts. @throws FrameError */
export function readLengths(bytes: Buffer, bodyBytesMax: number): { header: number; body: number } {
  const header = bytes.readUInt32BE(0)
  const body = bytes.readUInt32BE(4)
  if (header > HEADER_BYTES_MAX) throw new FrameError(`a header has ${header} bytes`)
  if (body > bodyBytesMax) throw new FrameError(`a message has ${body} bytes; the limit is ${bodyBytesMax}`)
  return { header, body }
}

/** Reads a header. @throws FrameError */
export function readHeader(bytes: Buffer): FrameHeader {
  let json: Partial<Record<keyof FrameHeader, unknown>> | null
  try {
    json = JSON.parse(bytes.toString()) as typeof json
  } catch {
    throw new FrameError('a header is not JSON')
  }
  const { type, id, op, text } = json ?? {}
  if (typeof type !== 'string' || !Number.isSafeInteger(id))
    throw new FrameError('a header has no type or id')
  return {
    type,
    id: id as number,
    ...(typeof op === 'string' ? { op } : {}),
    ...(typeof text === 'string' ? { text } : {}),
  }
}

/** Splits a stream of bytes into frames. Feed it with each chunk. */
export function createFrameDecoder(bodyBytesMax: number, onFrame: (frame: Frame) => void) {
  let chunks: Buffer[] = []
  let length = 0
  let needed = LENGTHS_BYTES
  let lengths: { header: number; body: number } | undefined
  return (chunk: Buffer): void => {
    chunks.push(chunk)
    length += chunk.length
    while (length >= needed) {
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      if (!lengths) {
        lengths = readLengths(bytes, bodyBytesMax)
        needed = LENGTHS_BYTES + lengths.header + lengths.body
        chunks = [bytes]
        continue
      }
      const bodyAt = LENGTHS_BYTES + lengths.header
      const frame = {
        header: readHeader(bytes.subarray(LENGTHS_BYTES, bodyAt)),
        body: bytes.subarray(bodyAt, needed),
      }
      chunks = [bytes.subarray(needed)]
      length -= needed
      needed = LENGTHS_BYTES
      lengths = undefined
      onFrame(frame)
    }
  }
}
