import * as contract from '../../contract/logs/index.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { EventStreamReply } from '../../platform/http/server/event-stream.ts'
import { exportHeader, lineWriter } from './export.ts'
import { parsePosition } from './log-position.ts'
import { formatCursor, readLogQuery, readOlderLogQuery, STREAM_FIELDS } from './log-query.ts'
import { queryMetrics } from './metrics.ts'
import { olderSearchFields, presentOlderDetails, presentOlderEntry } from './older-logs.ts'
import { presentDetails, presentEntry, presentSerialized } from './present-log.ts'
import { type LogDeps, readLog } from './service.ts'
import { isLongPage, searchLogs } from './search.ts'
import type { LogStreams } from './stream.ts'
import { usageBreakdown, usageSummary } from './usage.ts'

export function logRoutes(api: Api, deps: LogDeps & { streams: LogStreams }): void {
  const { db, appNames, streams } = deps
  api.on(contract.streamLogs, async ({ projectId, query, header, signal, reauthenticate }) => {
    const { last_event_id: lastId, status } = query
    const text = header('last-event-id') ?? lastId
    const position = text === undefined ? undefined : parsePosition(text)
    if (text !== undefined && !position)
      throw badRequest('Error in headers.last-event-id: is not the id of a message of this stream')
    const request = {
      ...{ projectId, status, signal, position, checkAccess: reauthenticate },
      // Only declared names: v3 does not reject others.
      fields: Object.fromEntries(STREAM_FIELDS.map((name) => [name, query[name]])),
    }
    return header('accept')?.includes('text/event-stream')
      ? new EventStreamReply(streams.open(request))
      : streams.readNext(request)
  })
  api.on(contract.searchLogs, async ({ projectId, body }) => {
    const query = readLogQuery(body)
    const present = isLongPage(query) ? presentSerialized : presentEntry
    const { rows, next } = await searchLogs(deps, projectId, query, present)
    return { logs: rows, next_cursor: next === null ? null : formatCursor(next) }
  })
  api.on(contract.exportLogs, async ({ projectId, body }) => {
    const { format = 'ndjson', ...search } = body
    const { rows, next } = await searchLogs(deps, projectId, readLogQuery(search), lineWriter(format))
    const header = search.cursor ? '' : exportHeader(format)
    return {
      format,
      content: `${header}${rows.join('')}`,
      next_cursor: next === null ? null : formatCursor(next),
    }
  })
  api.on(contract.readLog, async ({ projectId, params }) => {
    const { row, payload } = await readLog(deps, projectId, params.id)
    return presentDetails(row, payload)
  })
  api.on(contract.searchInternalLogs, async ({ projectId, body }) => {
    const { rows, next } = await searchLogs(deps, projectId, readOlderLogQuery(body), (row) => row)
    const present = async (row: (typeof rows)[number]) =>
      presentOlderEntry(row, await appNames(projectId, row.toolkit_slug))
    return { data: await Promise.all(rows.map(present)), nextCursor: next }
  })
  api.on(contract.readInternalLogFields, async () => ({ fields: olderSearchFields }))
  api.on(contract.readInternalLog, async ({ projectId, params }) => {
    const { row, payload } = await readLog(deps, projectId, params.id)
    return presentOlderDetails(row, payload, await appNames(projectId, row.toolkit_slug))
  })
  api.on(contract.queryMetrics, async ({ projectId, body }) => queryMetrics(db, projectId, body))
  api.on(contract.usageSummary, async ({ projectId, body }) => usageSummary(db, { projectId }, body))
  api.on(contract.usageEntity, async ({ projectId, params, body }) =>
    usageBreakdown(db, params.entity_type, { projectId }, body),
  )
  api.on(contract.orgUsageSummary, async ({ organizationId, body }) =>
    usageSummary(db, { organizationId }, body),
  )
  api.on(contract.orgUsageEntity, async ({ organizationId, params, body }) =>
    usageBreakdown(db, params.entity_type, { organizationId }, body),
  )
}
