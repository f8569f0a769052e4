import { compilePath, type EntryManifest, type PathReader } from '../../catalog/index.ts'

const TEXT_MAX = 16_384
const ENTRIES_MAX = 20
const PATHS = new Map<string, PathReader>()

/** Reads a path of a manifest. Compiled paths are cached: their number is limited. */
export function readPath(path: string, value: unknown): unknown {
  let read = PATHS.get(path)
  if (!read) PATHS.set(path, (read = compilePath(path)))
  return read(value)
}

/**
 * Converts a text or a number to text; undefined for anything else, and for texts longer than any legitimate
 * value.
 */
export function plainText(value: unknown): string | undefined {
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'number' && Number.isFinite(value)
        ? String(value)
        : undefined
  return text === undefined || text.length > TEXT_MAX ? undefined : text
}

/** Reads the values at a path: one, or the entries of a list that have the prefix. Empty ones are omitted. */
export function entriesAt({ at: path, separator, prefix = '' }: EntryManifest, value: unknown): string[] {
  const text = plainText(readPath(path, value))
  if (text === undefined) return []
  const entries =
    separator === undefined ? [text] : text.split(separator, ENTRIES_MAX).map((entry) => entry.trim())
  return entries
    .filter((entry) => entry.startsWith(prefix) && entry.length > prefix.length)
    .map((entry) => entry.slice(prefix.length))
}
