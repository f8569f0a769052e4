import type { ExecutionRow } from '../../engine/index.ts'
import { type Encryptor, encryptorsOf } from '../../platform/crypto/index.ts'
import { errorContext, payloadContext } from './encrypted-columns.ts'

/** The columns of a row, with their types in the statement that inserts it. */
export const COLUMNS = {
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
  duration_ms: 'int',
} as const
export type LogRecord = { [Name in keyof typeof COLUMNS]: unknown } & { started_at: number } & Places
/** Where the encrypted payload and error of a row are among those of its statement. */
type Places = Record<'payload_offset' | 'payload_bytes' | 'error_offset' | 'error_bytes', number | undefined>

/** Rows to insert: their columns in JSON, with their payloads and errors in one run of bytes next to it. */
export interface EncryptedRows {
  readonly records: readonly LogRecord[]
  readonly payloads: Buffer
}

/** Returns the rows as JSON records, with the places of their encrypted payloads and errors in one run of bytes. */
export async function toRecords(rows: readonly ExecutionRow[], encryptor: Encryptor): Promise<EncryptedRows> {
  const projects = new Set<string>()
  for (const { projectId, payload, error } of rows)
    if (payload !== null || error !== null) projects.add(projectId)
  const encryptors = await encryptorsOf(encryptor, projects)
  const values: Buffer[] = []
  let offset = 1
  const place = (value: Buffer) => {
    values.push(value)
    const start = offset
    offset += value.length
    return start
  }
  const records = rows.map((row) => {
    const own = encryptors.get(row.projectId)
    const record = toRecord(row)
    // A call that ends after the erasure of its project leaves neither.
    if (own && row.payload !== null) {
      const payload = own.encryptText(row.payload, payloadContext(row.id))
      record.payload_offset = place(payload)
      record.payload_bytes = payload.length
    }
    if (own && row.error !== null) {
      const error = own.encrypt(row.error, errorContext(row.id))
      record.error_offset = place(error)
      record.error_bytes = error.length
    }
    return record
  })
  return { records, payloads: Buffer.concat(values, offset - 1) }
}

/** Returns a record without the columns that are null: both sides of the connection read less. */
function toRecord(row: ExecutionRow): LogRecord {
  return {
    id: row.id,
    project_id: row.projectId,
    tool_slug: row.toolSlug,
    toolkit_slug: row.toolkitSlug,
    version: row.version,
    effect: row.effect,
    dry_run: row.dryRun,
    user_id: storable(row.userId),
    connected_account_id: row.connectedAccountId ?? undefined,
    auth_config_id: row.authConfigId ?? undefined,
    session_id: row.sessionId ?? undefined,
    sandbox_id: row.sandboxId ?? undefined,
    parent_id: row.parentId ?? undefined,
    request_id: row.requestId,
    source: row.source ? storableFields(row.source) : undefined,
    timings: row.timings,
    requests: row.requests,
    request_bytes: row.requestBytes,
    response_bytes: row.responseBytes,
    started_at: row.startedAt,
    successful: row.successful ?? undefined,
    status_code: row.statusCode ?? undefined,
    duration_ms: row.durationMs ?? undefined,
    payload_offset: undefined,
    payload_bytes: undefined,
    error_offset: undefined,
    error_bytes: undefined,
  }
}

const storableFields = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? storable(value) : value,
    ]),
  )

/** PostgreSQL rejects half a surrogate pair and NUL, and with them all rows of the statement. */
const storable = (text: string | null): string | undefined =>
  text === null ? undefined : text.toWellFormed().replaceAll('\0', '')
