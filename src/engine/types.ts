import type { ConnectionContext, Values } from '../auth-schemes/index.ts'
import type { Catalog, FoundTool } from '../catalog/index.ts'
import type { AccountStatus } from '../contract/schemes.ts'
import type { Clock } from '../platform/clock.ts'
import type { Egress } from '../platform/egress/index.ts'
import type { ProjectSettings } from '../platform/http/call.ts'
import type { Model } from '../platform/llm/index.ts'
import type { Logger } from '../platform/log.ts'
import type { Tape } from './recording/tape.ts'
import type { Traffic } from './throttling/index.ts'
import type { Text } from './pipeline/text-to-arguments.ts'

/** Who may use a SHARED account besides its owner. */
export interface Acl {
  allow_all_users?: boolean
  allowed_user_ids?: string[]
  not_allowed_user_ids?: string[]
}

/** A connected account as execution needs it, opened. */
export interface Account {
  id: string
  userId: string
  toolkit: string
  status: AccountStatus
  statusReason: string | null
  shared: Acl | null
  authConfigId: string
  authConfigEnabled: boolean
  /** Empty: all tools of the toolkit. */
  allowedTools: readonly string[]
  /** Undefined when the toolkit no longer offers the scheme. */
  setup: ConnectionContext | undefined
  /** Counts the writes of the credentials. */
  version: number
  /** Milliseconds since the epoch. */
  tokenExpiresAt: number | null
  authFailures: number
}

/** Where accounts come from. Every answer is as the database has it at the time of the call. */
export interface Accounts {
  byId(projectId: string, id: string): Promise<Account | undefined>
  /** The most recently connected ACTIVE account of the user whose auth config is enabled. */
  pick(projectId: string, userId: string, toolkit: string): Promise<Account | undefined>
  /** Fresh credentials for an account whose token ended or was refused. @throws ApiError when there is no way to get them. */
  renew(projectId: string, account: Account): Promise<Account>
  /** The provider refused fresh credentials; after several in a row the account is EXPIRED. */
  refused(projectId: string, account: Account): Promise<void>
  /** The provider took the credentials again. */
  accepted(projectId: string, account: Account): Promise<void>
}

/** One row of the execution log. */
export interface ExecutionRow {
  id: string
  projectId: string
  toolSlug: string
  toolkitSlug: string
  version: string
  effect: string
  dryRun: boolean
  userId: string | null
  connectedAccountId: string | null
  authConfigId: string | null
  sessionId: string | null
  sandboxId: string | null
  parentId: string | null
  requestId: string
  source: Values | null
  /** Milliseconds since the epoch, in steps of a microsecond. */
  startedAt: number
  /** Milliseconds by step. */
  timings: Readonly<Record<string, number>>
  requests: number
  requestBytes: number
  responseBytes: number
  /** Null, as is the duration: it was begun, and its end is not known. */
  successful: boolean | null
  statusCode: number | null
  error: string | null
  durationMs: number | null
  /** JSON text of `{arguments, data}`; null when the project does not store payloads. */
  payload: string | null
}

/** A call as it will be made: its arguments are checked and its account is chosen, and nothing was sent. */
export interface GuardedCall {
  catalog: Catalog
  execution: Execution
  found: FoundTool
  connection: Connection
  logId: string
  /** What is sent, to the letter; of a request of the caller's own also what the log does not show. */
  arguments: Readonly<Record<string, unknown>>
  /** A request of the caller's own in place of a tool. */
  isProxy: boolean
}

/** An answer in place of a call that is not made; `recorded` is what of it may stand in the log. */
export interface Held {
  answered: Result
  recorded: Result
}

/** Decides whether a call may be made. Every call passes it, whichever way it came. */
export interface Guard {
  /** Undefined: it is made. @throws ApiError ActionExecute_PolicyRefused */
  check(call: GuardedCall): Promise<Held | undefined>
  /** Whether a call that follows from one that was let through may be made without asking anybody. */
  letsFollow(call: GuardedCall): Promise<boolean>
}

/** What a hook said, as the caller is told. */
export interface HookResult {
  hook_id: string
  type: 'before_execute' | 'after_execute'
  action: string
  message: string | null
}

/** What hooks make of a call before it is made: arguments in place of its own, an answer in its place, and what looks at its answer. */
export interface Hooked {
  arguments?: Record<string, unknown>
  blocked?: Result
  after?(result: Result): Promise<Result>
}

/** Programs that look at the calls of a session, beside the policies. */
export interface Hooks {
  /** Undefined: none is about the call. */
  before(call: GuardedCall): Promise<Hooked | undefined>
  /** @throws ApiError ActionExecute_PolicyRefused: they cannot look at requests of the caller's own, so there are none where one is about the toolkit */
  refuseProxy(call: GuardedCall): Promise<void>
}

export interface EngineDeps {
  catalog: Catalog
  egress: Egress
  clock: Clock
  accounts: Accounts
  files: Files
  traffic: Traffic
  /** Default: every call may be made. */
  guard?: Guard | undefined
  /** Default: nobody looks at calls. */
  hooks?: Hooks | undefined
  /** Reads tasks in words; undefined when none is configured. */
  model?: Model | undefined
  /** Resolves when the row is stored. A call that may change something is stored before it is sent, and once more at its end. */
  record(row: ExecutionRow): Promise<void>
  newLogId(): string
  /** Default: nothing is recorded, and nothing answered from a recording. */
  tape?: Tape | undefined
}

