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
