import * as contract from '../../../contract/triggers/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { type EventOutcome, outcomesOf } from '../../events/index.ts'
import { findLog, type LogRow, searchLogs } from './store.ts'

export function triggerLogRoutes(api: Api, { db }: { db: Db }): void {
  const outcomes = (projectId: string, rows: readonly LogRow[]) =>
    outcomesOf(
      db,
      projectId,
      rows.map(({ event_id }) => event_id).filter((id) => id !== null),
    )

  api.on(contract.searchTriggerLogs, async ({ projectId, body }) => {
    const { rows, next } = await searchLogs(db, projectId, body)
    const events = body.include_payload ? await outcomes(projectId, rows) : undefined
    return { nextCursor: next, data: rows.map((row) => presentLog(projectId, row, events)) }
  })
  api.on(contract.readTriggerLog, async ({ projectId, params }) => {
    const row = await findLog(db, projectId, params.id)
    if (!row) throw new ApiError('Log_NotFound', `Log ${params.id} not found`)
    return { log: presentLog(projectId, row, await outcomes(projectId, [row])) }
  })
}

function presentLog(
  projectId: string,
  row: LogRow,
  outcomes: ReadonlyMap<string, EventOutcome> | undefined,
): contract.TriggerLog {
  const outcome = row.event_id === null ? undefined : outcomes?.get(row.event_id)
  return {
    id: row.id,
    connectionId: row.connected_account_id,
    clientId: projectId,
    entityId: row.user_id,
    status: row.is_error ? 'error' : 'success',
    appName: row.toolkit_slug,
    createdAt: row.created_at.getTime(),
    type: row.kind,
    meta: {
      triggerName: row.trigger_slug,
      triggerId: row.uuid,
      triggerNanoId: row.instance_id,
      eventId: row.event_id,
      message: row.message,
      // The raw payload of the application is not stored, only that of the trigger type.
      ...(outcomes && {
        triggerProviderPayload: null,
        triggerClientPayload: outcome?.payload ?? null,
        triggerClientResponse: outcome?.response ?? null,
        triggerClientError: outcome?.error ?? null,
      }),
    },
  }
}
