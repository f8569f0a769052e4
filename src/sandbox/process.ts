import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Duplex, Readable } from 'node:stream'
import { endFirstWithoutMemory } from '../platform/machine-memory.ts'
import { createFrameDecoder, encodeFrame, type Frame } from './frames.ts'
import { parseOutcome } from './outcome.ts'
import { createRunRequests, type RunRequests, TooManyRequests } from './run-requests.ts'
import {
  type Sandbox,
  type SandboxHost,
  type SandboxOutcome,
  type SandboxRun,
  SandboxStopped,
} from './types.ts'
import { watchProcess, type ProcessLimits, type ProcessUsage } from './watchdog.ts'

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
  /** Reads what the process uses. Default: the process alone, without descendants. */
  readonly readUsage?: ((pid: number) => ProcessUsage | undefined) | undefined
}

/** The file descriptor of the channel in the process: a socket pair. */
export const CHANNEL_FD = 3
/** After its time limit, a run may store its files, and is then killed. */
const GRACE_MS = 10_000
const STDERR_CHARACTERS_MAX = 4_000

interface CurrentRun {
  readonly id: number
  readonly requests: RunRequests
  readonly done: PromiseWithResolvers<SandboxOutcome>
}

/** Connects a sandbox process. Resolves when it is ready. @throws SandboxStopped */
export async function connectProcess(options: ProcessSandboxOptions): Promise<Sandbox> {
  const connection = new ProcessConnection(options)
  await connection.waitUntilReady(options.startMs)
  return connection
}

/** Keeps the running processes of a driver, which are killed with it. */
export function trackProcesses() {
  const running = new Set<ChildProcess>()
  return {
    add(child: ChildProcess): ChildProcess {
      running.add(child)
      return child.once('close', () => running.delete(child)).once('error', () => running.delete(child))
    },
    async kill(): Promise<void> {
      const children = [...running]
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map((child) => once(child, 'close')))
    },
  }
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

  constructor({ id, child, limits, messageBytesMax, readUsage }: ProcessSandboxOptions) {
    this.id = id
    this.child = child
    this.ended = this.end.promise
    const decode = createFrameDecoder(messageBytesMax, (frame) => this.receive(frame))
    this.channel = child.stdio[CHANNEL_FD] as Duplex
    this.channel.on('data', (chunk: Buffer) => {
      try {
        if (this.reason === undefined) decode(chunk)
      } catch (error) {
        const { message } = error as Error
        this.stop(error instanceof TooManyRequests ? message : `it violated the protocol: ${message}`)
      }
    })
    ;(child.stderr as Readable).setEncoding('utf8').on('data', (text: string) => {
      this.diagnostics = (this.diagnostics + text).slice(-STDERR_CHARACTERS_MAX)
    })
    // A process that was killed closes its end; the exit reports that.
    this.channel.on('error', () => {})
    child.once('error', (error) => this.finish(`it could not be started: ${error.message}`))
    child.once('close', (code, signal) => this.finish(this.reason ?? `it exited (${signal ?? String(code)})`))
    endFirstWithoutMemory(child.pid)
    watchProcess(child, limits, (reason) => this.stop(reason), readUsage)
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
    const requests = createRunRequests(host, control.signal, (frame) => this.write(frame))
    const current: CurrentRun = { id, requests, done: Promise.withResolvers<SandboxOutcome>() }
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
    if (type === 'done' && current?.id === id) return current.done.resolve(parseOutcome(frame.body))
    if (type !== 'request' || !current) return this.stop('it violated the protocol: unexpected message')
    current.requests.add(frame)
  }
}
