import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { ExportedRow, ExportedRows } from '../../../platform/db/exported-rows.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import { chainLine } from '../../../platform/line-chain.ts'
import { type ExportPosition, firstPosition, formatPosition, parsePosition } from './position.ts'

export interface ProjectExportDeps {
  db: Pool
  encryptor: Encryptor
  /** In the order of the export. */
  exported: readonly ExportedRows[]
  /** Tables that are not exported, and why. */
  leftOut: Readonly<Record<string, string>>
}

/** A page ends early at this size. */
const PAGE_CHARACTERS = 4_000_000
/** Rows that are in memory together. The payload of an event may have a megabyte. */
const ROWS_PER_BATCH = 20

/**
 * Returns a page of everything that a project owns, one JSON object a line, and where the next page starts. The last
 * page ends with a line that has the counts and the digest of the lines before it.
 */
export async function exportProject(
  deps: ProjectExportDeps,
  projectId: string,
  cursor: string | undefined,
  limit: number,
): Promise<{ content: string; next_cursor: string | null }> {
  const { exported, leftOut } = deps
  const position = cursor === undefined ? firstPosition(exported.length) : parseCursor(deps, cursor)
  const lines: string[] = []
  let characters = 0
  while (position.table < exported.length) {
    const part = exported[position.table] as ExportedRows
    const batch = Math.min(ROWS_PER_BATCH, limit - lines.length)
    const rows = await part.read(deps, projectId, { after: position.after, limit: batch })
    for (const row of rows) {
      const line = addLine(position, part.table, row)
      lines.push(line)
      characters += line.length
    }
    if (lines.length >= limit || characters >= PAGE_CHARACTERS)
      return { content: lines.join(''), next_cursor: formatPosition(position) }
    if (rows.length < batch) Object.assign(position, { table: position.table + 1, after: undefined })
  }
  lines.push(endLine(position, projectId, exported, leftOut))
  return { content: lines.join(''), next_cursor: null }
}

const parseCursor = ({ exported }: ProjectExportDeps, cursor: string): ExportPosition =>
  parsePosition(
    cursor,
    exported.map(({ key }) => key),
  )

/** Returns the line of a row, and moves the position behind it. */
function addLine(position: ExportPosition, table: string, { key, row, ...more }: ExportedRow): string {
  const line = `${JSON.stringify({
    type: table,
    row,
    ...('content' in more && { content: more.content }),
    ...(more.isUnreadable && { unreadable: true }),
  })}\n`
  position.after = key
  position.counts[position.table]! += 1
  position.digest = chainLine(position.digest, line)
  return line
}

const endLine = (
  { counts, digest }: ExportPosition,
  projectId: string,
  exported: readonly ExportedRows[],
  leftOut: Readonly<Record<string, string>>,
): string =>
  `${JSON.stringify({
    type: 'end',
    project_id: projectId,
    rows: Object.fromEntries(exported.map(({ table }, at) => [table, counts[at]])),
    left_out: leftOut,
    digest,
  })}\n`
