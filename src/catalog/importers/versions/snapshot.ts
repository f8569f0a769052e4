import type { Imported } from '../imported.ts'
import { canonicalJson } from './canonical-json.ts'

/** Of the shape of what is kept; a change of meaning takes the next one. */
export const SNAPSHOT_FORMAT = 1

/**
 * The canonical JSON of `{format, origins, toolkit, tools}`, a tool at a time: the largest toolkits come to 70 MB. The
 * same content has the same text, whenever and by whom it was imported. The report is left out: it describes the
 * import, not the toolkit.
 */
export function* snapshotPieces({ toolkit, tools, origins }: Imported): Generator<string> {
  yield `{"format":${SNAPSHOT_FORMAT},"origins":${canonicalJson(origins)},"toolkit":${canonicalJson(toolkit)},"tools":[`
  for (const [at, tool] of [...tools].sort((a, b) => (a.slug < b.slug ? -1 : 1)).entries())
    yield `${at > 0 ? ',' : ''}${canonicalJson(tool)}`
  yield ']}'
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
