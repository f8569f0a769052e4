import type { ExecutionRow } from '../../engine/index.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { coalesce } from '../../platform/db/coalesce.ts'
import { type Pool, raw, sql } from '../../platform/db/sql.ts'

const ROWS_A_STATEMENT = 200

/** What a row holds, and what it is in the JSON that carries it to the database. */
const COLUMNS = {
  id: 'text',
  project_id: 'text',
  tool_slug: 'text',
  toolkit_slug: 'text',
  version: 'text',
  effect: 'text',
  dry_run: 'boolean',
  user_id: 'text',
  connected_account_id: 'text',
  auth_config_id: 'text',
  session_id: 'text',
  sandbox_id: 'text',
  parent_id: 'text',
  request_id: 'text',
  source: 'jsonb',
  timings: 'jsonb',
  requests: 'int',
  request_bytes: 'bigint',
  response_bytes: 'bigint',
  successful: 'boolean',
  status_code: 'int',
  error: 'text',
  duration_ms: 'int',
} as const
/** What only the end of a call knows; the rest stands in the row of its start. */
const KNOWN_AT_THE_END = [
  'connected_account_id',
  'auth_config_id',
  'timings',
  'requests',
  'request_bytes',
  'response_bytes',
  'successful',
  'status_code',
  'error',
  'duration_ms',
  'payload',
]

const names = raw(Object.keys(COLUMNS).join(', '))
const fields = raw(
  Object.entries(COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
)
const replaced = raw(KNOWN_AT_THE_END.map((name) => `${name} = excluded.${name}`).join(', '))

/**
 * Writes execution rows; rows that arrive together go in one statement. Answers when the row is in the database. The end of a call is written over its start.
 * The commit does not wait for the disk: a row survives the death of this process, and a crash of the database may lose the last fraction of a second of them.
 */
export function executionLog(db: Pool, encryptor: Encryptor): (row: ExecutionRow) => Promise<void> {
  return coalesce<ExecutionRow, void>(async (rows) => {
    const payloads: Buffer[] = []
    let at = 1
    const written = rows.map((row) => {
      const payload =
        row.payload === null
          ? undefined
          : encryptor.encryptText(row.payload, `tool_executions:${row.id}:payload`)
      if (payload) payloads.push(payload)
      const place = payload ? { payload_at: at, payload_bytes: payload.length } : {}
      at += payload?.length ?? 0
      return { ...wire(row), ...place }
    })
    // As one JSON text: an array a column costs the driver half as much again for eight rows, and more for fewer. Payloads go beside it as one run of bytes.
    await db.run(sql`
      insert into tool_executions (${names}, created_at, payload)
      select ${names}, to_timestamp(started_at / 1000), substring(${Buffer.concat(payloads)}::bytea from payload_at for payload_bytes)
      from json_to_recordset(${JSON.stringify(written)}::json) as r (${fields}, started_at double precision, payload_at int, payload_bytes int)
      on conflict (id) do update set ${replaced}
      where excluded.successful is not null`) // A start that comes late must not make its end unknown again.
    return rows.map(() => undefined)
  }, ROWS_A_STATEMENT)
}

function wire(row: ExecutionRow): { [Name in keyof typeof COLUMNS]: unknown } & { started_at: number } {
  return {
    id: row.id,
    project_id: row.projectId,
    tool_slug: row.toolSlug,
    toolkit_slug: row.toolkitSlug,
    version: row.version,
    effect: row.effect,
    dry_run: row.dryRun,
    user_id: storable(row.userId),
    connected_account_id: row.connectedAccountId,
    auth_config_id: row.authConfigId,
    session_id: row.sessionId,
    sandbox_id: row.sandboxId,
    parent_id: row.parentId,
    request_id: row.requestId,
    source:
      row.source &&
      Object.fromEntries(
        Object.entries(row.source).map(([name, value]) => [
          name,
          typeof value === 'string' ? storable(value) : value,
        ]),
      ),
    timings: row.timings,
    requests: row.requests,
    request_bytes: row.requestBytes,
    response_bytes: row.responseBytes,
    started_at: row.startedAt,
    successful: row.successful,
    status_code: row.statusCode,
    error: storable(row.error),
    duration_ms: row.durationMs,
  }
}

/** Half a surrogate pair or a NUL in one row would have PostgreSQL refuse the rows of everybody beside it. */
const storable = (text: string | null): string | null => text && text.toWellFormed().replaceAll('\0', '')
