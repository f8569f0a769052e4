import { jsonBeginning } from '../../platform/json-beginning.ts'
import { jsonSourceOf } from '../../platform/json-source.ts'
import type { ExecutionRow } from '../dependencies.ts'
import { redactorFor } from '../http/redactor.ts'
import type { ToolCall, ToolConnection, ToolResult } from '../types.ts'
import { type CallTrace, elapsedMs } from './call-trace.ts'

const ERROR_MAX = 2_000
const DATA_TEXT_MAX = 16_384
/** The length of JSON up to which it may be serialized again for the log. */
const RESERIALIZED_MAX = 65_536
const NO_CONNECTION: ToolConnection = { kind: 'none' }

/** What is known about a call when its row is written. */
export interface LoggedCall {
  readonly logId: string
  readonly call: ToolCall
  readonly trace: CallTrace
  readonly operation: {
    readonly tool: { readonly slug: string; readonly effect: string }
    readonly toolkit: { readonly slug: string }
    readonly version: string
  }
  readonly connection?: ToolConnection | undefined
  /** Missing until the arguments are filled. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

/** Returns the log row of a call, without credentials. Without a result, the call has only started. */
export function createLogRow(logged: LoggedCall, result?: ToolResult): ExecutionRow {
  const { logId, call, operation, trace, connection = NO_CONNECTION } = logged
  const { settings, parent } = call
  const account = connection.kind === 'account' ? connection.account : undefined
  // Credentials that the call contains belong to no account, whichever the call names.
  const requestedId = connection.kind === 'none' ? call.connectedAccountId : undefined
  const { startedAt, requests, requestBytes, responseBytes } = trace
  const timings: Record<string, number> = {}
  for (const [step, ms] of Object.entries(trace.timings)) timings[step] = Math.round(ms * 10) / 10
  return {
    id: logId,
    projectId: call.projectId,
    toolSlug: operation.tool.slug,
    toolkitSlug: operation.toolkit.slug,
    version: operation.version,
    effect: operation.tool.effect,
    dryRun: call.dryRun === true,
    userId: call.userId ?? account?.userId ?? null,
    connectedAccountId: account?.id ?? requestedId ?? null,
    authConfigId: account?.authConfigId ?? null,
    sessionId: parent?.sessionId ?? null,
    sandboxId: parent?.sandboxId ?? null,
    parentId: parent?.logId ?? null,
    requestId: call.requestId,
    source: call.source,
    startedAt,
    requests,
    requestBytes,
    responseBytes,
    timings,
    successful: result ? result.successful : null,
    isStartLogged: result !== undefined && trace.startRow !== undefined,
    statusCode: result?.statusCode ?? null,
    error: result ? errorText(call, result) : null,
    durationMs: result ? elapsedMs(trace) : null,
    payload: settings.storePayloads
      ? payloadText(logged.arguments ?? call.arguments, connection, result)
      : null,
  }
}

/** Where payloads are not stored, messages of providers and tools are not stored either: they may quote them. */
function errorText({ settings }: ToolCall, { error, data }: ToolResult): string | null {
  if (error === null) return null
  const quotes = !settings.storePayloads && 'message' in data
  return (quotes ? String(data['http_error'] ?? 'The tool failed.') : error)
    .slice(0, ERROR_MAX)
    .replaceAll('\0', '')
}

/** Arguments and result as JSON text. Credentials that the application repeats are redacted. */
function payloadText(
  args: Readonly<Record<string, unknown>>,
  connection: ToolConnection,
  result: ToolResult | undefined,
): string {
  const text = `{"arguments":${boundedJson(args)}${result ? `,"data":${boundedJson(result.data)}` : ''}}`
  return redactorFor(connection)(text)
}

/** JSON text; of long data only the beginning. */
function boundedJson(data: unknown): string {
  const source = jsonSourceOf(data)
  if (source && source.length > RESERIALIZED_MAX) return truncatedJson(source.beginning(DATA_TEXT_MAX))
  // Escapes that an application need not write (`\/`) could hide a credential from the redactor.
  const isUsable = source !== undefined && !source.text.includes('\\')
  const { text, isWhole } = isUsable
    ? { text: source.text, isWhole: true }
    : jsonBeginning(data, DATA_TEXT_MAX)
  if (isWhole && text.length <= DATA_TEXT_MAX) return text
  return truncatedJson(text.slice(0, DATA_TEXT_MAX))
}

const truncatedJson = (beginning: string): string => JSON.stringify({ truncated: beginning })
