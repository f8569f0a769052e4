/** A tool in the format of MCP. */
export interface McpTool {
  name: string
  title: string
  description: string
  inputSchema: Readonly<Record<string, unknown>>
  annotations: Readonly<Record<string, boolean | string>>
}
/** The result of a call. Failures of a tool are results, not errors of the protocol. */
export interface McpOutcome {
  structured: Readonly<Record<string, unknown>>
  isError: boolean
  /**
   * A URL that the user must visit before the call can be made. Clients that support URL elicitation show it;
   * others receive the result.
   */
  urlElicitation?: McpUrlElicitation | undefined
}
/** `id`: the subject of the visit. `message`: the reason, in words for the user. */
export interface McpUrlElicitation {
  id: string
  message: string
  url: string
}

/** What one caller may use. It is created for each request. */
export interface McpServerContext {
  /** The project of the caller. */
  projectId: string
  name: string
  version: string
  instructions: string
  /** The namespace of cancellations: a caller can cancel its own requests only. */
  scope: string
  /** Checks that the caller may call tools. Everything else needs no further permission. @throws ApiError 403 */
  authorizeCalls(): Promise<void>
  list(cursor: string | undefined): Promise<{ tools: McpTool[]; nextCursor?: string }>
  /** Returns undefined if the caller has no such tool. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<McpOutcome | undefined>
}

/** A cursor that this server did not issue. */
export class InvalidCursor extends Error {}
