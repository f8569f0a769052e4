import { jsonBytesOf } from '../../platform/json-bytes.ts'
import type { Connection, Execution, ExecutionRow, FoundTool, Result } from '../types.ts'
import { hiderOf } from './hide.ts'
import type { Trace } from './trace.ts'

const ERROR_MAX = 2_000
const DATA_TEXT_MAX = 16_384

/** What is known of an execution at one moment; without a result it has only begun. */
export interface Recorded {
  logId: string
  execution: Execution
  found: FoundTool
  connection: Connection
  trace: Trace
  result?: Result
}

/** The log row of an execution. Credentials have no place in it. */
export function rowOf({ logId, execution, found, connection, trace, result }: Recorded): ExecutionRow {
  const account = connection.kind === 'account' ? connection.account : undefined
  // Credentials that came with the call belong to no account, whichever the call named.
  const named = connection.kind === 'none' ? execution.connectedAccountId : undefined
  const { startedAt, requests, requestBytes, responseBytes } = trace
  return {
    id: logId,
    projectId: execution.projectId,
    toolSlug: found.tool.slug,
    toolkitSlug: found.toolkit.slug,
    version: found.version,
    effect: found.tool.effect,
    dryRun: execution.dryRun === true,
    userId: execution.userId ?? account?.userId ?? null,
    connectedAccountId: account?.id ?? named ?? null,
    authConfigId: account?.authConfigId ?? null,
    sessionId: execution.within?.sessionId ?? null,
    sandboxId: execution.within?.sandboxId ?? null,
    parentId: execution.within?.logId ?? null,
    requestId: execution.requestId,
    source: execution.source,
    startedAt,
    requests,
    requestBytes,
    responseBytes,
    timings: Object.fromEntries(
      Object.entries(trace.timings).map(([step, ms]) => [step, Math.round(ms * 10) / 10]),
    ),
    successful: result ? result.successful : null,
    statusCode: result?.statusCode ?? null,
    error: result ? errorText(execution, result) : null,
    durationMs: result ? trace.elapsedMs() : null,
    payload: execution.settings.storePayloads ? payloadText(execution, connection, result) : null,
  }
}

/** Where payloads are not stored, neither is what a provider or a tool said: it may quote them. */
function errorText({ settings }: Execution, { error, data }: Result): string | null {
  if (error === null) return null
  const quotes = !settings.storePayloads && 'message' in data
  return (quotes ? String(data['http_error'] ?? 'The tool failed.') : error)
    .slice(0, ERROR_MAX)
    .replaceAll('\0', '')
}

/** Arguments and answer as JSON text. An application that repeats the credentials it was sent does not bring them into the log. */
function payloadText(execution: Execution, connection: Connection, result: Result | undefined): string {
  const text = `{"arguments":${bounded(execution.arguments)}${result ? `,"data":${bounded(result.data)}` : ''}}`
  return hiderOf(connection)(text)
}

/** Large payloads stay with the caller; the log keeps their beginning. */
function bounded(data: unknown): string {
  // Four bytes are the most that a character has: of what is longer there is enough, and whatever is whole is JSON as it came.
  const text = jsonBytesOf(data)?.toString('utf8', 0, DATA_TEXT_MAX * 4) ?? JSON.stringify(data)
  return text.length <= DATA_TEXT_MAX ? text : JSON.stringify({ truncated: text.slice(0, DATA_TEXT_MAX) })
}
