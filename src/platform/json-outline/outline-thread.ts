import { Worker } from 'node:worker_threads'
import { siblingModule } from '../module-url.ts'
import { ProjectRoundRobin } from '../project-round-robin.ts'
import type { JsonOutline } from './outline.ts'
import type { RequestOutline } from './request-outline.ts'

/** Message to the thread: a text, which is the body of a request or of a response. */
export interface OutlineOrder {
  readonly memory: SharedArrayBuffer
  readonly kind: OutlinedKind
}
/** `message`: a request whose objects may have prototype keys. */
type OutlinedKind = 'response' | 'request' | 'message'

interface Task {
  readonly bytes: Buffer
  readonly kind: OutlinedKind
  readonly resolve: (outline: JsonOutline | RequestOutline) => void
}

/** The bounds of JSON texts keep the memory of one text far below this. */
const HEAP_MB = 512
const YOUNG_MB = 32
/** A thread takes about 10 MB while it waits, and 30 ms to start. */
const IDLE_MS = 30_000

/**
 * Checks large JSON texts in a thread, one at a time, of each project in turn. The thread starts with the first text,
 * and ends when it has been idle for half a minute.
 */
export class JsonOutliner {
  readonly #waiting = new ProjectRoundRobin<Task>()
  #running: Task | undefined
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  readonly #script: URL

  constructor(script = siblingModule(import.meta.url, 'outline.worker')) {
    this.#script = script
  }

  /** Returns the outline of a JSON text. `other` also when the thread failed: the caller parses the text itself. */
  outline(projectId: string, bytes: Buffer): Promise<JsonOutline> {
    return this.#add(projectId, bytes, 'response') as Promise<JsonOutline>
  }

  /** The same for the body of a request, with its checks. */
  outlineRequest(
    projectId: string,
    bytes: Buffer,
    kind: 'request' | 'message' = 'request',
  ): Promise<RequestOutline> {
    return this.#add(projectId, bytes, kind) as Promise<RequestOutline>
  }

  #add(projectId: string, bytes: Buffer, kind: OutlinedKind): Promise<JsonOutline | RequestOutline> {
    return new Promise((resolve) => {
      this.#waiting.add(projectId, { bytes, kind, resolve })
      if (!this.#running) this.#runNext()
    })
  }

  #runNext(): void {
    clearTimeout(this.#idleTimer)
    this.#running = this.#waiting.next()
    if (!this.#running) return this.#rest()
    this.#worker ??= this.#start()
    this.#worker.ref()
    const { bytes, kind } = this.#running
    const order: OutlineOrder = { memory: sharedMemoryOf(bytes), kind }
    this.#worker.postMessage(order)
  }

  /** While the thread is idle, it does not keep the process alive. */
  #rest(): void {
    this.#worker?.unref()
    this.#idleTimer = setTimeout(() => {
      void this.#worker?.terminate()
      this.#worker = undefined
    }, IDLE_MS).unref()
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    worker.on('message', (outline: JsonOutline | RequestOutline) => this.#end(outline))
    worker.on('error', () => this.#fail(worker))
    worker.on('exit', () => this.#fail(worker))
    return worker
  }

  #fail(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#end({ kind: 'other' })
  }

  #end(outline: JsonOutline | RequestOutline): void {
    this.#running?.resolve(outline)
    this.#runNext()
  }
}

const outliner = new JsonOutliner()

/** Returns the outline of a large JSON text, which a thread of this process makes. */
export const outlineInThread = (projectId: string, bytes: Buffer): Promise<JsonOutline> =>
  outliner.outline(projectId, bytes)

/** Returns the outline of the large body of a request, which a thread of this process makes. */
export const outlineRequestInThread = (
  projectId: string,
  bytes: Buffer,
  kind: 'request' | 'message',
): Promise<RequestOutline> => outliner.outlineRequest(projectId, bytes, kind)

/** Returns memory that the thread can read, with the bytes. Copies them unless they are in such memory already. */
function sharedMemoryOf(bytes: Buffer): SharedArrayBuffer {
  const { buffer } = bytes
  if (buffer instanceof SharedArrayBuffer && buffer.byteLength === bytes.length) return buffer
  const shared = new SharedArrayBuffer(bytes.length)
  bytes.copy(Buffer.from(shared))
  return shared
}
