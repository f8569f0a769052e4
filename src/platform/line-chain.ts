import { createHash } from 'node:crypto'

/** The digest before the first line. */
export const EMPTY_CHAIN = '0'.repeat(64)

/**
 * Returns the digest of a text whose last line is `line`: SHA-256 of the digest of the lines before it and of the line
 * with its line feed, in hexadecimal. Unlike a hash of the whole text, it can be continued by another process.
 */
export const chainLine = (digest: string, line: string): string =>
  createHash('sha256').update(digest).update(line).digest('hex')
