import { createHash } from 'node:crypto'
import type { Imported } from '../imported.ts'

/**
 * An import as it is kept: the same content has the same text and the same name, whenever and by whom it was
 * imported.
 */
export interface Snapshot {
  /** Canonical JSON of `{format, toolkit, tools, origins}`. */
  readonly text: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly sha256: string
}

/** Of the shape of what is kept; a change of meaning takes the next one. */
export const SNAPSHOT_FORMAT = 1

/** Leaves the report out: it describes the import, not the toolkit. Yields after each tool. */
export function* snapshotOf(imported: Imported): Generator<void, Snapshot> {
  const hash = createHash('sha256')
  let text = ''
  for (const piece of snapshotPieces(imported)) {
    hash.update(piece)
    text += piece
    yield
  }
  return { text, sha256: hash.digest('hex') }
}

/** The text of a snapshot, a tool at a time: the largest toolkits come to 70 MB. */
export function* snapshotPieces({ toolkit, tools, origins }: Imported): Generator<string> {
  yield `{"format":${SNAPSHOT_FORMAT},"origins":${canonicalJson(origins)},"toolkit":${canonicalJson(toolkit)},"tools":[`
  for (const [at, tool] of [...tools].sort((a, b) => (a.slug < b.slug ? -1 : 1)).entries())
    yield `${at > 0 ? ',' : ''}${canonicalJson(tool)}`
  yield ']}'
}

/**
 * JSON with sorted keys and nothing between (RFC 8785; numbers as ECMAScript writes them). Members without a
 * value are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one ?? null)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  let members = ''
  for (const key of Object.keys(value).sort()) {
    const one = (value as Record<string, unknown>)[key]
    if (one !== undefined)
      members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(one)}`
  }
  return `{${members}}`
}

const VERSION = /^\d{8}_\d{2}$/

/**
 * The version of a toolkit that is released today (UTC), after those that there are: `20261121_00`, then
 * `20261121_01`. Never older than the newest.
 */
export function nextVersion(existing: readonly string[], now: number): string {
  const today = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  const newest = existing
    .filter((version) => VERSION.test(version))
    .sort()
    .at(-1)
  if (newest === undefined || newest < `${today}_00`) return `${today}_00`
  const [day, count] = newest.split('_') as [string, string]
  if (Number(count) < 99) return `${day}_${String(Number(count) + 1).padStart(2, '0')}`
  const next = new Date(
    Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)) + 1),
  )
  return `${next.toISOString().slice(0, 10).replaceAll('-', '')}_00`
}
