import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { CachedToolkitContent } from '../../../catalog/index.ts'

const compress = promisify(deflateRaw)
const expand = promisify(inflateRaw)

/** Largest JSON of a toolkit: twice the size of the largest published API. */
export const CONTENT_BYTES_MAX = 128 * 1024 * 1024

/** Content of a snapshot: the toolkit, and the tool slug of each operation. */
export interface StoredContent extends CachedToolkitContent {
  readonly origins: Readonly<Record<string, string>>
}

export const packContent = (text: string): Promise<Buffer> => compress(text)
/** Decompresses content to its JSON text. @throws if the bytes are not a result of `packContent` */
export const expandContent = (bytes: Buffer): Promise<Buffer> =>
  expand(bytes, { maxOutputLength: CONTENT_BYTES_MAX })
/** Reads compressed content. @throws if the bytes are not a result of `packContent` */
export const readContent = async (bytes: Buffer): Promise<StoredContent> =>
  JSON.parse((await expandContent(bytes)).toString('utf8')) as StoredContent
