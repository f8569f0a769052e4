import { LOG_FIELDS } from '../../contract/logs/index.ts'
import { type LoggedPayload, logStatus, startOf } from './present-log.ts'
import { OLDER_FIELD_NAMES } from './log-query.ts'
import type { LogRow } from './store.ts'

/** The name and the icon of an application. */
export interface AppPresentation {
  name: string
  icon: string
}

const SHORT_RESPONSE_MAX = 200

/** Returns a row as the older endpoint lists it. */
export function presentOlderEntry(row: LogRow, app: AppPresentation) {
  return {
    id: row.id,
    actionKey: row.tool_slug,
    appKey: row.toolkit_slug,
    app,
    connectedAccountId: row.connected_account_id ?? '',
    entityId: row.user_id ?? '',
    status: logStatus(row),
    executionTime: row.duration_ms ?? 0,
    minimalResponse: (row.error ?? '').slice(0, SHORT_RESPONSE_MAX),
    metadata: { recipe_id: null },
    createdAt: startOf(row).getTime(),
  }
}

const STATUSES = { success: 'success', failed: 'error', started: 'info' } as const

export function presentOlderDetails(row: LogRow, payload: LoggedPayload | undefined, app: AppPresentation) {
  const start = startOf(row).getTime()
  const end = start + (row.duration_ms ?? 0)
  const connectedAt =
    start + Math.round((row.timings?.['account'] ?? 0) + (row.timings?.['credentials'] ?? 0))
  const status = logStatus(row)
  const step = (
    type: 'tool_execution' | 'fetch_connection_details',
    from: number,
    to: number,
    isSuccess: boolean,
  ) => ({
    type,
    startTime: from,
    endTime: to,
    totalDuration: to - from,
    status: isSuccess ? ('success' as const) : ('failure' as const),
    message: isSuccess ? '' : (row.error ?? ''),
  })
  const wasSent = row.requests === null || row.requests > 0 || status === 'success'
  return {
    actionLogId: row.id,
    actionId: row.tool_slug,
    status: STATUSES[status],
    app: { ...app, uniqueId: row.toolkit_slug },
    version: row.version,
    connection: { id: row.connected_account_id ?? '', entity: row.user_id ?? '' },
    session: row.session_id ? { id: row.session_id } : {},
    executionMetadata: {
      request_id: row.request_id,
      status_code: row.status_code,
      requests: row.requests,
      request_bytes: row.request_bytes,
      response_bytes: row.response_bytes,
      dry_run: row.dry_run,
    },
    steps: [
      step('fetch_connection_details', start, connectedAt, wasSent),
      ...(wasSent
        ? [step('tool_execution', connectedAt, Math.max(connectedAt, end), status !== 'failed')]
        : []),
    ],
    payloadReceived: payload?.arguments ?? {},
    startTime: start,
    endTime: end,
    totalDuration: `${end - start}ms`,
    response: payload?.data ?? {},
    error: row.error === null ? {} : { message: row.error },
  }
}

const OLDER_NAME_BY_FIELD = Object.fromEntries(
  Object.entries(OLDER_FIELD_NAMES)
    .filter(([name]) => name.includes('_'))
    .map(([older, field]) => [field, older]),
)
const titleCase = (field: string) => field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ')

/** The searchable fields with their names in the older endpoint. */
export const olderSearchFields = {
  tool_execution: LOG_FIELDS.map((field) => ({
    id: OLDER_NAME_BY_FIELD[field] ?? field,
    displayName: titleCase(field),
    type: 'string',
    ...(field === 'status' ? { regex: '^(success|failed|started)$' } : {}),
  })),
}
