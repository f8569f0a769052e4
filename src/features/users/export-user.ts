import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { UserRows } from '../../platform/db/user-rows.ts'
import { badRequest } from '../../platform/http/api-error.ts'

export interface UserExportDeps {
  db: Pool
  encryptor: Encryptor
  /** In the order of the export. */
  exported: readonly UserRows[]
}

interface Position {
  table: number
  after: string
}

/** A row of the log may have 16 KB of arguments and of results. A page ends early at this size. */
const PAGE_CHARACTERS = 4_000_000

/**
 * Returns a page of everything that a project has of a user, one JSON object a line, and where the next page
 * starts.
 */
export async function exportUser(
  deps: UserExportDeps,
  user: { projectId: string; userId: string },
  cursor: string | undefined,
  limit: number,
): Promise<{ content: string; next_cursor: string | null }> {
  let { table, after } = cursor === undefined ? { table: 0, after: '' } : parseCursor(cursor)
  const lines: string[] = []
  let characters = 0
  while (table < deps.exported.length) {
    const part = deps.exported[table]!
    const rows = await part.read(deps, user, { after, limit: limit - lines.length })
    for (const { id, row } of rows) {
      const line = `${JSON.stringify({ type: part.table, ...row })}\n`
      lines.push(line)
      characters += line.length
      after = id
      if (lines.length === limit || characters >= PAGE_CHARACTERS)
        return { content: lines.join(''), next_cursor: formatCursor({ table, after }) }
    }
    table++
    after = ''
  }
  return { content: lines.join(''), next_cursor: null }
}

const PREFIX = 'export:'

const formatCursor = ({ table, after }: Position): string =>
  Buffer.from(`${PREFIX}${table}:${after}`).toString('base64url')

function parseCursor(cursor: string): Position {
  const [, table, after] =
    /^export:(\d{1,2}):([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (table === undefined || after === undefined)
    throw badRequest('Error in body.cursor: is not a cursor of this API')
  return { table: Number(table), after }
}
