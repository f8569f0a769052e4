import type { OnBody } from '../../egress/index.ts'

/**
 * What a request is for. `call` is what somebody wants done, `prepare` comes before it, `aside` is said beside it (an answer, a goodbye) and must change
 * nothing whatever becomes of it.
 */
export type Purpose = 'call' | 'prepare' | 'aside'

/** One HTTP request to the address of a server. */
export interface McpRequest {
  readonly purpose: Purpose
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  /** JSON body. */
  readonly message?: object
  readonly timeoutMs: number
  /** Absent for what has to be said although the caller is gone. */
  readonly signal?: AbortSignal | undefined
  readonly onBody?: OnBody
}

export interface McpReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** JSON that was parsed, else the text; undefined when there is none or when it was taken. */
  readonly body: unknown
}

/** Sends a request with address, credentials and guard. Any status is a reply. @throws EgressError when there is none */
export type McpSend = (request: McpRequest) => Promise<McpReply>

export type McpErrorKind =
  | 'status' // A refusal that is no JSON-RPC error; `reply` has it.
  | 'rpc' // A JSON-RPC error; `code` and `data` have more.
  | 'input' // The server wants something of a user or a model before it answers.
  | 'unreadable' // No MCP message, or none that answers.
  | 'unsupported' // A revision or a transport that is not spoken here.

/** Why a server gave no result. `message` is fit for the caller of a tool. */
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
