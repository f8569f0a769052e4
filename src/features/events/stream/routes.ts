import * as contract from '../../../contract/events/index.ts'
import { readLog } from '../../../contract/logs/index.ts'
import { badRequest } from '../../../platform/http/api-error.ts'
import type { Api, Call } from '../../../platform/http/call.ts'
import { hasPermission, type KeyPermissions } from '../../../platform/http/key-permissions.ts'
import { EventStreamReply } from '../../../platform/http/server/event-stream.ts'
import type { EventStreams, StreamedExecutions } from './stream.ts'

const LAST_EVENT_ID = /^\d{1,15}$/

export function streamRoute(api: Api, streams: EventStreams): void {
  api.on(contract.streamEvents, async (call) => {
    const { projectId, permissions, query, header, signal } = call
    const last = header('last-event-id') ?? query.last_event_id
    if (last !== undefined && !LAST_EVENT_ID.test(last))
      throw badRequest('Error in headers.last-event-id: is not the id of a message of this stream')
    const isStream = header('accept')?.includes('text/event-stream') === true
    const executions = await readExecutionsOption(call, isStream, last !== undefined)
    const position = {
      projectId,
      after: await streams.positionOf(last),
      types: storedTypes(query.event_types),
      triggerIds: query.trigger_ids ?? null,
    }
    const includeApprovals = mayReadApprovals(permissions)
    return isStream
      ? new EventStreamReply(
          streams.open({
            ...{ position, includeApprovals, executions, signal },
            async checkAccess() {
              await call.reauthenticate()
              if (executions) await call.authorize(readLog.permission)
            },
          }),
        )
      : streams.readNext({ position, includeApprovals })
  })
}

/** The types of events that are stored, without the brand; null for all. */
const storedTypes = (types: readonly string[] | undefined): string[] | null =>
  types?.filter((type) => type !== contract.EXECUTION_ENDED).map((type) => type.replace(/^service\./, '')) ??
  null

/**
 * Returns whether a stream sends executions, which only the parameter adds: they are more than all other events.
 * @throws ApiError 400 without a stream, 403 for a key that may not read logs
 */
async function readExecutionsOption(
  { query, organizationId, authorize }: Call<typeof contract.streamEvents>,
  isStream: boolean,
  isContinued: boolean,
): Promise<StreamedExecutions | undefined> {
  if (!query.event_types?.includes(contract.EXECUTION_ENDED)) return undefined
  if (!isStream)
    throw badRequest(
      `Error in query.event_types: ${contract.EXECUTION_ENDED} is not stored, so only a stream has it. Send ` +
        'Accept: text/event-stream, or read GET /logs/stream.',
    )
  if (query.trigger_ids)
    throw badRequest(
      `Error in query.trigger_ids: selects no ${contract.EXECUTION_ENDED}, because executions belong to no trigger. ` +
        'Open two streams.',
    )
  await authorize(readLog.permission)
  return { organizationId, isContinued }
}

/** The payload of an approval contains the arguments of the call, which are not part of webhooks. */
export const mayReadApprovals = (permissions: KeyPermissions): boolean =>
  hasPermission(permissions, { area: 'approvals', level: 'read' })
