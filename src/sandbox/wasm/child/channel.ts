import { Buffer } from 'node:buffer'
import { readSync, writeSync } from 'node:fs'
import {
  encodeFrame,
  type Frame,
  type FrameHeader,
  LENGTHS_BYTES,
  readHeader,
  readLengths,
} from '../../frames.ts'

/** The channel of the sandbox process to the server, the only way out of the process. */
export interface Channel {
  /** Waits for the next run. Blocks the process: nothing runs between two runs. */
  nextRun(): Frame
  send(header: FrameHeader, body: Uint8Array): void
  /** Requests something of the server without blocking other work. */
  request(op: string, text: string, body: Uint8Array): Promise<Reply>
  /** The same for callers that cannot wait for a promise, such as a read of a file. */
  requestSync(op: string, text: string, body: Uint8Array): Reply
}
/** `error`: the request failed, and `body` is empty. */
export interface Reply {
  readonly error: string | undefined
  readonly text: string
  readonly body: Uint8Array
}

/** A socket pair. Standard input and output are not used: libraries change their mode. */
const CHANNEL_FD = 3
const FRAME_BYTES_MAX = 1_100_000_000

/** Writes all bytes to the channel. */
export function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(CHANNEL_FD, bytes, at)
}

/** Opens the channel. `exit` ends the process after the server has closed the channel. */
export function openChannel(exit: () => never): Channel {
  const pending = new Map<number, (reply: Reply) => void>()
  let lastId = 0
  let isPumping = false

  function readExactly(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    for (let at = 0; at < length;) {
      const read = readSync(CHANNEL_FD, bytes, at, length - at, null)
      if (read === 0) exit()
      at += read
    }
    return bytes
  }
  function readFrame(): Frame {
    const { header, body } = readLengths(readExactly(LENGTHS_BYTES), FRAME_BYTES_MAX)
    return { header: readHeader(readExactly(header)), body: readExactly(body) }
  }
  function send(header: FrameHeader, body: Uint8Array): void {
    writeAll(encodeFrame(header, body))
  }
  /** Reads one reply, and gives it to the request that waits for it. */
  function readReply(): void {
    const { header, body } = readFrame()
    const resolve = pending.get(header.id)
    pending.delete(header.id)
    const { text = '' } = header
    resolve?.(header.type === 'failed' ? { error: text, text: '', body } : { error: undefined, text, body })
  }
  /** All code that runs waits for replies, so the process may block until one arrives. */
  function pump(): void {
    isPumping = pending.size > 0
    if (!isPumping) return
    readReply()
    setImmediate(pump)
  }
  function start(op: string, text: string, body: Uint8Array, resolve: (reply: Reply) => void): void {
    const id = ++lastId
    pending.set(id, resolve)
    send({ type: 'request', id, op, text }, body)
  }
  return {
    nextRun: readFrame,
    send,
    request(op, text, body) {
      const promise = new Promise<Reply>((resolve) => start(op, text, body, resolve))
      if (!isPumping) {
        isPumping = true
        setImmediate(pump)
      }
      return promise
    },
    requestSync(op, text, body) {
      let reply: Reply | undefined
      start(op, text, body, (received) => (reply = received))
      while (!reply) readReply()
      return reply
    },
  }
}
