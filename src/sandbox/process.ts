import type { ChildProcess } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import { parseBoundedJson } from '../platform/bounded-json.ts'
import { createFrameDecoder, encodeFrame, type Frame } from './frames.ts'
import {
  type Sandbox,
  SANDBOX_OPERATIONS,
  type SandboxHost,
  type SandboxOperation,
  type SandboxOutcome,
  type SandboxRun,
  SandboxStopped,
} from './types.ts'
import { watchProcess, type ProcessLimits } from './watchdog.ts'

// The server's end of the channel to a sandbox process. The process is hostile: each message is checked, requests are
// only accepted while a run is in progress, and a violation ends the process.

export interface ProcessSandboxOptions {
  readonly id: string
  readonly child: ChildProcess
  readonly limits: ProcessLimits
  /** The largest message that the process may send, such as the content of a file. */
  readonly messageBytesMax: number
  /** Milliseconds in which the process must report that it is ready. */
  readonly startMs: number
}

/** The file descriptor of the channel in the process: a socket pair. */
export const CHANNEL_FD = 3
/** After its time limit, a run may store its files, and is then killed. */
const GRACE_MS = 10_000
const REQUESTS_AT_ONCE_MAX = 64
const REQUESTS_PER_RUN_MAX = 50_000
const ERROR_CHARACTERS_MAX = 2_000
const STDERR_CHARACTERS_MAX = 4_000

interface CurrentRun {
  readonly id: number
  readonly host: SandboxHost
  readonly control: AbortController
  readonly done: PromiseWithResolvers<SandboxOutcome>
  requests: number
  active: number
  readonly queue: Frame[]
}

/** Connects a sandbox process. Resolves when it is ready. @throws SandboxStopped */
export async function connectProcess(options: ProcessSandboxOptions): Promise<Sandbox> {
  const connection = new ProcessConnection(options)
  await connection.waitUntilReady(options.startMs)
  return connection
}

class ProcessConnection implements Sandbox {
  readonly id: string
  readonly ended: Promise<string>
  private readonly child: ChildProcess
  private readonly channel: Duplex
  private readonly ready = Promise.withResolvers<void>()
  private readonly end = Promise.withResolvers<string>()
  private reason: string | undefined
  private diagnostics = ''
  private lastRun = 0
  private current: CurrentRun | undefined

  constructor({ id, child, limits, messageBytesMax }: ProcessSandboxOptions) {
    this.id = id
    this.child = child
    this.ended = this.end.promise
    const decode = createFrameDecoder(messageBytesMax, (frame) => this.receive(frame))
    this.channel = child.stdio[CHANNEL_FD] as Duplex
    this.channel.on('data', (chunk: Buffer) => {
      try {
        if (this.reason === undefined) decode(chunk)
      } catch (error) {
        this.stop(`it violated the protocol: ${(error as Error).message}`)
      }
    })
    ;(child.stderr as Readable).setEncoding('utf8').on('data', (text: string) => {
      this.diagnostics = (this.diagnostics + text).slice(-STDERR_CHARACTERS_MAX)
    })
    // A process that was killed closes its end; the exit reports that.
    this.channel.on('error', () => {})
    child.once('error', (error) => this.finish(`it could not be started: ${error.message}`))
    child.once('close', (code, signal) => this.finish(this.reason ?? `it exited (${signal ?? String(code)})`))
    watchProcess(child, limits, (reason) => this.stop(reason))
    this.ready.promise.catch(() => {})
  }

