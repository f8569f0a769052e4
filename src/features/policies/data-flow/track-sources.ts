import { createCache } from '../../../platform/cache.ts'
import type { PreparedCall } from '../../../engine/index.ts'
import type { ContentCategory } from '../../../contract/policies/content-categories.ts'
import type { UntrustedSource } from '../../../contract/policies/index.ts'
import { batchCalls } from '../../../platform/db/batch.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { dataFlowOf } from './classify-tool.ts'
import {
  findSources,
  type FlowContext,
  insertSource,
  type NewSource,
  type UntrustedSourceRow,
} from './store.ts'

/** A conversation over an MCP server has no end, so what it read counts for this time after the last read. */
const MCP_SERVER_SECONDS = 25 * 60 * 60
/** Recorded sources that a process remembers, so that later calls write nothing. */
const RECORDED_MAX = 50_000
/** Shorter than the validity by an hour or more: a source of an MCP server is recorded again in time. */
const RECORDED_TTL_MS = 60 * 60 * 1_000

/**
 * Remembers which untrusted content sessions have read. A source is stored before the call is sent, so that no caller
 * can have content whose source a policy does not see, also after a crash.
 */
export function createSourceTracker(db: Db) {
  const load = batchCalls((keys: readonly FlowContext[]) => findSources(db, keys))
  const recorded = createCache<string, true>({ max: RECORDED_MAX, ttl: RECORDED_TTL_MS })

  async function record(context: FlowContext, source: NewSource): Promise<void> {
    const { category, toolkit_slug: toolkit, account, note } = source
    const key = [context.projectId, context.contextId, category, toolkit, account, note].join('\n')
    if (recorded.has(key)) return
    await insertSource(db, context, source, isSession(context) ? null : MCP_SERVER_SECONDS)
    recorded.set(key, true)
  }

  return {
    /** Lists what the context has read, oldest first. Concurrent calls share a statement. */
    list: (context: FlowContext): Promise<readonly UntrustedSourceRow[]> => load(context),
    record,
    /** Records what a call is about to read. Calls that belong to no context are not recorded. */
    recordCall(call: PreparedCall): Promise<void> | undefined {
      const context = flowContextOf(call)
      const { reads } = context ? dataFlowOf(call.resolvedTool, call.isProxy) : {}
      return context && reads && record(context, sourceOfCall(call, reads))
    },
    hasRead: async (projectId: string, sessionId: string): Promise<boolean> =>
      (await load({ projectId, contextId: sessionId })).length > 0,
    /** Records that a session used notes or a recipe of an earlier session that had read untrusted content. */
    recordStored: (projectId: string, sessionId: string, tool: string, note: string): Promise<void> =>
      record(
        { projectId, contextId: sessionId },
        { category: 'stored', toolkit_slug: 'service', tool_slug: tool, account: '', note, log_id: null },
      ),
  }
}
export type SourceTracker = ReturnType<typeof createSourceTracker>

const isSession = ({ contextId }: FlowContext): boolean => contextId.startsWith('trs_')

/** Returns the conversation of a call; undefined if it has none, so that nobody knows what its caller has read. */
export function flowContextOf({ call: { projectId, parent } }: PreparedCall): FlowContext | undefined {
  const contextId = parent?.sessionId ?? parent?.mcpCallerId
  return contextId === undefined ? undefined : { projectId, contextId }
}

function sourceOfCall(
  { resolvedTool, connection, logId }: PreparedCall,
  category: ContentCategory,
): NewSource {
  return {
    category,
    toolkit_slug: resolvedTool.toolkit.slug,
    tool_slug: resolvedTool.tool.slug,
    account: connection.kind === 'account' ? connection.account.id : '',
    note: null,
    log_id: logId,
  }
}

export const presentSource = (row: UntrustedSourceRow): UntrustedSource => ({
  category: row.category,
  toolkit_slug: row.toolkit_slug || null,
  tool_slug: row.tool_slug || null,
  connected_account_id: row.account || null,
  note: row.note,
  log_id: row.log_id,
  first_read_at: row.first_read_at.toISOString(),
})
