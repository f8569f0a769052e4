import { MEMORY_BYTES } from '../sizes.ts'
import type { Frame } from '../frames.ts'
import { createRunRequests } from '../run-requests.ts'
import {
  type Sandbox,
  type SandboxDriver,
  type SandboxDriverOptions,
  type SandboxHost,
  type SandboxOutcome,
  type SandboxRun,
  SandboxStopped,
} from '../types.ts'
import { createRemoteService, type RemoteService, type RemoteServiceOptions } from './client.ts'
import { createLineDecoder, parseMessage } from './messages.ts'

// Sandboxes of another service, through the HTTP contract of docs/guides/remote-sandboxes.md. This server opens every
// connection: the service needs no URL of it, and no key that it could use on its own.

export interface RemoteDriverOptions extends SandboxDriverOptions, RemoteServiceOptions {
  /** The service stops a sandbox after this time without a run, in case this server has ended. */
  readonly idleMs: number
}

const START_MS = 60_000
const REPLY_MS = 60_000
const STOP_MS = 10_000
/** A run may fetch and store its files before and after its time limit. */
const GRACE_MS = 60_000
const RUN_BYTES_MAX = 8_000_000_000
const LINE_BYTES_MIN = 48_000_000
/** Base64 has four characters for three bytes; the rest of a line is small. */
const lineBytesMax = (fileBytesMax: number): number =>
  Math.max(LINE_BYTES_MIN, Math.ceil((fileBytesMax * 4) / 3) + 100_000)
const SANDBOX_ID = /^[\w.-]{1,200}$/

/** Sandboxes of a service that speaks the documented HTTP contract. */
export function createRemoteDriver(options: RemoteDriverOptions): SandboxDriver {
  const service = createRemoteService(options)
  const running = new Set<RemoteSandbox>()
  return {
    name: 'remote',
    async start(size) {
      const memoryBytes = MEMORY_BYTES[size]
      const { id } = await service.send(
        'POST',
        'sandboxes',
        {
          size,
          brand: options.brand,
          memory_bytes: memoryBytes,
          disk_bytes: Math.min(options.diskBytesMax, memoryBytes / 2),
          cpu_seconds: options.cpuSecondsMax,
          idle_seconds: Math.ceil(options.idleMs / 1_000),
        },
        START_MS,
      )
      if (typeof id !== 'string' || !SANDBOX_ID.test(id))
        throw new SandboxStopped('the sandbox service returned no valid id')
      const sandbox = new RemoteSandbox(service, id, lineBytesMax(options.fileBytesMax))
      running.add(sandbox)
      void sandbox.ended.then(() => running.delete(sandbox))
      return sandbox
    },
    async close() {
      await Promise.all([...running].map((sandbox) => sandbox.stopAndWait('the server stops')))
      await service.close()
    },
  }
}

class RemoteSandbox implements Sandbox {
  readonly id: string
  readonly ended: Promise<string>
  private readonly service: RemoteService
  private readonly lineBytesMax: number
  private readonly end = Promise.withResolvers<string>()
  private reason: string | undefined
  private lastRun = 0
  private current: { reject(error: Error): void } | undefined

  constructor(service: RemoteService, id: string, lineBytes: number) {
    this.service = service
    this.id = id
    this.lineBytesMax = lineBytes
    this.ended = this.end.promise
  }

  async run(run: SandboxRun, host: SandboxHost): Promise<SandboxOutcome> {
    if (this.reason !== undefined) throw new SandboxStopped(this.reason)
    if (this.current) throw new Error('a sandbox runs one thing at a time')
    const runId = ++this.lastRun
    const control = new AbortController()
    const stream = new AbortController()
    const done = Promise.withResolvers<SandboxOutcome>()
    let isDone = false
    this.current = { reject: done.reject }
    const requests = createRunRequests(host, control.signal, (frame) => void this.reply(runId, frame))
    const onLine = (line: string): void => {
      const message = parseMessage(line)
      if (message.type === 'done') {
        isDone = true
        done.resolve(message.outcome)
      } else if (message.type === 'stopped') this.stop(message.reason)
      else requests.add(message.frame)
    }
    try {
      const stopUnlessDone = (reason: string): void => {
        if (!isDone) this.stop(reason)
      }
      void this.readRun(runId, run, stream.signal, onLine).then(
        () => stopUnlessDone('the sandbox service ended the response before the run had ended'),
        (error: Error) => stopUnlessDone(describe(error)),
      )
      return await done.promise
    } finally {
      this.current = undefined
      control.abort()
      // After the outcome the response ends, and its connection can be used again.
      if (!isDone) stream.abort()
    }
  }

  stop(reason: string): void {
    void this.stopAndWait(reason)
  }

  /** Also asks the service to stop the sandbox. The service stops it without this request if it cannot be reached. */
  async stopAndWait(reason: string): Promise<void> {
    if (this.reason !== undefined) return
    this.reason = reason
    this.current?.reject(new SandboxStopped(reason))
    this.end.resolve(reason)
    await this.service.send('DELETE', `sandboxes/${this.id}`, undefined, STOP_MS).catch(() => {})
  }

  /** Sends a run, and reads its lines. Resolves only if they end without an outcome. */
  private async readRun(
    runId: number,
    run: SandboxRun,
    signal: AbortSignal,
    onLine: (line: string) => void,
  ): Promise<void> {
    let problem: Error | undefined
    const decode = createLineDecoder(this.lineBytesMax, onLine)
    const exists = await this.service.stream(
      `sandboxes/${this.id}/runs`,
      {
        run_id: runId,
        kind: run.kind,
        code: run.code,
        timeout_ms: run.timeoutMs,
        output_characters: run.outputCharacters,
        mount: run.mount,
      },
      { timeoutMs: run.timeoutMs + GRACE_MS, bytesMax: RUN_BYTES_MAX, signal },
      (chunk) => {
        try {
          decode(chunk)
        } catch (error) {
          problem = error as Error
        }
        return problem !== undefined || signal.aborted
      },
    )
    if (problem) throw problem
    if (!exists) throw new SandboxStopped('the sandbox service has ended it')
  }

  private async reply(runId: number, { header, body }: Frame): Promise<void> {
    const { id, text = '' } = header
    const message =
      header.type === 'failed'
        ? { id, error: text }
        : { id, text, body: Buffer.from(body).toString('base64') }
    try {
      await this.service.send('POST', `sandboxes/${this.id}/runs/${runId}/replies`, message, REPLY_MS)
    } catch (error) {
      // A run that has ended needs no reply.
      if (this.current && this.lastRun === runId) this.stop(describe(error as Error))
    }
  }
}

const describe = (error: Error): string =>
  error instanceof SandboxStopped ? error.message : `it violated the protocol: ${error.message}`
