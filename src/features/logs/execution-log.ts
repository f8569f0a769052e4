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
    await db.run(sql`
      insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, user_id, connected_account_id, auth_config_id, request_id, successful, status_code, error, duration_ms, source, payload)
      select * from unnest(
        ${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.projectId)}::text[], ${rows.map((row) => row.toolSlug)}::text[], ${rows.map((row) => row.toolkitSlug)}::text[],
        ${rows.map((row) => row.version)}::text[], ${rows.map((row) => row.userId)}::text[], ${rows.map((row) => row.connectedAccountId)}::text[], ${rows.map((row) => row.authConfigId)}::text[],
        ${rows.map((row) => row.requestId)}::text[], ${rows.map((row) => row.successful)}::boolean[], ${rows.map((row) => row.statusCode)}::int[], ${rows.map((row) => row.error)}::text[],
        ${rows.map((row) => row.durationMs)}::int[], ${rows.map((row) => row.source && JSON.stringify(row.source))}::jsonb[],
        ${rows.map((row) => row.payload && sealer.seal(row.payload, `tool_executions:${row.id}:payload`))}::bytea[])`)
    return rows.map(() => undefined)
  }, ROWS_A_STATEMENT)
}
