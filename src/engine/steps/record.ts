import type { Connection, Execution, ExecutionRow, FoundTool, Result } from '../types.ts'

const ERROR_MAX = 2_000
const DATA_TEXT_MAX = 16_384

/** The log row of an execution. Credentials have no place in it. */
export function rowOf({ logId, execution, found, connection, result, durationMs }: {
  logId: string, execution: Execution, found: FoundTool, connection: Connection, result: Result, durationMs: number,
}): ExecutionRow {
  const account = connection.kind === 'account' ? connection.account : undefined
  // Credentials that came with the call belong to no account, whichever the call named.
  const named = connection.kind === 'none' ? execution.connectedAccountId : undefined
  return {
    id: logId, projectId: execution.projectId, toolSlug: found.tool.slug, toolkitSlug: found.toolkit.slug, version: found.version,
    userId: execution.userId ?? account?.userId ?? null, connectedAccountId: account?.id ?? named ?? null, authConfigId: account?.authConfigId ?? null,
    requestId: execution.requestId, successful: result.successful, statusCode: result.statusCode, error: errorText(execution, result), durationMs, source: execution.source,
    payload: execution.settings.storePayloads ? { arguments: bounded(execution.arguments), data: bounded(result.data) } : null,
  }
}

/** Where payloads are not stored, neither is what a provider or a tool said: it may quote them. */
function errorText({ settings }: Execution, { error, data }: Result): string | null {
  if (error === null) return null
  const quotes = !settings.storePayloads && 'message' in data
  return (quotes ? String(data['http_error'] ?? 'The tool failed.') : error).slice(0, ERROR_MAX).replaceAll('\0', '')
}

/** Large payloads stay with the caller; the log keeps their beginning. */
function bounded(data: unknown): unknown {
  const text = JSON.stringify(data)
  return text.length <= DATA_TEXT_MAX ? data : { truncated: text.slice(0, DATA_TEXT_MAX), characters: text.length }
}
