// The context of a call, in groups of fields. A step lists the groups it reads and returns those it adds.
// `sendWithRetry` reads HasAuthorization and HasStartedRow, so no list of a call can send without these steps.
import type { ErrorMeaning, IdempotencyKey, Predicate, RenderedRequest } from '../../catalog/index.ts'
import type { Tool, Toolkit, ToolResponse } from '../../catalog/index.ts'
import type { EgressRequest } from '../../platform/egress/index.ts'
import type { CallTrace } from '../execution-log/call-trace.ts'
import type { EngineDeps, UsedApproval } from '../dependencies.ts'
import type { ProviderResponse, RequestOptions } from '../http/provider-response.ts'
import type { McpSessions } from '../mcp/mcp-sessions.ts'
import type { CallRecorder } from '../recording/recordings.ts'
import type { Turn } from '../throttling/index.ts'
import type { ResolvedTool, ToolCall, ToolConnection, ToolResult } from '../types.ts'

/** The dependencies of a step: those of the engine, and the state that its calls share. */
export interface StepDeps extends EngineDeps {
  readonly mcpSessions: McpSessions
}

/** Fields of every list that sends requests for a call. */
export interface CallStart {
  readonly call: ToolCall
  readonly logId: string
  readonly trace: CallTrace
}

/** The properties of a tool that a request needs. Requests of triggers, proxies and probes have them, too. */
export interface Operation {
  readonly slug: string
  readonly effect: Tool['effect']
  readonly idempotent: boolean
  readonly useToken?: string | undefined
  readonly idempotencyKey?: IdempotencyKey | undefined
  readonly successWhen: Predicate | undefined
  readonly response: Pick<ToolResponse, 'pick' | 'wrap'> & Partial<Pick<ToolResponse, 'tidy' | 'file'>>
  readonly limits: Partial<Tool['limits']>
  readonly request?: { readonly timeoutSeconds?: number | undefined } | undefined
  readonly mcp?: { readonly timeoutSeconds?: number | undefined } | undefined
  readonly code?: unknown
}
export interface ResolvedOperation {
  readonly tool: Operation
  readonly toolkit: Toolkit
  readonly version: string
}

export interface HasTool {
  readonly resolvedTool: ResolvedTool
}
export interface HasOperation {
  readonly operation: ResolvedOperation
}
export interface HasDeadline {
  /**
   * Milliseconds since the epoch. No attempt and no wait ends later. Undefined: the request is sent once and
   * does not wait for the end of a cooldown.
   */
  readonly deadlineAt: number | undefined
}
export interface HasSignal {
  readonly signal: AbortSignal
}
export interface HasConnection {
  readonly connection: ToolConnection
}
/** Arguments with the defaults of the tool. `argumentsError` says what is wrong with them. */
export interface HasFilledArguments {
  readonly arguments: Record<string, unknown>
  readonly argumentsError: ToolResult | undefined
}
/** Set for arguments that take long to copy or to serialize. */
export interface MayBeLong {
  readonly hasLongArguments?: true
}
export interface HasArguments {
  readonly arguments: Record<string, unknown>
}
/** `arguments` with the contents of files in place of their keys. */
export interface HasArgumentFiles {
  readonly sentArguments: Record<string, unknown>
}
/** Proof that the policies allow the call. */
export interface HasAuthorization {
  readonly isAuthorized: true
  readonly usedApproval?: UsedApproval | undefined
}
/** A request without credentials, which are added for each attempt: signatures contain the time. */
export interface HasRequest {
  readonly request: RenderedRequest
  readonly requestOptions?: RequestOptions | undefined
}
export interface HasRepeatability {
  /** The request may be sent again if nobody knows whether it was carried out. */
  readonly isRepeatable: boolean
}
/** The request of the first attempt, with credentials. */
export interface HasSignedRequest {
  readonly signedRequest: EgressRequest
}
/** The permission of the concurrency limiter for the first attempt. */
export interface HasTurn {
  readonly turn: Turn
}
/** Proof that a call that may change something has a log row. */
export interface HasStartedRow {
  readonly isStartLogged: boolean
}
export interface HasResponse {
  readonly response: ProviderResponse
}
export interface HasResult {
  readonly result: ToolResult
}
/** Set while calls are recorded. */
export interface MayHaveRecorder {
  readonly recorder?: CallRecorder | undefined
}

export type { ErrorMeaning }
