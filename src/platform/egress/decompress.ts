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

// A small body is decompressed synchronously (1 kB: 14 µs), because the thread pool would cost more. If the
// output is larger, the thread pool does the work: 100 bytes of brotli can become 10 MB, which would block
// the event loop for 40 ms.
const syncBytesMax = 8 * 1024
const syncOutputMax = 256 * 1024
const layersMax = 3 // More layers are not used in practice, and each could be a compression bomb.

/**
 * Decompresses a body (gzip, br, deflate; several encodings in reverse order), with at most `bytesMax` bytes
 * at any moment. A body with an unknown encoding is returned unchanged, with its header.
 * @throws EgressError `too_large`, or `protocol` if the body does not match the header
 */
export async function decompressResponse(
  response: EgressResponse,
  bytesMax: number,
  label: string,
): Promise<EgressResponse> {
  const encodings = encodingsOf(response)
  if (encodings.length === 0) return response
  if (encodings.length > layersMax)
    throw new EgressError('protocol', `${label}: the response is encoded more than ${layersMax} times.`)
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
  const contentEncoding = headers['content-encoding']
  // There is no body (HEAD, 204), or a part that cannot be decompressed without the rest (206).
  if (contentEncoding === undefined || body.length === 0 || status === 206) return []
  return String(contentEncoding)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
}

function decoderFor(encoding: string, body: Buffer): Decoder | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gzip
  if (encoding === 'br') return brotli
  // Some servers send deflate without its zlib header (RFC 9110, section 8.4.1.2). The low bits of the header
  // are always 8.
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
    throw new EgressError('protocol', `${label}: the response cannot be decompressed.`, { cause })
  }
}

/** Returns undefined if the output is larger than `outputMax`. */
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
  return new EgressError('too_large', `${label}: the response is larger than ${bytesMax} bytes.`)
}
