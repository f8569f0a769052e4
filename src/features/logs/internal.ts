import { LOG_FIELDS } from '../../contract/logs.ts'
import { type Payload, statusOf } from './present.ts'
import { OLDER_NAMES } from './search.ts'
import type { LogRow } from './store.ts'

/** What an application is called and where its icon is. */
export interface AppNames {
  name: string
  icon: string
}

const MINIMAL_MAX = 200

/** A row as the older address shows it. */
export function internalEntryOf(row: LogRow, app: AppNames) {
  return {
    id: row.id,
    actionKey: row.tool_slug,
    appKey: row.toolkit_slug,
    app,
    connectedAccountId: row.connected_account_id ?? '',
    entityId: row.user_id ?? '',
    status: statusOf(row),
    executionTime: row.duration_ms ?? 0,
    minimalResponse: (row.error ?? '').slice(0, MINIMAL_MAX),
    metadata: { recipe_id: null },
    createdAt: row.created_at.getTime(),
  }
}

const STATUSES = { success: 'success', failed: 'error', started: 'info' } as const

export function internalDetailsOf(row: LogRow, payload: Payload | undefined, app: AppNames) {
  const start = row.created_at.getTime()
  const end = start + (row.duration_ms ?? 0)
  const connected = start + Math.round((row.timings?.['account'] ?? 0) + (row.timings?.['credentials'] ?? 0))
  const status = statusOf(row)
  const step = (
    type: 'tool_execution' | 'fetch_connection_details',
    from: number,
    to: number,
    isGood: boolean,
  ) => ({
    type,
    startTime: from,
    endTime: to,
    totalDuration: to - from,
    status: isGood ? ('success' as const) : ('failure' as const),
    message: isGood ? '' : (row.error ?? ''),
  })
  const reached = row.requests === null || row.requests > 0 || status === 'success'
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
      step('fetch_connection_details', start, connected, reached),
      ...(reached ? [step('tool_execution', connected, Math.max(connected, end), status !== 'failed')] : []),
    ],
    payloadReceived: payload?.arguments ?? {},
    startTime: start,
    endTime: end,
    totalDuration: `${end - start}ms`,
    response: payload?.data ?? {},
    error: row.error === null ? {} : { message: row.error },
  }
}

const OLDER = Object.fromEntries(
  Object.entries(OLDER_NAMES)
    .filter(([name]) => name.includes('_'))
    .map(([older, field]) => [field, older]),
)
const titled = (field: string) => field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ')

/** What can be searched for, under the names of the older address. */
export const internalFields = {
  tool_execution: LOG_FIELDS.map((field) => ({
    id: OLDER[field] ?? field,
    displayName: titled(field),
    type: 'string',
    ...(field === 'status' ? { regex: '^(success|failed|started)$' } : {}),
  })),
}
