import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../platform/log.ts'
import { withTimeout } from '../platform/timeout.ts'
import { requestStop, type SupervisorMessage, type WorkerMessage } from './worker-process.ts'

export interface WorkerPoolOptions {
  count: number
  /** Returns the environment of a worker, in addition to that of this process. `index` starts at 0. */
  environmentOf(index: number): Record<string, string>
  log: Logger
  /** How long a worker may take to stop before it is killed. */
  stopMs: number
  /** How long a worker that was replaced may take to end before it is killed. */
  retireMs: number
}

/** Worker processes that share a port. One that ends is replaced. */
export interface WorkerPool {
  /**
   * Replaces all workers, one after another. Each new one is ready before an old one stops accepting requests. The old
   * ones end when their clients have left, and the next one is replaced meanwhile.
   */
  replaceAll(): Promise<void>
  stop(): Promise<void>
}

const START_MS_MAX = 120_000
const RESTART_FIRST_MS = 250
const RESTART_MAX_MS = 10_000
/** A worker that ran for this long did not fail at its start. */
const STABLE_MS = 60_000

/** A worker did not start. Its output says why. */
export class WorkerStartError extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('A worker process ended before it was ready.')
    this.name = 'WorkerStartError'
    this.exitCode = exitCode
  }
}

/**
 * Starts the workers: the first alone, because it creates keys and caches that the others read.
 * @throws WorkerStartError
 */
export async function startWorkerPool(options: WorkerPoolOptions, signal: AbortSignal): Promise<WorkerPool> {
  // Workers accept connections from one queue of the kernel. If this process handed them over, those on their way to a
  // worker that is killed would be lost.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const pool = new Pool(options)
  try {
    await pool.start(0, signal)
    const rest = Array.from({ length: options.count - 1 }, (_, n) => pool.start(n + 1, signal))
    await Promise.all(rest)
    return pool
  } catch (error) {
    await pool.stop()
    throw error
  }
}

class Pool implements WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #workers = new Map<number, Worker>()
  /** Workers that end because they were stopped. */
  readonly #leaving = new Set<Worker>()
  readonly #stopped = new AbortController()
  #replacing: Promise<void> = Promise.resolve()

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  async start(index: number, signal: AbortSignal = this.#stopped.signal): Promise<void> {
    const worker = await this.#fork(index, signal)
    this.#workers.set(index, worker)
  }

  replaceAll(): Promise<void> {
    this.#replacing = this.#replacing.then(() => this.#replaceEach())
    return this.#replacing
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    for (const worker of all) this.#leaving.add(worker)
    const { stopMs } = this.#options
    await Promise.all(all.map((worker) => this.#end(worker, stopMs, () => requestStop(worker))))
  }

  async #replaceEach(): Promise<void> {
    const { log, count, retireMs } = this.#options
    const ends: Promise<void>[] = []
    for (let index = 0; index < count && !this.#stopped.signal.aborted; index++) {
      const former = this.#workers.get(index)
      try {
        await this.start(index)
      } catch (error) {
        log.error({ err: error }, 'a new worker did not start; the earlier ones continue')
        return
      }
      if (!former || former.isDead()) continue
      log.info('a worker was replaced; it ends when its clients have left')
      this.#leaving.add(former)
      const retire = () => former.send({ type: 'retire' } satisfies SupervisorMessage)
      ends.push(this.#end(former, retireMs, retire))
    }
    await Promise.all(ends)
    log.info({ count }, 'all workers were replaced')
  }

  /** Starts a process and waits until it is ready. */
  async #fork(index: number, signal: AbortSignal): Promise<Worker> {
    const worker = cluster.fork(this.#options.environmentOf(index))
    const startedAt = performance.now()
    const ready = Promise.withResolvers<void>()
    worker.on('message', (message: WorkerMessage) => {
      if (message?.type === 'ready') ready.resolve()
    })
    worker.on('error', () => {}) // A message to a process that has ended.
    let isReady = false
    const kill = () => (isReady ? requestStop(worker) : worker.process.kill('SIGTERM'))
    signal.addEventListener('abort', kill)
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', kill)
      ready.reject(new WorkerStartError(code ?? 1))
      if (isReady) void this.#onExit(index, worker, performance.now() - startedAt)
    })
    await withTimeout(ready.promise, START_MS_MAX, () => {
      worker.process.kill('SIGKILL')
      throw new WorkerStartError(1)
    })
    isReady = true
    return worker
  }

  /** Starts another process in place of one that ended unexpectedly. */
  async #onExit(index: number, worker: Worker, ranMs: number): Promise<void> {
    if (this.#leaving.delete(worker) || this.#workers.get(index) !== worker) return
    const { log } = this.#options
    const { exitCode, signalCode } = worker.process
    const { signal } = this.#stopped
    log.error({ reason: signalCode ?? `exit code ${exitCode}` }, 'a worker ended; another one starts')
    let delayMs = ranMs > STABLE_MS ? 0 : RESTART_FIRST_MS
    while (!signal.aborted) {
      await wait(delayMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        return await this.start(index)
      } catch (error) {
        log.error({ err: error }, 'a worker did not start; trying again')
        delayMs = Math.min(Math.max(delayMs, RESTART_FIRST_MS) * 2, RESTART_MAX_MS)
      }
    }
  }

  /** Waits until a worker has ended after `request`, and kills it after the time limit. */
  async #end(worker: Worker, withinMs: number, request: () => unknown): Promise<void> {
    if (worker.isDead()) return
    const ended = once(worker, 'exit')
    request()
    if (await withTimeout(ended, withinMs)) return
    worker.process.kill('SIGKILL')
    await ended
  }
}
