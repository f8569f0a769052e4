import * as contract from '../../contract/trigger-logs.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { type Aftermath, aftermathOf } from '../webhooks/index.ts'
import { find, type LogRow, search } from './log-store.ts'

export function triggerLogRoutes(api: Api, { db, encryptor }: { db: Db; encryptor: Encryptor }): void {
  const aftermath = (projectId: string, rows: readonly LogRow[]) =>
    aftermathOf(
      db,
      encryptor,
      projectId,
      rows.map(({ event_id }) => event_id).filter((id) => id !== null),
    )

  api.on(contract.searchTriggerLogs, async ({ projectId, body }) => {
    const { rows, next } = await search(db, projectId, body)
    const told = body.include_payload ? await aftermath(projectId, rows) : undefined
    return { nextCursor: next, data: rows.map((row) => entryOf(projectId, row, told)) }
  })
  api.on(contract.readTriggerLog, async ({ projectId, params }) => {
    const row = await find(db, projectId, params.id)
    if (!row) throw new ApiError('Log_NotFound', `Log ${params.id} not found`)
    return { log: entryOf(projectId, row, await aftermath(projectId, [row])) }
  })
}

function entryOf(
  projectId: string,
  row: LogRow,
  told: ReadonlyMap<string, Aftermath> | undefined,
): contract.TriggerLog {
  const after = row.event_id === null ? undefined : told?.get(row.event_id)
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
      // What the application sent is told as the trigger type shapes it; the rest is not kept.
      ...(told && {
        triggerProviderPayload: null,
        triggerClientPayload: after?.payload ?? null,
        triggerClientResponse: after?.answer ?? null,
        triggerClientError: after?.error ?? null,
      }),
    },
  }
}
