import type { ConnectionContext, Credentials } from '../auth-schemes/index.ts'
import type { Catalog, ResolvedTool } from '../catalog/index.ts'
import type { ProjectSettings } from '../contract/projects/call-settings.ts'
import type { Logger } from '../platform/log.ts'
import type { TaskText } from './arguments/arguments-from-text.ts'
import type { EngineAccount, SavedFile } from './dependencies.ts'

export type { Catalog, ConnectionContext, ResolvedTool, Credentials }

export interface CustomAuth {
  base_url?: string
  parameters?: readonly { name: string; in: 'header' | 'query'; value: string | number | boolean }[]
  body?: Credentials
}
export interface CustomConnection {
  authScheme: string
  toolkitSlug: string
  val: Credentials
}

/**
 * The session, sandbox and logged call that a call is part of. `mcpCallerId`: for a call over an MCP server, the server
 * and a digest of the users and accounts in its URL.
 */
export interface ParentCall {
  sessionId?: string
  mcpCallerId?: string
  sandboxId?: string
  logId?: string
}

/** One call of one tool, as the caller requests it. The engine does not change it, unless `ownsArguments` is set. */
export interface ToolCall {
  readonly projectId: string
  readonly settings: ProjectSettings
  readonly toolSlug: string
  readonly version: string
  readonly userId?: string | undefined
  readonly connectedAccountId?: string | undefined
  readonly arguments: Readonly<Record<string, unknown>>
  /** Nothing else uses the arguments, so that defaults can be filled in without a copy of large ones. */
  readonly ownsArguments?: boolean | undefined
  /** A task in words. A language model derives the arguments from it. */
  readonly text?: TaskText | undefined
  readonly customAuth?: CustomAuth | undefined
  readonly customConnection?: CustomConnection | undefined
  readonly requestId: string
  readonly source: Credentials | null
  readonly parent?: ParentCall | undefined
  /** Returns the request instead of sending it. */
  readonly dryRun?: boolean | undefined
  /** The id of the log row. Default: a new one. */
  readonly logId?: string | undefined
  /** Called once, before the first request that may change something is sent. */
  readonly onBeforeSend?: () => void
  readonly signal: AbortSignal
  readonly log?: Logger | undefined
  /**
   * Resolves true when the reports of all earlier changes of accounts have been handled. Default: the round trip for
   * that starts when the account is read.
   */
  readonly changesConfirmed?: Promise<boolean> | undefined
  /** Reads a list page by page, within these bounds. */
  readonly paging?: { maxPages: number; maxItems: number } | undefined
  /** The caller sends `data` of the result as it is. A large response then need not be parsed. */
  readonly sendsUnchanged?: boolean | undefined
}

/** The credentials a tool runs with: none, those of an account, or those that the call contains. */
export type ToolConnection =
  | { kind: 'none' }
  | AccountConnection
  | { kind: 'custom'; context: ConnectionContext }
  | { kind: 'params'; params: CustomAuth }

export interface AccountConnection {
  kind: 'account'
  account: EngineAccount
  context: ConnectionContext
}

export interface ToolResult {
  data: Record<string, unknown>
  error: string | null
  successful: boolean
  statusCode: number | null
  /** Headers of the response. The next page of a list may be in them. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Length of the response body. */
  bytes?: number
  paging?: PagesReport
  /** The call was not made: it waits for an approval, a person denied it, or a hook blocked it. */
  isWithheld?: true
  /** A hook blocked the call, or its result. */
  blocked?: { reason: string; results: readonly HookResult[] }
  /** The session at the application that the call used, if it ends. */
  session?: CredentialSession | undefined
  /** The result that is logged in place of this one, which contains a secret URL. */
  loggedAs?: ToolResult
}

/** Credentials of an account that are valid until a known time. `expiresAt`: milliseconds since the epoch. */
export interface CredentialSession {
  accountId: string
  expiresAt: number
}

/** The result of a call with the id of its log row. */
export interface ToolExecution {
  data: Record<string, unknown>
  error: string | null
  successful: boolean
  logId: string
  paging?: PagesReport | undefined
  session?: CredentialSession | undefined
  /** The call was not made: it waits for an approval, a person denied it, or a hook blocked it. */
  isWithheld?: true | undefined
  blocked?: ToolResult['blocked']
}

/** How much of a list was read. `next`: the arguments of the next page; null at the end of the list. */
export interface PagesReport {
  pages: number
  items: number
  complete: boolean
  next: Record<string, unknown> | null
  stopped_by: 'max_pages' | 'max_items' | 'size' | 'repetition' | 'not_allowed' | 'error' | null
  error?: string | null
}

/** A call with checked arguments and a chosen account, before anything is sent. */
export interface PreparedCall {
  catalog: Catalog
  call: ToolCall
  resolvedTool: ResolvedTool
  connection: ToolConnection
  logId: string
  /** All that is sent. For a proxied request this includes values that are not logged. */
  arguments: Readonly<Record<string, unknown>>
  /** The arguments without header values and file contents of a proxied request. */
  loggedArguments: Readonly<Record<string, unknown>>
  /** A proxied request, not a tool. */
  isProxy: boolean
}

/** What a hook decided, as the caller sees it. */
export interface HookResult {
  hook_id: string
  type: 'before_execute' | 'after_execute'
  action: string
  message: string | null
}

export const PROXY_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'] as const

/** A request that the caller wrote, to be sent with the credentials of an account. */
export interface ProxyCall {
  readonly projectId: string
  readonly settings: ProjectSettings
  readonly connectedAccountId?: string | undefined
  /** Optional: the account names its user. Only shared accounts need to know who calls. */
  readonly userId?: string | undefined
  readonly customConnection?: CustomConnection | undefined
  /** A path below the base URL of the account, or a complete URL of the same site. */
  readonly endpoint: string
  readonly method: (typeof PROXY_METHODS)[number]
  readonly body?: unknown
  readonly binaryBody?:
    | { url?: string | undefined; base64?: string | undefined; content_type?: string | undefined }
    | undefined
  readonly parameters?: readonly { name: string; type: 'header' | 'query'; value: string }[] | undefined
  readonly parent?: ParentCall | undefined
  readonly requestId: string
  readonly source: Credentials | null
  readonly signal: AbortSignal
  readonly log?: Logger | undefined
  /** See `changesConfirmed` of a tool call. */
  readonly changesConfirmed?: Promise<boolean> | undefined
}

/** The response of the application, with any status. Bytes and large bodies are files. */
export interface ProxyResponse {
  status: number
  headers: Record<string, string>
  data?: unknown
  file?: SavedFile
}