export interface CustomAuth {
  base_url?: string
  parameters?: readonly { name: string; in: 'header' | 'query'; value: string | number | boolean }[]
  body?: Values
}
export interface CustomConnection {
  authScheme: string
  toolkitSlug: string
  val: Values
}

/** One call of one tool. Identity is an argument, never ambient. */
export interface Execution {
  projectId: string
  settings: ProjectSettings
  toolSlug: string
  version: string
  userId?: string | undefined
  connectedAccountId?: string | undefined
  /** Filled in place from `text` where there is one. */
  arguments: Record<string, unknown>
  text?: Text | undefined
  customAuth?: CustomAuth | undefined
  customConnection?: CustomConnection | undefined
  requestId: string
  source: Values | null
  /** What this call is part of. */
  within?: { sessionId?: string; sandboxId?: string; logId?: string } | undefined
  /** Show the request in place of sending it. */
  dryRun?: boolean | undefined
  /** Of its row, where that had to be known before. */
  logId?: string | undefined
  /** Told when it is about to be sent and may have an effect from then on. */
  onEffect?(): void
  signal: AbortSignal
  log?: Logger | undefined
  /** Read the list page after page, within these bounds. */
  paging?: { maxPages: number; maxItems: number } | undefined
  /** Set by the engine while it runs. */
  run?: Run | undefined
}

/** One run of an execution. Without one a request is sent once, and waits for no end of a pause. */
export interface Run {
  /** Names this run; idempotency keys are made of it. */
  key: string
  /** Milliseconds since the epoch; nothing goes on after it. */
  deadlineAt: number
  /** Idempotency keys that were made. */
  keys: number
}

/** What the tool runs with: nothing, an account, or credentials that came with the call. */
export type Connection =
  | { kind: 'none' }
  | { kind: 'account'; account: Account; setup: ConnectionContext }
  | { kind: 'custom'; setup: ConnectionContext }
  | { kind: 'params'; params: CustomAuth }

export interface Result {
  data: Record<string, unknown>
  error: string | null
  successful: boolean
  statusCode: number | null
  /** Of the reply, for what goes on from it. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>
  bytes?: number
  paging?: PagesRead
  /** It was not made: it waits for a person, or one said no. */
  held?: true
  /** A hook kept the call from being made, or its answer from its caller. */
  blocked?: { reason: string; results: readonly HookResult[] }
}

/** How much of a list was read. `next`: the arguments that ask for what follows; null at its end. */
export interface PagesRead {
  pages: number
  items: number
  complete: boolean
  next: Record<string, unknown> | null
  stopped_by: 'max_pages' | 'max_items' | 'size' | 'repetition' | 'not_allowed' | 'error' | null
  error?: string | null
}
export type { Catalog, FoundTool, ConnectionContext, Values }

/** A file that a tool answers with, on its way to the caller. */
export interface NewFile {
  name: string
  mimetype: string
  bytes: Buffer
  toolkit: string
  tool: string
}
/** Kept for the caller, who fetches it from `url` until `expiresAt` (RFC 3339). */
export interface SavedFile {
  name: string
  mimetype: string
  size: number
  key: string
  url: string
  expiresAt: string
}

/** The files of projects. @throws ApiError for a file that is missing or another project's, alike, and when there is no room */
export interface Files {
  /** The largest file there may be. */
  readonly bytesMax: number
  read(projectId: string, key: string): Promise<{ filename: string; mimetype: string; bytes: Buffer }>
  /** The file behind an address that this server gave out for the project; undefined for any other address. */
  readAddress?(
    projectId: string,
    url: string,
  ): Promise<{ filename: string; mimetype: string; bytes: Buffer } | undefined>
  /** `secondsValid`: how long the address is good. */
  save(projectId: string, file: NewFile, secondsValid: number): Promise<SavedFile>
}

export const PROXY_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'] as const

/** A request of the caller's own, sent with the credentials of an account. */
export interface ProxyCall {
  projectId: string
  settings: ProjectSettings
  connectedAccountId?: string | undefined
  /** Optional: an account that is named belongs to somebody, and only shared ones need to know who acts. */
  userId?: string | undefined
  customConnection?: CustomConnection | undefined
  /** A path below the base address of the account, or a whole address of the same site. */
  endpoint: string
  method: (typeof PROXY_METHODS)[number]
  body?: unknown
  binaryBody?:
    | { url?: string | undefined; base64?: string | undefined; content_type?: string | undefined }
    | undefined
  parameters?: readonly { name: string; type: 'header' | 'query'; value: string }[] | undefined
  /** What this call is part of. */
  within?: Execution['within']
  requestId: string
  source: Values | null
  signal: AbortSignal
  log?: Logger | undefined
}

/** What the application answered, whatever its status; bytes and large answers are files. */
export interface ProxyAnswer {
  status: number
  headers: Record<string, string>
  data?: unknown
  file?: SavedFile
}
