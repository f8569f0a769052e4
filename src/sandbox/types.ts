import type { SharedMemory } from './shared-memory.ts'

/** The sizes of sandboxes in the API of sessions. */
export type SandboxSize = 'standard' | 'medium' | 'large' | 'xlarge'

/** A file of the mount. `path`: below the mount. `version`: changes with the content. */
export interface MountEntry {
  readonly path: string
  readonly size: number
  readonly version: string
}

/** Code to run. */
export interface SandboxRun {
  readonly kind: 'python' | 'bash'
  readonly code: string
  readonly timeoutMs: number
  /** Characters of each stream in the outcome. The rest is written to a file. */
  readonly outputCharacters: number
  readonly mount: readonly MountEntry[]
  /** The first part of the names of helpers, `service` or another brand. */
  readonly brand: string
}

export interface SandboxOutcome {
  /** Text of the value of the last expression. Empty for bash. */
  readonly results: string
  readonly stdout: string
  readonly stderr: string
  /** Empty after success; else the traceback, or what ended the run. */
  readonly error: string
  /** Of a bash command. */
  readonly exitCode: number | null
  readonly stdoutLines: number
  readonly stderrLines: number
  /** Paths of the whole texts, if they were cut. */
  readonly resultsPath: string | null
  readonly stdoutPath: string | null
  readonly stderrPath: string | null
}

/** The operations that code in a sandbox can request. Nothing else reaches the server. */
export const SANDBOX_OPERATIONS = [
  'tool',
  'proxy',
  'model',
  'search',
  'upload',
  'mount.read',
  'mount.write',
  'mount.remove',
] as const
export type SandboxOperation = (typeof SANDBOX_OPERATIONS)[number]

export interface HostReply {
  readonly text?: string
  readonly body?: Uint8Array
}
/**
 * Performs the requests of one run. It belongs to one session; a request cannot name another one.
 * @throws Error whose message code in the sandbox may read
 */
export type SandboxHost = (
  operation: SandboxOperation,
  text: string,
  body: Uint8Array,
  signal: AbortSignal,
) => Promise<HostReply>

/** A running sandbox with its kernel and its disk. It runs one thing at a time. */
export interface Sandbox {
  readonly id: string
  /** @throws SandboxStopped if the sandbox ended before the run */
  run(run: SandboxRun, host: SandboxHost): Promise<SandboxOutcome>
  /** Settles when the sandbox has ended, with the reason for people. */
  readonly ended: Promise<string>
  stop(reason: string): void
}

/** What every driver is given. */
export interface SandboxDriverOptions {
  /** The first part of the names of helpers. */
  readonly brand: string
  /** The largest file that may be written to the mount. */
  readonly fileBytesMax: number
  readonly diskBytesMax: number
  /** Processor time of a sandbox in its whole life. */
  readonly cpuSecondsMax: number
}

/** Options of drivers whose sandboxes run on this machine. */
export interface LocalDriverOptions extends SandboxDriverOptions {
  /** The memory of all sandboxes together. Default: each has only its own limit. */
  readonly memory?: SharedMemory | undefined
}

/** Starts sandboxes. */
export interface SandboxDriver {
  readonly name: string
  /**
   * Creates what the first sandbox would have to wait for. It leaves no process behind. @throws SandboxStopped
   */
  prepare?(): Promise<void>
  start(size: SandboxSize): Promise<Sandbox>
  close(): Promise<void>
}

/** The sandbox ended: it exceeded a limit, crashed, or was stopped. `message` names the reason. */
export class SandboxStopped extends Error {}

export interface SandboxLimits {
  /** A sandbox stops after this time without a run. */
  readonly idleMs: number
  readonly maxAgeMs: number
  /** Sandboxes of this process, warm ones included. */
  readonly sandboxesMax: number
  /** Sandboxes that are started before a session needs one. */
  readonly warm: number
}

export interface SandboxRequest {
  /** The session. A sandbox never changes its session. */
  readonly session: string
  readonly size: SandboxSize
  readonly run: Omit<SandboxRun, 'mount'>
  readonly host: SandboxHost
  /** Lists the files of the mount, immediately before the run. */
  listMount(): Promise<SandboxRun['mount']>
}
/** `isNew`: the first run of this sandbox. `sandboxId`: also of a sandbox that ended during the run. */
export interface SandboxResult {
  readonly outcome: SandboxOutcome
  readonly sandboxId: string
  readonly isNew: boolean
}

/** The sandboxes of this process. */
export interface Sandboxes {
  /** The name of the driver. */
  readonly driver: string
  /**
   * Runs code in the sandbox of a session, which is started if necessary. Runs of a session run one after the other. An
   * equal run that arrives while the first one is in progress gets the result of that one.
   * @throws SandboxBusy
   */
  run(request: SandboxRequest): Promise<SandboxResult>
  /**
   * Creates files that the first sandbox needs, so that the first call does not wait for them. It starts no sandbox: an
   * idle server needs no memory for one.
   */
  prepare(): Promise<void>
  /** Whether the session has a sandbox in this process. */
  has(session: string): boolean
  /** Stops the sandbox of a session. */
  stop(session: string, reason: string): void
  close(): Promise<void>
}
