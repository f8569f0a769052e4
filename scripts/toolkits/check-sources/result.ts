import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckedSources } from './check-file.ts'

export const CHECKED_SOURCES_FILE = join(import.meta.dirname, '..', 'data', 'checked-sources.jsonl')

/** Returns the result of the last run, by toolkit. */
export function readCheckedSources(): Map<string, CheckedSources> {
  if (!existsSync(CHECKED_SOURCES_FILE)) return new Map()
  const lines = readFileSync(CHECKED_SOURCES_FILE, 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => JSON.parse(line) as CheckedSources).map((one) => [one.slug, one]))
}
