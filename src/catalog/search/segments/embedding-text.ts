import { createHash } from 'node:crypto'
import type { SearchDocument } from './document.ts'
import type { Segment } from './segment.ts'

/** Bytes of a digest: enough that no two of some million texts share one. */
export const DIGEST_BYTES = 16
const DESCRIPTION_CHARS_MAX = 600
const TEXT_CHARS_MAX = 1_000

/** The text of a tool that an embedding model reads: application, name, description, and what people say. */
export const embeddingText = (
  { name, description, phrases }: Pick<SearchDocument, 'name' | 'description' | 'phrases'>,
  toolkitName: string,
): string =>
  `${toolkitName}: ${name}. ${description.slice(0, DESCRIPTION_CHARS_MAX)} ${phrases.join('. ')}`
    .slice(0, TEXT_CHARS_MAX)
    .trim()

/** The beginning of the SHA-256 of a text: a vector belongs to it as long as the text is the same. */
export const textDigest = (text: string): Buffer =>
  createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES)

/** The digest of the text of a tool of an index, in hex. */
export const textDigestOf = ({ textDigests }: Segment, tool: number): string =>
  Buffer.from(textDigests.buffer, textDigests.byteOffset + tool * DIGEST_BYTES, DIGEST_BYTES).toString('hex')
