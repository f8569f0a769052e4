import { isObject } from '../../platform/json-object.ts'
import { chainLine, EMPTY_CHAIN } from '../../platform/line-chain.ts'

/** Compares the lines of the export of a project with its last line, in the memory of one line. */
export interface ExportCheck {
  /** Adds the next line, with its line feed. */
  add(line: string): void
  /** Returns the number of rows, or what is wrong with the lines. */
  finish(): { rows: number } | { fault: string }
}

export function createExportCheck(): ExportCheck {
  const counts: Record<string, number> = Object.create(null) as Record<string, number>
  let digest = EMPTY_CHAIN
  let rows = 0
  let end: Record<string, unknown> | undefined
  let fault: string | undefined
  return {
    add(line) {
      const value = parseLine(line)
      if (end || !value) fault ??= end ? 'it continues after its last line' : `line ${rows + 1} is not JSON`
      else if (value['type'] === 'end') end = value
      else {
        const type = String(value['type'])
        counts[type] = (counts[type] ?? 0) + 1
        rows += 1
        digest = chainLine(digest, line)
      }
    },
    finish() {
      if (fault !== undefined) return { fault }
      if (!end) return { fault: `it ends after ${rows} rows, without a line of the type "end"` }
      const expected = isObject(end['rows']) ? end['rows'] : {}
      const table = [...new Set([...Object.keys(expected), ...Object.keys(counts)])].find(
        (name) => (counts[name] ?? 0) !== (expected[name] ?? 0),
      )
      if (table !== undefined)
        return {
          fault: `it has ${counts[table] ?? 0} rows of ${table}, and its last line counts ${expected[table] ?? 0}`,
        }
      return end['digest'] === digest ? { rows } : { fault: 'a line was changed, added or moved' }
    },
  }
}

function parseLine(line: string): Record<string, unknown> | undefined {
  if (!line.endsWith('\n')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
