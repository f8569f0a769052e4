import { all, empty, raw, Sql, sql } from '../../platform/db/sql.ts'
import { COLUMNS, type EncryptedRows, type LogRecord } from './log-records.ts'
import { hourOf, LATE_AFTER_MINUTES, markStale } from './rollups/hours.ts'

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

const columnNames = raw(Object.keys(COLUMNS).join(', '))
const recordColumns = raw(
  Object.entries(COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
)
const endAssignments = raw(END_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', '))

/**
 * The condition that the hour of a row is not over, or has just ended: it is rolled up only after that. It holds if it
 * did when the statement had its lock of the table, for which the roll-up waits.
 */
const EARLIEST = sql`clock_timestamp() - make_interval(mins => ${LATE_AFTER_MINUTES}::int)`
const IS_TIMELY = sql`started_at >= (select extract(epoch from ${hourOf(EARLIEST)}) * 1000)`

/** A late start row must not overwrite the end of a call. Costs a third of the time of a statement with one row. */
const REPLACE_STARTS = sql`
  on conflict (id, created_at) do update set ${endAssignments} where excluded.successful is not null`

const insertRows = (rows: EncryptedRows, where: Sql, onConflict: Sql = empty): Sql => sql`
  insert into tool_executions (${columnNames}, created_at, payload, encrypted_error)
  select ${columnNames}, to_timestamp(started_at / 1000), payload, encrypted_error
  from (${rows.records.length === 1 ? selectOne(rows) : selectMany(rows)}) r
  where ${where} ${onConflict}`

/**
 * Inserts the rows whose hours are not rolled up yet. Fails with SQLSTATE 23505 if one exists already.
 * @param commit sets how the statement commits
 */
export const insertNewRows = (rows: EncryptedRows, commit: Sql): Sql =>
  insertRows(rows, all(commit, IS_TIMELY))

/** As `insertNewRows`, but the end of a call replaces the row of its start. */
export const insertOrReplaceRows = (rows: EncryptedRows, commit: Sql): Sql =>
  insertRows(rows, all(commit, IS_TIMELY), REPLACE_STARTS)

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
export const insertLateRows = (rows: EncryptedRows, commit: Sql): Sql => sql`
  with stale as (
    ${markStale(sql`
      select r.project_id, ${hourOf(sql`to_timestamp(r.started_at / 1000)`)} as hour
      from json_to_recordset(${JSON.stringify(
        rows.records.map(({ project_id, started_at }) => ({ project_id, started_at })),
      )}::json) as r (project_id text, started_at double precision)`)}
  ) ${insertRows(rows, commit, REPLACE_STARTS)}`
