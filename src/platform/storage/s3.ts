import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { fromNodeProviderChain } from '@aws-sdk/credential-providers'
import { Upload } from '@aws-sdk/lib-storage'
import { createEgress, EgressError, parseAllowRules } from '../egress/index.ts'
import { s3Handler } from './s3-handler.ts'
import { checkKey, type FileStore, StorageError } from './types.ts'

export interface S3Settings {
  bucket: string
  region: string
  /** Undefined: the endpoint of Amazon S3 for the region. */
  endpoint: string | undefined
  /** Undefined: the credentials that the AWS SDK finds, such as a role, web identity, or profile. */
  credentials: S3Credentials | undefined
  /** The bucket is the first part of the path, not of the host name. */
  pathStyle: boolean
}

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary credentials. */
  sessionToken: string | undefined
}

/** Larger files are transferred in parts of this size, which bounds the memory. S3 requires at least 5 MB. */
const PART_BYTES = 8 * 1024 * 1024
const ATTEMPTS_MAX = 3

/**
 * Stores files in a bucket of Amazon S3 or of a server with the same API. The administrator chooses the
 * endpoint, so it may have a private address.
 */
export function s3Store(settings: S3Settings): FileStore {
  const { bucket, pathStyle } = settings
  const egress = createEgress({ allow: parseAllowRules(allowedHosts(settings)) })
  const client = new S3Client({
    ...clientConfig(settings),
    requestHandler: s3Handler(egress, PART_BYTES + 1),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS_MAX,
    // Many other servers with this API reject the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const object = (key: string) => ({ Bucket: bucket, Key: checkKey(key) })

  const readPart = async (key: string, start: number, end: number): Promise<Uint8Array> => {
    const { Body } = await client.send(
      new GetObjectCommand({ ...object(key), Range: `bytes=${start}-${end - 1}` }),
    )
    return Body!.transformToByteArray()
  }

  async function* readParts(key: string, first: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
    yield first
    for (let start = PART_BYTES; start < size; start += PART_BYTES)
      yield await readPart(key, start, Math.min(start + PART_BYTES, size)).catch(fail)
  }

  return {
    async put(key, { path }) {
      const upload = new Upload({
        client,
        params: { ...object(key), Body: createReadStream(path, { highWaterMark: PART_BYTES }) },
        partSize: PART_BYTES,
        queueSize: 1,
      })
      await upload.done().catch(fail)
      await rm(path, { force: true })
    },

    async read(key, size) {
      checkKey(key)
      // An empty object has no range.
      if (size === 0) {
        const head = await client.send(new HeadObjectCommand(object(key))).catch(undefinedIfMissing)
        return head && Readable.from([])
      }
      const first = await readPart(key, 0, Math.min(PART_BYTES, size)).catch(undefinedIfMissing)
      return first && Readable.from(readParts(key, first, size), { objectMode: false })
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(object(key))).catch(undefinedIfMissing)
    },

    async close() {
      client.destroy()
      await egress.close()
    },
  }
}

function clientConfig({ region, endpoint, credentials }: S3Settings): S3ClientConfig {
  return {
    region,
    ...(endpoint !== undefined && { endpoint }),
    credentials: credentials ?? foundCredentials(region),
  }
}

/**
 * The credentials that the AWS SDK finds: variables, profiles, web identity, the role of the container or the
 * machine. These services are reached without the egress guard, because their addresses are private.
 */
function foundCredentials(region: string): NonNullable<S3ClientConfig['credentials']> {
  const chain = fromNodeProviderChain({ clientConfig: { region } })
  return () => chain()
}

/** The hosts of the endpoint, with and without the bucket in the host name. */
function allowedHosts({ endpoint, region, bucket }: S3Settings): string {
  const { hostname, port, protocol } = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  const open = port || (protocol === 'https:' ? '443' : '80')
  const hosts = /^[\d.]+$|^\[/.test(hostname) ? [hostname] : [hostname, `${bucket}.${hostname}`]
  return hosts.map((host) => `${host}:${open}`).join(',')
}

interface ClientFailure {
  name?: string
  message?: string
  $metadata?: { httpStatusCode?: number }
}

function undefinedIfMissing(error: unknown): undefined {
  if ((error as ClientFailure).$metadata?.httpStatusCode === 404) return undefined
  fail(error)
}

/** @throws StorageError. Its cause has the status and the message only: the SDK's errors hold the request. */
function fail(error: unknown): never {
  if (error instanceof StorageError) throw error
  const { name = '', message = '', $metadata } = error as ClientFailure
  const cause = new Error([$metadata?.httpStatusCode, name, message].filter(Boolean).join(' ').slice(0, 300))
  if (error instanceof EgressError) throw new StorageError('the object store does not respond', { cause })
  if (name === 'CredentialsProviderError')
    throw new StorageError('no credentials for the object store were found', { cause })
  throw new StorageError('the object store rejected the request', { cause })
}
