import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { CachedToolkitContent } from '../../manifest/load/disk-cache/index.ts'

const compress = promisify(deflateRaw)
const expand = promisify(inflateRaw)

/** Largest JSON of a toolkit: twice the size of the largest published API. */
export const CONTENT_BYTES_MAX = 128 * 1024 * 1024

/** Content of a version: the toolkit, its tools, and the tool slug of each operation. */
export interface VersionContent extends CachedToolkitContent {
  readonly origins: Readonly<Record<string, string>>
}

export const packContent = (json: Buffer): Promise<Buffer> => compress(json)
/** Decompresses content to its JSON text. @throws if the bytes are not a result of `packContent` */
export const expandContent = (bytes: Uint8Array): Promise<Buffer> =>
  expand(bytes, { maxOutputLength: CONTENT_BYTES_MAX })
/** Reads compressed content. @throws if the bytes are not a result of `packContent` */
export const readContent = async (bytes: Uint8Array): Promise<VersionContent> =>
  JSON.parse((await expandContent(bytes)).toString('utf8')) as VersionContent