  async waitUntilReady(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.stop('it did not start in time'), milliseconds)
    try {
      await this.ready.promise
    } finally {
      clearTimeout(timer)
    }
  }

  async run(run: SandboxRun, host: SandboxHost): Promise<SandboxOutcome> {
    if (this.reason !== undefined) throw new SandboxStopped(this.reason)
    if (this.current) throw new Error('a sandbox runs one thing at a time')
    const id = ++this.lastRun
    const control = new AbortController()
    const current: CurrentRun = {
      id,
      host,
      control,
      done: Promise.withResolvers<SandboxOutcome>(),
      requests: 0,
      active: 0,
      queue: [],
    }
    this.current = current
    const timer = setTimeout(
      () => this.stop(`the time limit of ${Math.round(run.timeoutMs / 1_000)} s was exceeded`),
      run.timeoutMs + Math.min(GRACE_MS, run.timeoutMs),
    )
    try {
      this.write({ header: { type: 'run', id }, body: Buffer.from(JSON.stringify(run)) })
      return await current.done.promise
    } finally {
      clearTimeout(timer)
      this.current = undefined
      control.abort()
    }
  }

  stop(reason: string): void {
    this.reason ??= reason
    this.child.kill('SIGKILL')
    // Readers of the outcome need not wait until the system has removed the process.
    this.finish(this.reason)
  }

  private finish(reason: string): void {
    this.reason ??= reason
    const stopped = new SandboxStopped(this.reason)
    stopped.cause = this.diagnostics
    this.ready.reject(stopped)
    this.current?.done.reject(stopped)
    this.end.resolve(this.reason)
  }

  private write({ header, body }: Frame): void {
    if (this.reason === undefined) this.channel.write(encodeFrame(header, body))
  }

  private receive(frame: Frame): void {
    const { type, id } = frame.header
    const { current } = this
    if (type === 'ready' && this.lastRun === 0) return this.ready.resolve()
    if (type === 'done' && current?.id === id) return current.done.resolve(readOutcome(frame.body))
    if (type !== 'request' || !current) return this.stop('it violated the protocol: unexpected message')
    if (++current.requests > REQUESTS_PER_RUN_MAX)
      return this.stop(`a run made more than ${REQUESTS_PER_RUN_MAX} requests`)
    current.queue.push(frame)
    this.next(current)
  }

  /** Starts queued requests, at most 64 at once. */
  private next(current: CurrentRun): void {
    while (current.active < REQUESTS_AT_ONCE_MAX && current.queue.length) {
      current.active++
      void this.perform(current, current.queue.shift() as Frame).finally(() => {
        current.active--
        this.next(current)
      })
    }
  }

  private async perform(current: CurrentRun, { header, body }: Frame): Promise<void> {
    const { id, op, text = '' } = header
    try {
      if (!isOperation(op)) throw new Error(`There is no operation ${String(op).slice(0, 50)}.`)
      if (op.startsWith('mount.') && !isMountPath(text))
        throw new Error(
          'A path must be below /mnt/files, without dots as parts, and have at most 1024 bytes.',
        )
      const reply = await current.host(op, text, body, current.control.signal)
      this.write({
        header: { type: 'reply', id, text: reply.text ?? '' },
        body: reply.body ?? new Uint8Array(0),
      })
    } catch (error) {
      const message = (error as Error).message.slice(0, ERROR_CHARACTERS_MAX) || 'failed'
      this.write({ header: { type: 'failed', id, text: message }, body: new Uint8Array(0) })
    }
  }
}

const isOperation = (name: string | undefined): name is SandboxOperation =>
  (SANDBOX_OPERATIONS as readonly (string | undefined)[]).includes(name)

const MOUNT_PATH_BYTES_MAX = 1_024

/** Whether a path stays below the mount. The process could send any text. */
const isMountPath = (path: string): boolean =>
  Buffer.byteLength(path) <= MOUNT_PATH_BYTES_MAX &&
  path.isWellFormed() &&
  !/[\0-\x1f\x7f\\]/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

const TEXT_CHARACTERS_MAX = 12_000_000

/** An outcome is one object of texts and numbers; the code in the sandbox can report anything. */
const OUTCOME_BOUNDS = { depth: 2, values: 100 }

/** Reads the outcome that the process reports. A wrong type becomes an empty value. @throws SyntaxError */
function readOutcome(body: Uint8Array): SandboxOutcome {
  const json = parseBoundedJson(Buffer.from(body).toString(), OUTCOME_BOUNDS) as Partial<
    Record<keyof SandboxOutcome, unknown>
  > | null
  const text = (field: keyof SandboxOutcome): string => {
    const value = json?.[field]
    return typeof value === 'string' ? value.slice(0, TEXT_CHARACTERS_MAX).toWellFormed() : ''
  }
  const path = (field: keyof SandboxOutcome): string | null => text(field).slice(0, 1_024) || null
  const count = (field: keyof SandboxOutcome): number => {
    const value = json?.[field]
    return Number.isSafeInteger(value) ? (value as number) : 0
  }
  return {
    results: text('results'),
    stdout: text('stdout'),
    stderr: text('stderr'),
    error: text('error'),
    exitCode: Number.isSafeInteger(json?.exitCode) ? (json?.exitCode as number) : null,
    stdoutLines: count('stdoutLines'),
    stderrLines: count('stderrLines'),
    resultsPath: path('resultsPath'),
    stdoutPath: path('stdoutPath'),
    stderrPath: path('stderrPath'),
  }
}
