import { promisify } from 'node:util'
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib'
import { EgressError } from './errors.ts'
import type { EgressResponse } from './types.ts'

interface Decoder {
  now(body: Buffer, options: ZlibOptions): Buffer
  later(body: Buffer, options: ZlibOptions): Promise<Buffer>
}

const gzip: Decoder = { now: gunzipSync, later: promisify<Buffer, ZlibOptions, Buffer>(gunzip) }
const brotli: Decoder = {
  now: brotliDecompressSync,
  later: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
}
const zlib: Decoder = { now: inflateSync, later: promisify<Buffer, ZlibOptions, Buffer>(inflate) }
const raw: Decoder = { now: inflateRawSync, later: promisify<Buffer, ZlibOptions, Buffer>(inflateRaw) }

// A small body is undone at once (1 kB: 14 µs), as the thread pool would cost more than the work. What turns out to be larger
// goes to the thread pool after all: 100 bytes of brotli can become 10 MB, which holds the event loop for 40 ms.
const syncBytesMax = 8 * 1024
const syncOutputMax = 256 * 1024
const layersMax = 3 // More is not seen in the wild, and each could be a bomb.

/**
 * Undoes content-encoding (gzip, br, deflate; several are undone last first), in at most `bytesMax` bytes at any moment.
 * An encoding that is not known stays, and so does its header.
 * @throws EgressError `too_large`, or `protocol` when the body is not what the header says.
 */
export async function decompressResponse(
  response: EgressResponse,
  bytesMax: number,
  label: string,
): Promise<EgressResponse> {
  const encodings = encodingsOf(response)
  if (encodings.length === 0) return response
  if (encodings.length > layersMax)
    throw new EgressError('protocol', `${label}: the answer is encoded more than ${layersMax} times.`)
  let body = response.body
  for (const encoding of encodings.reverse()) {
    const decoder = decoderFor(encoding, body)
    if (!decoder) return response
    body = await decompress(decoder, body, bytesMax, label)
  }
  const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers
  return { ...response, headers, body }
}

function encodingsOf({ status, headers, body }: EgressResponse): string[] {
  const given = headers['content-encoding']
  // Nothing to undo (HEAD, 204), or a part that cannot be undone without the rest of it (206).
  if (given === undefined || body.length === 0 || status === 206) return []
  return String(given)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
}

function decoderFor(encoding: string, body: Buffer): Decoder | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gzip
  if (encoding === 'br') return brotli
  // Some servers send deflate without its zlib header (RFC 9110, section 8.4.1.2); the header's low bits are always 8.
  if (encoding === 'deflate') return (body[0]! & 0x0f) === 8 ? zlib : raw
  return undefined
}

async function decompress(decoder: Decoder, body: Buffer, bytesMax: number, label: string): Promise<Buffer> {
  try {
    const quick =
      body.length <= syncBytesMax ? atOnce(decoder, body, Math.min(bytesMax, syncOutputMax)) : undefined
    return quick ?? (await decoder.later(body, { maxOutputLength: Math.max(1, bytesMax) }))
  } catch (cause) {
    if (isOutputTooLarge(cause)) throw tooLarge(label, bytesMax)
    throw new EgressError('protocol', `${label}: the answer cannot be decompressed.`, { cause })
  }
}

/** Undefined when the output is larger than `outputMax`. */
function atOnce(decoder: Decoder, body: Buffer, outputMax: number): Buffer | undefined {
  try {
    return decoder.now(body, { maxOutputLength: Math.max(1, outputMax) })
  } catch (error) {
    if (isOutputTooLarge(error)) return undefined
    throw error
  }
}

function isOutputTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
}

export function tooLarge(label: string, bytesMax: number): EgressError {
  return new EgressError('too_large', `${label}: the answer is larger than ${bytesMax} bytes.`)
}
