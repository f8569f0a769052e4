import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import aws4 from 'aws4'
import {
  createEgress,
  type EgressRequest,
  type EgressResponse,
  EgressError,
  parseAllowRules,
} from '../egress/index.ts'
import { checkKey, type FileStore, type Spooled, StorageError } from './types.ts'

export interface S3Settings {
  bucket: string
  region: string
  /** Undefined: that of Amazon for the region. */
  endpoint: string | undefined
  accessKeyId: string
  secretAccessKey: string
  /** The bucket as the first part of the path, not of the host name. */
  pathStyle: boolean
}

/** Larger files go and come in parts of this size, so that a transfer holds no more in memory. S3 wants 5 MB at least. */
const PART_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 60_000
const TRIES = 3
const PAUSE_MS = 200
/** Nothing was done, or doing it again changes nothing. */
const AGAIN = new Set([429, 500, 502, 503, 504])

/** Files in a bucket of Amazon S3 or of a server that speaks its protocol. The operator names the endpoint, so it may be a private one. */
export function s3Store(settings: S3Settings): FileStore {
  const { bucket, region, accessKeyId, secretAccessKey, pathStyle } = settings
  const endpoint = new URL(settings.endpoint ?? `https://s3.${region}.amazonaws.com`)
  const port = endpoint.port || (endpoint.protocol === 'https:' ? '443' : '80')
  const host = pathStyle ? endpoint.host : `${bucket}.${endpoint.host}`
  const egress = createEgress({
    allow: parseAllowRules(`${pathStyle ? endpoint.hostname : `${bucket}.${endpoint.hostname}`}:${port}`),
  })
  const prefix = `${endpoint.pathname.replace(/\/$/, '')}${pathStyle ? `/${bucket}` : ''}`

  async function send(
    method: string,
    key: string,
    {
      query = '',
      headers = {},
      body,
      bytesMax,
    }: { query?: string; headers?: Record<string, string>; body?: Buffer | string; bytesMax?: number } = {},
  ): Promise<EgressResponse> {
    const path = `${prefix}/${checkKey(key)}${query}`
    for (let attempt = 1; ; attempt++) {
      // Each try has a signature of its own: one is good for some minutes only.
      const signed = aws4.sign(
        {
          host,
          path,
          method,
          service: 's3',
          region,
          ...(body === undefined ? {} : { body }),
          headers: {
            ...(body === undefined ? {} : { 'content-type': 'application/octet-stream' }),
            ...headers,
            'x-amz-content-sha256': createHash('sha256')
              .update(body ?? '')
              .digest('hex'),
          },
        },
        { accessKeyId, secretAccessKey },
      )
      const sent = Object.fromEntries(
        Object.entries(signed.headers ?? {})
          .map(([name, value]) => [name.toLowerCase(), String(value)])
          .filter(([name]) => name !== 'content-length'),
      ) as Record<string, string>
      const request: EgressRequest = {
        method,
        url: `${endpoint.protocol}//${host}${path}`,
        headers: { ...sent, 'accept-encoding': 'identity' },
        maxRedirects: 0,
        timeoutMs: TIMEOUT_MS,
        ...(body === undefined ? {} : { body }),
        ...(bytesMax === undefined ? {} : { bytesMax }),
      }
      const reply = await egress.send(request).catch((error: unknown) => {
        if (attempt < TRIES && error instanceof EgressError && error.kind !== 'refused_address')
          return undefined
        throw new StorageError('the object store does not answer', { cause: error })
      })
      if (reply && (attempt === TRIES || !AGAIN.has(reply.status))) return reply
      await wait(PAUSE_MS * 2 ** (attempt - 1))
    }
  }

  const done = (reply: EgressResponse): EgressResponse => {
    // An error of S3 is XML that repeats what was asked; for the log its beginning is enough.
    if (reply.status < 200 || reply.status > 299)
      throw new StorageError('the object store refused', {
        cause: new Error(`${reply.status}: ${reply.body.toString('utf8', 0, 300)}`),
      })
    return reply
  }

  async function putInParts(key: string, path: string): Promise<void> {
    const begun = done(await send('POST', key, { query: '?uploads' })).body.toString()
    const id = /<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1]
    if (id === undefined) throw new StorageError('the object store begins no upload')
    const upload = `uploadId=${encodeURIComponent(id)}`
    try {
      const tags: string[] = []
      for await (const part of inParts(path))
        tags.push(
          String(
            done(await send('PUT', key, { query: `?partNumber=${tags.length + 1}&${upload}`, body: part }))
              .headers['etag'] ?? '',
          ),
        )
      const parts = tags
        .map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
        .join('')
      const reply = done(
        await send('POST', key, {
          query: `?${upload}`,
          headers: { 'content-type': 'application/xml' },
          body: `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`,
        }),
      )
      // It may say 200 and then fail (API reference, CompleteMultipartUpload).
      if (/<Error>/.test(reply.body.toString()))
        throw new StorageError('the object store did not complete an upload', {
          cause: new Error(reply.body.toString('utf8', 0, 300)),
        })
    } catch (error) {
      await send('DELETE', key, { query: `?${upload}` }).catch(() => {})
      throw error
    }
  }

  return {
    async put(key: string, { path, size }: Spooled) {
      if (size > PART_BYTES) await putInParts(key, path)
      else done(await send('PUT', key, { body: await readFile(path) }))
      await rm(path, { force: true })
    },

    async read(key, size) {
      if (size === 0) return (await send('HEAD', key)).status === 404 ? undefined : Readable.from([])
      const part = async (start: number) =>
        send('GET', key, {
          headers: { range: `bytes=${start}-${Math.min(start + PART_BYTES, size) - 1}` },
          bytesMax: PART_BYTES + 1,
        })
      const first = await part(0)
      if (first.status === 404) return undefined
      return Readable.from(
        (async function* () {
          yield done(first).body
          for (let at = PART_BYTES; at < size; at += PART_BYTES) yield done(await part(at)).body
        })(),
        { objectMode: false },
      )
    },

    async remove(key) {
      const reply = await send('DELETE', key)
      if (reply.status !== 404) done(reply)
    },

    close: () => egress.close(),
  }
}

/** A file in pieces of one size, but for the last. */
async function* inParts(path: string): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of createReadStream(path, { highWaterMark: PART_BYTES }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    const all = Buffer.concat(chunks)
    yield all.subarray(0, PART_BYTES)
    chunks = size > PART_BYTES ? [all.subarray(PART_BYTES)] : []
    size -= PART_BYTES
  }
  if (size > 0) yield Buffer.concat(chunks)
}
