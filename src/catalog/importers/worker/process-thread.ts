import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../../platform/module-url.ts'
import type { WorkerInput, WorkerMessage, WorkerReply } from './messages.ts'

export interface StartOptions {
  readonly memoryMb: number
  readonly env: Readonly<Record<string, string>>
}

/** Message to the thread, about the process with the number `id`. */
export type ProcessOrder =
  | { readonly id: number; readonly start: StartOptions }
  | { readonly id: number; readonly message: WorkerInput | WorkerReply }
  | { readonly id: number; readonly end: 'disconnect' | 'kill' }

/** Message from the thread: what a process has sent, or that it has ended. */
export type ProcessEvent =
  | { readonly id: number; readonly message: unknown }
  | { readonly id: number; readonly failure: string }
  | { readonly id: number; readonly exit: ProcessExit }

export interface ProcessExit {
  readonly code: number | null
  readonly killedBy: NodeJS.Signals | null
}

/** Receives the messages of a process, and how it ended. */
export interface ProcessListener {
  onMessage(message: WorkerMessage): void
  onFailure(reason: string): void
  onExit(exit: ProcessExit): void
}

/** A process that imports a document. */
export interface ImportProcess {
  send(message: WorkerInput | WorkerReply): void
  /** Ends it. Its listener receives nothing more. `disconnect`: it exits automatically, or is killed after some seconds. */
  end(how: 'disconnect' | 'kill'): void
}

/** A thread takes about 10 MB while it waits, and 30 ms to start. */
const IDLE_MS = 30_000

let worker: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined
let lastId = 0
const listeners = new Map<number, ProcessListener>()
/** Processes that have not ended. The thread must not end before them. */
const running = new Set<number>()

/** Starts an import process from a thread, so that the thread that responds to requests does not wait for it. */
export function startImportProcess(options: StartOptions, listener: ProcessListener): ImportProcess {
  clearTimeout(idleTimer)
  const thread = (worker ??= startThread())
  thread.ref()
  const id = ++lastId
  listeners.set(id, listener)
  running.add(id)
  const order = (one: ProcessOrder) => thread.postMessage(one)
  order({ id, start: options })
  return {
    send: (message) => order({ id, message }),
    end(how) {
      listeners.delete(id)
      order({ id, end: how })
    },
  }
}

function startThread(): Worker {
  const thread = new Worker(siblingModule(import.meta.url, 'process-thread.worker'))
  thread.on('message', (event: ProcessEvent) => {
    const listener = listeners.get(event.id)
    if ('message' in event) return listener?.onMessage(event.message as WorkerMessage)
    if ('failure' in event) listener?.onFailure(event.failure)
    else listener?.onExit(event.exit)
    removeProcess(event.id)
  })
  thread.on('error', (error) => failAll(thread, error.message))
  thread.on('exit', (code) => failAll(thread, `The thread ended with code ${code}.`))
  return thread
}

/** Forgets a process that has ended. Without processes, the thread does not keep this process alive. */
function removeProcess(id: number): void {
  listeners.delete(id)
  running.delete(id)
  if (running.size > 0) return
  worker?.unref()
  // A process that could not be started may report a failure and an exit.
  clearTimeout(idleTimer)
  idleTimer = setTimeout(() => {
    const idle = worker
    worker = undefined
    void idle?.terminate()
  }, IDLE_MS).unref()
}

function failAll(thread: Worker, reason: string): void {
  if (worker !== thread) return
  worker = undefined
  const failed = [...listeners.values()]
  listeners.clear()
  running.clear()
  for (const listener of failed) listener.onFailure(reason)
}
