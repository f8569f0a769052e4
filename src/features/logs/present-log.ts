import { searchLogs, type ToolExecutionLog } from '../../contract/logs/index.ts'
import { serializedItem } from '../../platform/constant-json.ts'
import { schemaCompilers } from '../../platform/http/server/schema-compilers.ts'
import type { LogRow } from './store.ts'

/** The stored arguments and result of a call. */
export interface LoggedPayload {
  arguments: Record<string, unknown>
  data?: Record<string, unknown>
}

const UNKNOWN_END = 'The call was started, and its end is not known. It may have had its effect.'

export const logStatus = ({ successful }: Pick<LogRow, 'successful'>): 'success' | 'failed' | 'started' =>
  successful === null ? 'started' : successful ? 'success' : 'failed'
export const startOf = ({ started_at_us: us }: Pick<LogRow, 'started_at_us'>): Date => new Date(us / 1_000)
const LEVELS = { success: 'info', failed: 'error', started: 'warn' } as const

/** Returns a row as lists contain it. */
export function presentEntry(row: LogRow) {
  const status = logStatus(row)
  const {
    id,
    tool_slug,
    toolkit_slug,
    version,
    effect,
    connected_account_id,
    auth_config_id,
    user_id,
    status_code,
    dry_run,
    duration_ms,
    requests,
    request_bytes,
    response_bytes,
  } = row
  return {
    id,
    timestamp: startOf(row).toISOString(),
    type: 'tool.execution',
    status,
    level: LEVELS[status],
    message: status === 'started' ? UNKNOWN_END : (row.error ?? ''),
    metadata: {
      tool_slug,
      toolkit_slug,
      version,
      effect,
      connected_account_id,
      auth_config_id,
      user_id,
      status_code,
      dry_run,
    },
    metrics: {
      duration_ms,
      requests,
      request_bytes,
      response_bytes,
      ...Object.fromEntries(Object.entries(row.timings ?? {}).map(([step, ms]) => [`${step}_ms`, ms])),
    },
    parent: row.parent_id === null ? null : { log_id: row.parent_id, tool_slug: row.parent_tool ?? '' },
  }
}

const serializeEntry = schemaCompilers().serializer(searchLogs.reply.properties.logs.items)

/** Returns a row as the JSON of an item of a long list. */
export const presentSerialized = (row: LogRow): ReturnType<typeof presentEntry> =>
  serializedItem(String(serializeEntry(presentEntry(row))))

/** Returns a row with its details. */
export function presentDetails(row: LogRow, payload: LoggedPayload | undefined): ToolExecutionLog {
  const start = startOf(row).getTime()
  const { framework, source: language, runtime: host, sdk_version } = row.source ?? {}
  return {
    ...presentEntry(row),
    timings: {
      start_time: start,
      ...(row.duration_ms === null ? {} : { end_time: start + row.duration_ms }),
    },
    context: {
      request_id: row.request_id,
      ...(row.session_id ? { session_id: row.session_id } : {}),
      ...(row.sandbox_id ? { sandbox_id: row.sandbox_id } : {}),
    },
    source: {
      ...(host ? { host } : {}),
      ...(framework ? { framework } : {}),
      ...(language ? { language } : {}),
      ...(sdk_version ? { sdk_version } : {}),
    },
    data: payload
      ? {
          request: { arguments: payload.arguments },
          ...(row.successful === null
            ? {}
            : { response: { data: payload.data ?? {}, error: row.error, successful: row.successful } }),
        }
      : {},
  }
}
