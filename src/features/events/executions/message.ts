import type { StreamedEvent } from '../../../contract/events/index.ts'
import type { ExecutionRow } from '../../../engine/index.ts'
import type { JsonObject } from '../../../platform/json-object.ts'
import type { Branding } from '../../../platform/http/branding/branding.ts'
import { newId } from '../../../platform/ids.ts'
import { messageId } from '../message.ts'

/** What is announced of an execution: neither its arguments nor its result or the text of its error. */
export type EndedExecution = Pick<
  ExecutionRow,
  | 'id'
  | 'projectId'
  | 'toolSlug'
  | 'toolkitSlug'
  | 'version'
  | 'dryRun'
  | 'userId'
  | 'connectedAccountId'
  | 'authConfigId'
  | 'sessionId'
  | 'requestId'
  | 'startedAt'
  | 'successful'
  | 'statusCode'
  | 'durationMs'
>

/** Returns the data of a message, with the names that the execution log has. */
export const describeExecution = (row: EndedExecution): JsonObject => ({
  log_id: row.id,
  tool_slug: row.toolSlug,
  toolkit_slug: row.toolkitSlug,
  version: row.version,
  user_id: row.userId,
  connected_account_id: row.connectedAccountId,
  auth_config_id: row.authConfigId,
  session_id: row.sessionId,
  request_id: row.requestId,
  dry_run: row.dryRun,
  successful: row.successful,
  status_code: row.statusCode,
  duration_ms: row.durationMs,
  started_at: new Date(row.startedAt).toISOString(),
})

/** Whose executions a stream sends. */
export interface StreamOwner {
  readonly projectId: string
  readonly organizationId: string
}

/** Returns the message of an execution, in the form of the messages of events. */
export function executionMessage(execution: JsonObject, owner: StreamOwner, brand: Branding): StreamedEvent {
  const { log_id: id, started_at: startedAt, duration_ms: duration } = execution
  const timestamp = Date.parse(String(startedAt)) + Number(duration ?? 0)
  return {
    event_id: String(id),
    ordering_key: null,
    payload: {
      id: messageId(String(id)),
      timestamp: new Date(timestamp).toISOString(),
      type: brand.toWire('service.tool_execution.ended'),
      metadata: { project_id: owner.projectId, org_id: owner.organizationId },
      data: execution,
    },
  }
}

/** Returns the message that executions are missing at this place of a stream; `count` is null if nobody counted them. */
export function missedMessage(
  count: number | null,
  owner: StreamOwner,
  brand: Branding,
  now: number,
): StreamedEvent {
  const id = newId('evt')
  return {
    event_id: id,
    ordering_key: null,
    payload: {
      id: messageId(id),
      timestamp: new Date(now).toISOString(),
      type: brand.toWire('service.tool_execution.missed'),
      metadata: { project_id: owner.projectId, org_id: owner.organizationId },
      data: { count },
    },
  }
}
