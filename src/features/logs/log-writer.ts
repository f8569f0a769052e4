import type { ExecutionRow } from '../../engine/index.ts'
import { type Encryptor, encryptorsOf } from '../../platform/crypto/index.ts'
import { batchCalls } from '../../platform/db/batch.ts'
import { all, empty, type Pool, raw, Sql, sql } from '../../platform/db/sql.ts'
import { errorContext, payloadContext } from './encrypted-columns.ts'
import { hourOf, LATE_AFTER_MINUTES, markStale } from './rollups/hours.ts'

/** A row costs PostgreSQL half as much in a statement with 16 rows as in one with 8. */
const BATCH = { max: 200, gatherMs: 3 }

/** The columns of a row, with their types in the JSON that is sent to the database. */
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
  duration_ms: 'int',
} as const
type LogRecord = { [Name in keyof typeof COLUMNS]: unknown } & { started_at: number } & Places
/** Where the encrypted payload and error of a row are among those of its statement. */
type Places = Record<'payload_offset' | 'payload_bytes' | 'error_offset' | 'error_bytes', number | undefined>
/** The columns that are known only at the end of a call. The row of its start has the others. */
const END_COLUMNS = [
  'connected_account_id',
  'auth_config_id',
  'timings',
  'requests',
  'request_bytes',
  'response_bytes',
  'successful',
  'status_code',
  'duration_ms',
  'payload',
  'encrypted_error',
]

/**
 * How a statement commits. A setting of the connection would not pass a connection pooler. A server that commits
 * asynchronously altogether keeps doing so.
 */
const ASYNCHRONOUS_COMMIT = sql`(select set_config('synchronous_commit', 'off', true)) is not null`
const DURABLE_COMMIT = sql`true`

const columnNames = raw(Object.keys(COLUMNS).join(', '))
const recordColumns = raw(
  Object.entries(COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
)
const endAssignments = raw(END_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', '))

/**
 * Returns a function that writes rows of the execution log and resolves when the row is in the database. Rows that
 * arrive together are written by one statement, and the end of a call replaces its start. A row is written once, also
 * if it arrives twice.
 *
 * The start of a call that may change something is committed durably, with the synchronous replicas that PostgreSQL
 * has: nothing is sent that a crash or a failover of the database could make unknown. The commit of all other rows
 * does not wait for the disk: they survive the end of this process, and a crash of the database may lose those of the
 * last fraction of a second.
 */
export function createLogWriter(db: Pool, encryptor: Encryptor): (row: ExecutionRow) => Promise<void> {
  const writeStart = batchRows(db, encryptor, DURABLE_COMMIT)
  const writeEnd = batchRows(db, encryptor, ASYNCHRONOUS_COMMIT)
  return (row) => (row.successful === null ? writeStart(row) : writeEnd(row))
}

function batchRows(db: Pool, encryptor: Encryptor, commit: Sql): (row: ExecutionRow) => Promise<void> {
  return batchCalls<ExecutionRow, void>(async (rows) => {
    const encrypted = await toRecords(rows, encryptor)
    const timely = all(commit, IS_TIMELY)
    const replacing = () => db.run(insertRows(encrypted, timely, REPLACE_STARTS))
    const written = rows.some(({ isStartLogged }) => isStartLogged)
      ? await replacing()
      : await db.run(insertRows(encrypted, timely)).catch((error: unknown) => {
          if (!isDuplicateRow(error)) throw error
          return replacing()
        })
    // A row is missing if it is late, or if it is a start row after the end of its call.
    if (written < rows.length) await db.run(insertLateRows(encrypted, commit))
    return rows.map(() => undefined)
  }, BATCH)
}

/** Each partition has an index of its own with the ids of its rows: no other unique index can be violated. */
const isDuplicateRow = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/**
 * The condition that the hour of a row is not over, or has just ended: it is rolled up only after that. It holds if it
 * did when the statement had its lock of the table, for which the roll-up waits.
 */
