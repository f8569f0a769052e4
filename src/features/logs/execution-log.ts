import type { ExecutionRow } from '../../engine/index.ts'
import type { Sealer } from '../../platform/crypto/index.ts'
import { coalesce } from '../../platform/db/coalesce.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'

const ROWS_A_STATEMENT = 200

/**
 * Writes execution rows; rows that arrive together go in one statement. Answers when the row is in the database.
 * The commit does not wait for the disk: a row survives the death of this process, and a crash of the database may lose the last fraction of a second of them.
 */
export function executionLog(db: Pool, sealer: Sealer): (row: ExecutionRow) => Promise<void> {
  return coalesce<ExecutionRow, void>(async (rows) => {
    // As one JSON text: fifteen arrays cost the driver half as much again for eight rows, and more for fewer.
    await db.run(sql`
      insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, user_id, connected_account_id, auth_config_id, request_id, successful, status_code, error, duration_ms, source, payload)
      select id, project_id, tool_slug, toolkit_slug, version, user_id, connected_account_id, auth_config_id, request_id, successful, status_code, error, duration_ms, source, decode(payload, 'base64')
      from json_to_recordset(${JSON.stringify(rows.map((row) => wire(row, sealer)))}::json) as r (
        id text, project_id text, tool_slug text, toolkit_slug text, version text, user_id text, connected_account_id text, auth_config_id text, request_id text,
        successful boolean, status_code int, error text, duration_ms int, source jsonb, payload text)`)
    return rows.map(() => undefined)
  }, ROWS_A_STATEMENT)
}

function wire(row: ExecutionRow, sealer: Sealer) {
  return {
    id: row.id, project_id: row.projectId, tool_slug: row.toolSlug, toolkit_slug: row.toolkitSlug, version: row.version, user_id: storable(row.userId),
    connected_account_id: row.connectedAccountId, auth_config_id: row.authConfigId, request_id: row.requestId, successful: row.successful, status_code: row.statusCode,
    error: storable(row.error), duration_ms: row.durationMs, source: row.source && Object.fromEntries(Object.entries(row.source).map(([name, value]) => [name, typeof value === 'string' ? storable(value) : value])),
    payload: row.payload && sealer.seal(row.payload, `tool_executions:${row.id}:payload`).toString('base64'),
  }
}

/** Half a surrogate pair or a NUL in one row would have PostgreSQL refuse the rows of everybody beside it. */
const storable = (text: string | null): string | null => text && text.toWellFormed().replaceAll('\0', '')
