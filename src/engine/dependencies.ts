import type { ConnectionContext } from '../auth-schemes/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { AccountStatus } from '../contract/schemes.ts'
import type { Clock } from '../platform/clock.ts'
import type { Egress } from '../platform/egress/index.ts'
import type { Model } from '../platform/llm/index.ts'
import type { Tracing } from '../platform/telemetry/index.ts'
import type { Recordings } from './recording/recordings.ts'
import type { Throttling } from './throttling/index.ts'
import type { PreparedCall, ToolResult } from './types.ts'

/** Everything the engine needs, with the catalogue of one project. */
export interface EngineDeps {
  catalog: Catalog
  egress: Egress
  clock: Clock
  accounts: EngineAccounts
  files: FileStorage
  throttling: Throttling
  /** Default: every call is allowed. */
  policies?: CallPolicies | undefined
  /** Default: no hooks. */
  hooks?: CallHooks | undefined
  /** Reads tasks in words. Default: calls with text are rejected. */
  model?: Model | undefined
  /** Resolves when the row is stored. A call that may change something is stored before it is sent, too. */
  writeLogRow(row: ExecutionRow): Promise<void>
  newLogId(): string
  /** Default: nothing is recorded or replayed. */
  recordings?: Recordings | undefined
  /** Records calls and their steps as spans. Default: nothing is recorded. */
  tracing?: Tracing | undefined
}

/** The users who may use a shared account, apart from its owner. */
export interface SharedAccess {
  allow_all_users?: boolean
  allowed_user_ids?: string[]
  not_allowed_user_ids?: string[]
}

/** A connected account with decrypted credentials. */
export interface EngineAccount {
  id: string
  userId: string
  toolkit: string
  status: AccountStatus
  statusReason: string | null
  shared: SharedAccess | null
  authConfigId: string
  authConfigEnabled: boolean
  /** Empty: all tools of the toolkit. */
  allowedTools: readonly string[]
  /** Undefined when the toolkit no longer offers the scheme. */
  context: ConnectionContext | undefined
  /** Increases with each write of the credentials. */
  version: number
  /** Milliseconds since the epoch. */
  tokenExpiresAt: number | null
  authFailures: number
}

/**
 * The connected accounts of all projects. Reads return the state of the database at the time of the call, or of the
 * time when `confirmed` was started: it resolves true when the reports of all earlier changes have been handled.
 */
export interface EngineAccounts {
  findById(projectId: string, id: string, confirmed?: Promise<boolean>): Promise<EngineAccount | undefined>
  /**
   * Returns the most recently connected ACTIVE account of the user whose auth config is enabled; if there is none, the
   * most recently connected one that expired or was disabled, which `usableContext` rejects with the reason.
   */
  findForUser(
    projectId: string,
    userId: string,
    toolkit: string,
    confirmed?: Promise<boolean>,
  ): Promise<EngineAccount | undefined>
  /**
   * Returns the account with a new token. The version is the same if the provider issued none.
   * @throws ApiError when the token cannot be refreshed
   */
  refreshToken(projectId: string, account: EngineAccount): Promise<EngineAccount>
  /** Counts a rejection of valid credentials. After several in a row, the account is EXPIRED. */
  recordRejection(projectId: string, account: EngineAccount): Promise<void>
  /** Resets the count: the provider accepted the credentials. */
  clearRejections(projectId: string, account: EngineAccount): Promise<void>
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
  source: Readonly<Record<string, unknown>> | null
  /** Milliseconds since the epoch, in steps of a microsecond. */
  startedAt: number
  /** Milliseconds by step. */
  timings: Readonly<Record<string, number>>
  requests: number
  requestBytes: number
  responseBytes: number
  /** Null, as is the duration, while the end is unknown. */
  successful: boolean | null
  /** Whether the start of the call has a row, which this one replaces. */
  isStartLogged: boolean
  statusCode: number | null
  error: string | null
  durationMs: number | null
  /** JSON text of `{arguments, data}`; null when the project does not store payloads. */
  payload: string | null
}

/** The result of a call that is not made because a person has to approve it or has denied it. */
export interface PendingApproval {
  result: ToolResult
  /** The result without the secret URL of the approval page. */
  loggedResult: ToolResult
}

/** The approval that a call used. */
export interface UsedApproval {
  /** Makes the approval valid again, until it expires, for a call that was not sent. */
  restore(): Promise<void>
}

/** Decides whether a call may be made. Every call passes it. */
export interface CallPolicies {
  /**
   * Returns undefined for a call that may be made, or the approval that it used. A dry run creates no approval.
   * @throws ApiError ActionExecute_PolicyRefused
   */
  authorize(call: PreparedCall): Promise<PendingApproval | UsedApproval | undefined>
  /** Returns whether a call that follows from an authorized call may be made without an approval. */
  allowsFollowUp(call: PreparedCall): Promise<boolean>
}

/** The decision of the hooks of a session before a call. */
export interface HookOutcome {
  /** Replace the arguments of the call. */
  arguments?: Record<string, unknown>
  /** Replaces the call. */
  blocked?: ToolResult
  /** Runs the hooks that inspect the result. `sent`: the arguments of the call that was made. */
  after?(result: ToolResult, sent: Readonly<Record<string, unknown>>): Promise<ToolResult>
}

/** The hooks of sessions: programs that inspect calls, in addition to the policies. */
export interface CallHooks {
  /** Returns undefined if no hook applies to the call. */
  beforeCall(call: PreparedCall): Promise<HookOutcome | undefined>
  /**
   * Rejects a proxied request if a hook applies to the toolkit, since hooks inspect only calls of tools.
   * @throws ApiError ActionExecute_PolicyRefused
   */
  rejectProxyCall(call: PreparedCall): Promise<void>
}

/** A file in the result of a tool, before it is stored. */
export interface NewFile {
  name: string
  mimetype: string
  bytes: Buffer
  toolkit: string
  tool: string
}

/** A stored file. The caller downloads it from `url` until `expiresAt` (RFC 3339). */
export interface SavedFile {
  name: string
  mimetype: string
  size: number
  key: string
  url: string
  expiresAt: string
}

export interface FileContent {
  filename: string
  mimetype: string
  bytes: Buffer
}

/** The files of projects. @throws ApiError for a missing file, a file of another project, and no space left */
export interface FileStorage {
  /** The largest size of a file. */
  readonly bytesMax: number
  read(projectId: string, key: string): Promise<FileContent>
  /** Returns the file behind a URL that this server issued for the project; undefined for any other URL. */
  readUrl?(projectId: string, url: string): Promise<FileContent | undefined>
  /** `secondsValid`: how long the URL works. */
  save(projectId: string, file: NewFile, secondsValid: number): Promise<SavedFile>
}
