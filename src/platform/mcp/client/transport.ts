import type { OnBody } from '../../egress/index.ts'

/**
 * The purpose of a request. `call` does the work, `prepare` comes before it, and `aside` accompanies it (a
 * response, the end of a session); its result must change nothing.
 */
export type Purpose = 'call' | 'prepare' | 'aside'

/** One HTTP request to the URL of a server. */
export interface McpRequest {
  readonly purpose: Purpose
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  /** JSON body. */
  readonly message?: object
  readonly timeoutMs: number
  /** Absent for messages that are sent although the caller has disconnected. */
  readonly signal?: AbortSignal | undefined
  readonly onBody?: OnBody
}

export interface McpReply {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Parsed JSON, else the text; undefined if there is no body or it was streamed. */
  readonly body: unknown
}

/**
 * Sends a request with URL, credentials and egress guard. Any status is a result.
 * @throws EgressError if there is no response
 */
export type McpSend = (request: McpRequest) => Promise<McpReply>

export type McpErrorKind =
  | 'status' // An error status without a JSON-RPC error; `reply` has the response.
  | 'rpc' // A JSON-RPC error; `code` and `data` have the details.
  | 'input' // The server requests input of a user or a model.
  | 'unreadable' // No MCP message, or none with a response.
  | 'unsupported' // A revision or a transport that is not supported.

/** Why a server returned no result. `message` may be shown to the caller of a tool. */
export class McpError extends Error {
  readonly kind: McpErrorKind
  readonly reply: McpReply | undefined
  readonly code: number | undefined
  readonly data: unknown

  constructor(
    kind: McpErrorKind,
    message: string,
    more: { reply?: McpReply; code?: number; data?: unknown } = {},
  ) {
    super(message)
    this.name = 'McpError'
    this.kind = kind
    this.reply = more.reply
    this.code = more.code
    this.data = more.data
  }
}
