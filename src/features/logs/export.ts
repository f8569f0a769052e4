import { csvLines } from '../../platform/csv.ts'
import { presentEntry } from './present-log.ts'
import type { LogRow } from './store.ts'

export type ExportFormat = 'ndjson' | 'csv'

type Entry = ReturnType<typeof presentEntry>

const COLUMNS: Readonly<Record<string, (entry: Entry, row: LogRow) => unknown>> = {
  timestamp: ({ timestamp }) => timestamp,
  id: ({ id }) => id,
  status: ({ status }) => status,
  tool_slug: ({ metadata }) => metadata.tool_slug,
  toolkit_slug: ({ metadata }) => metadata.toolkit_slug,
  version: ({ metadata }) => metadata.version,
  effect: ({ metadata }) => metadata.effect,
  user_id: ({ metadata }) => metadata.user_id,
  connected_account_id: ({ metadata }) => metadata.connected_account_id,
  auth_config_id: ({ metadata }) => metadata.auth_config_id,
  status_code: ({ metadata }) => metadata.status_code,
  dry_run: ({ metadata }) => metadata.dry_run,
  duration_ms: ({ metrics }) => metrics.duration_ms,
  requests: ({ metrics }) => metrics.requests,
  request_bytes: ({ metrics }) => metrics.request_bytes,
  response_bytes: ({ metrics }) => metrics.response_bytes,
  session_id: (_entry, row) => row.session_id,
  request_id: (_entry, row) => row.request_id,
  parent_log_id: ({ parent }) => parent?.log_id,
  message: ({ message }) => message,
}

/** Returns a function that writes an execution as a line, without arguments and results. */
export const lineWriter = (format: ExportFormat): ((row: LogRow) => string) =>
  format === 'ndjson'
    ? (row) => `${JSON.stringify(presentEntry(row))}\n`
    : (row) => {
        const entry = presentEntry(row)
        return csvLines([Object.values(COLUMNS).map((read) => read(entry, row))])
      }

/** Returns the text before the lines of the first page. */
export const exportHeader = (format: ExportFormat): string =>
  format === 'csv' ? csvLines([Object.keys(COLUMNS)]) : ''