const EARLIEST = sql`clock_timestamp() - make_interval(mins => ${LATE_AFTER_MINUTES}::int)`
const IS_TIMELY = sql`started_at >= (select extract(epoch from ${hourOf(EARLIEST)}) * 1000)`

/** Rows to insert: their columns in JSON, with their payloads and errors in one run of bytes next to it. */
interface EncryptedRows {
  readonly records: readonly LogRecord[]
  readonly payloads: Buffer
}

/** A late start row must not overwrite the end of a call. Half of the processor time of a statement with one row. */
const REPLACE_STARTS = sql`
  on conflict (id, created_at) do update set ${endAssignments} where excluded.successful is not null`

const insertRows = (rows: EncryptedRows, where: Sql, onConflict: Sql = empty): Sql => sql`
  insert into tool_executions (${columnNames}, created_at, payload, encrypted_error)
  select ${columnNames}, to_timestamp(started_at / 1000), payload, encrypted_error
  from (${rows.records.length === 1 ? selectOne(rows) : selectMany(rows)}) r
  where ${where} ${onConflict}`

/** One JSON text for all rows: arrays of columns cost the driver half as much again for eight rows. */
const selectMany = ({ records, payloads }: EncryptedRows): Sql => sql`
  select r.*, substring(bytes from payload_offset for payload_bytes) as payload,
    substring(bytes from error_offset for error_bytes) as encrypted_error
  from (select ${payloads}::bytea as bytes) b, json_to_recordset(${JSON.stringify(records)}::json)
    as r (${recordColumns}, started_at double precision, payload_offset int, payload_bytes int,
      error_offset int, error_bytes int)`

/** Columns of a statement with one row, in the order of their values. */
const PARAMETERS = Object.entries({
  ...COLUMNS,
  started_at: 'double precision',
  payload: 'bytea',
  encrypted_error: 'bytea',
})
const PARAMETER_TEXTS = [
  'select ',
  ...PARAMETERS.map(
    ([name, type], index) => `::${type} as ${name}${index < PARAMETERS.length - 1 ? ', ' : ''}`,
  ),
]

/** One row. A caller waits for it, and PostgreSQL reads parameters faster than JSON. */
const selectOne = ({ records: [record], payloads }: EncryptedRows): Sql => {
  const { payload_offset, payload_bytes, error_offset, error_bytes, ...fields } = record as LogRecord
  const values = {
    ...fields,
    source: fields.source && JSON.stringify(fields.source),
    timings: fields.timings && JSON.stringify(fields.timings),
    payload: bytesAt(payloads, payload_offset, payload_bytes),
    encrypted_error: bytesAt(payloads, error_offset, error_bytes),
  }
  return new Sql(
    PARAMETER_TEXTS,
    PARAMETERS.map(([name]) => values[name as keyof typeof values] ?? null),
  )
}

const bytesAt = (bytes: Buffer, offset: number | undefined, length: number | undefined): Buffer | undefined =>
  offset === undefined ? undefined : bytes.subarray(offset - 1, offset - 1 + (length as number))

/** Rows of calls that took long, or that a server with a slow clock wrote: their hours are rolled up again. */
const insertLateRows = (rows: EncryptedRows, commit: Sql): Sql => sql`
  with stale as (
    ${markStale(sql`
      select r.project_id, ${hourOf(sql`to_timestamp(r.started_at / 1000)`)} as hour
      from json_to_recordset(${JSON.stringify(
        rows.records.map(({ project_id, started_at }) => ({ project_id, started_at })),
      )}::json) as r (project_id text, started_at double precision)`)}
  ) ${insertRows(rows, commit, REPLACE_STARTS)}`

/** Returns the rows as JSON records, with the places of their encrypted payloads and errors in one run of bytes. */
async function toRecords(rows: readonly ExecutionRow[], encryptor: Encryptor): Promise<EncryptedRows> {
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
