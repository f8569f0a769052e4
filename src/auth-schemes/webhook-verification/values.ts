import { compilePath, type EntryManifest, type PathReader } from '../../catalog/index.ts'

const TEXT_MAX = 16_384
const ENTRIES_MAX = 20
const PATHS = new Map<string, PathReader>()

/** A path of a manifest, which are few, into whatever is given. */
export function at(path: string, value: unknown): unknown {
  let read = PATHS.get(path)
  if (!read) PATHS.set(path, (read = compilePath(path)))
  return read(value)
}

/** A text or a number as text; undefined for anything else, and for what is longer than any honest value. */
export function plainText(value: unknown): string | undefined {
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'number' && Number.isFinite(value)
        ? String(value)
        : undefined
  return text === undefined || text.length > TEXT_MAX ? undefined : text
}

/** The values that a manifest means at a place: one, or those entries of a list that have the prefix. Empty ones are none. */
export function entriesAt({ at: path, separator, prefix = '' }: EntryManifest, value: unknown): string[] {
  const text = plainText(at(path, value))
  if (text === undefined) return []
  const entries =
    separator === undefined ? [text] : text.split(separator, ENTRIES_MAX).map((entry) => entry.trim())
  return entries
    .filter((entry) => entry.startsWith(prefix) && entry.length > prefix.length)
    .map((entry) => entry.slice(prefix.length))
}
