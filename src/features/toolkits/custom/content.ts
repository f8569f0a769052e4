import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { CachedToolkitContent } from '../../../catalog/index.ts'

const compress = promisify(deflateRaw)
const expand = promisify(inflateRaw)

/** JSON of a toolkit: twice what the largest that vendors publish comes to. */
export const CONTENT_BYTES_MAX = 128 * 1024 * 1024

/** What a snapshot holds beside the toolkit: which operation became which tool. */
export interface Stored extends CachedToolkitContent {
  readonly origins: Readonly<Record<string, string>>
}

export const packContent = (text: string): Promise<Buffer> => compress(text)
/** @throws when the bytes are not what `packContent` made */
export const readContent = async (bytes: Buffer): Promise<Stored> =>
  JSON.parse((await expand(bytes, { maxOutputLength: CONTENT_BYTES_MAX })).toString('utf8')) as Stored
