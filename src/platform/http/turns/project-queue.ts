import { removeItem } from '../../remove-item.ts'
import type { QueuedRequest, QueueLimits } from './queued-request.ts'
import type { TurnTimer } from './turn-timer.ts'

/** Running requests of all projects together, and of a project that is alone: more gain no throughput. */
const RUNNING_MAX = 64
/** A request that runs longer waits for something else than the process, so it is no longer counted. */
const RUNNING_MS = 100
/** A project counts as active for this long after it started a request. */
const ACTIVE_MS = 1_000
/** So that the first request of a neighbour does not stop a project for long that used all of the thread before. */
const REST_MAX_MS = 500
/** Expensive work is a part of what its request costs: the database and the response come in addition. */
const RESTS_PER_COST = 3
/** The share of the latest request in the expected cost of the next one. Requests below the minimum are cheap. */
const LATEST_SHARE = 0.3
const COST_MIN_MS = 0.5
const CHECK_EVERY_MS = 5
const PROJECTS_MAX = 1_000

interface Waiter {
  readonly request: QueuedRequest
  readonly costMs: number
  readonly expiresAt: number
  start(): void
  expire(): void
}

interface ProjectRequests {
  running: number
  /** Requests that have run before, and continue first. */
  readonly resuming: Waiter[]
  readonly waiting: Waiter[]
  /** When its next request may start, if other projects are active. */
  restsUntil: number
  /** What a request of an operation is expected to cost, in milliseconds. Cheap ones have no entry. */
  readonly costs: Map<string, number>
}

/**
 * The requests of projects that run or wait. While several projects are active, each runs at most `perProject` at a
 * time. After expensive work it rests three times as long, so such work gets at most a quarter of the thread. What an
 * operation has cost before is expected of the next request, so that expensive ones of a project do not run together.
 * Projects with waiting requests take turns.
 */
export class ProjectQueue {
  readonly #limits: QueueLimits
  readonly #timer: TurnTimer
  readonly #projects = new Map<string, ProjectRequests>()
  /**
   * In the order in which they started. An array, because V8 links each table that a Set has outgrown to the next one:
   * a table in the old generation would keep all requests in memory that ran later.
   */
  readonly #running: QueuedRequest[] = []
  /** Projects with waiting requests, in the order of their turns. */
  #roundRobin: string[] = []
  #latest = { projectId: '', at: -Infinity }
  /** The latest request of another project than the latest one. */
  #latestOther = { projectId: '', at: -Infinity }
  #stopChecking: (() => void) | undefined

  readonly #onShared: (() => void) | undefined

  /** @param onShared is called when a project starts a request while another one is active */
  constructor(limits: QueueLimits, timer: TurnTimer, onShared?: () => void) {
    this.#limits = limits
    this.#timer = timer
    this.#onShared = onShared
  }

  /** Starts a request and returns true, unless it has to wait. */
  tryStart(request: QueuedRequest, costMs: number): boolean {
    const now = this.#timer.now()
    const { projectId } = request
    this.#recordActivity(projectId, now)
    const project = this.#project(projectId)
    if (project.waiting.length > 0 || project.resuming.length > 0) return false
    if (!this.#mayStart(projectId, project, now)) return false
    this.#start(request, project, costMs, now)
    return true
  }

  /** Ends a request that runs, and starts those that waited for it. */
  end(request: QueuedRequest): void {
    if (!request.isRunning) return
    this.#stop(request)
    if (this.#roundRobin.length > 0) this.#startWaiting()
  }

  /** Lets a project rest for work that the thread has done for it. */
  charge(projectId: string, ms: number): void {
    rest(this.#project(projectId), RESTS_PER_COST * ms, this.#timer.now())
  }

  /** Returns what the next request of an operation will probably cost. */
  expectedCost(projectId: string, operation: string): number {
    return this.#projects.get(projectId)?.costs.get(operation) ?? 0
  }

  /** Remembers what a request has cost, so that the next one is followed by a rest from its start. */
  learnCost({ projectId, operation }: QueuedRequest, ms: number): void {
    const { costs } = this.#project(projectId)
    const before = costs.get(operation) ?? 0
    if (ms === 0 && before === 0) return
    const after = before + LATEST_SHARE * (ms - before)
    if (after < COST_MIN_MS) costs.delete(operation)
    else costs.set(operation, after)
  }

  isFull(projectId: string): boolean {
    return (this.#projects.get(projectId)?.waiting.length ?? 0) >= this.#limits.waitingMax
  }

  /** Adds a request that waits. Returns a function that removes it. */
  wait(waiter: Waiter, isResuming: boolean): () => void {
    const { projectId } = waiter.request
    const project = this.#project(projectId)
    if (project.waiting.length + project.resuming.length === 0) this.#roundRobin.push(projectId)
    const list = isResuming ? project.resuming : project.waiting
    list.push(waiter)
    this.#stopChecking ??= this.#timer.every(CHECK_EVERY_MS, () => this.#check())
    return () => this.#remove(waiter, project)
  }

  /** Whether a request of another project runs, and not in slices. */
  hasRunningNeighbour(projectId: string): boolean {
    if (this.#running.length === (this.#projects.get(projectId)?.running ?? 0)) return false
    for (const request of this.#running)
      if (request.projectId !== projectId && request.slicedWork === 0) return true
    return false
  }

  /** Whether another project started a request in the last second. */
  hasActiveNeighbour(projectId: string, now = this.#timer.now()): boolean {
    const other = this.#latest.projectId === projectId ? this.#latestOther : this.#latest
    return now - other.at < ACTIVE_MS
  }

  count(): { running: number; waiting: number } {
    let waiting = 0
    for (const project of this.#projects.values()) waiting += project.waiting.length + project.resuming.length
    return { running: this.#running.length, waiting }
  }

  #project(id: string): ProjectRequests {
    let project = this.#projects.get(id)
    if (!project) {
      if (this.#projects.size >= PROJECTS_MAX) this.#forgetIdle()
      project = {
        running: 0,
        resuming: [],
        waiting: [],
        restsUntil: -Infinity,
        costs: new Map(),
      }
      this.#projects.set(id, project)
    }
    return project
  }

  #forgetIdle(): void {
    const now = this.#timer.now()
    for (const [id, { running, waiting, resuming, restsUntil }] of this.#projects)
      if (running + waiting.length + resuming.length === 0 && restsUntil <= now) this.#projects.delete(id)
  }

  #recordActivity(projectId: string, now: number): void {
    if (this.#latest.projectId === projectId) this.#latest.at = now
    else {
      if (now - this.#latest.at < ACTIVE_MS) this.#onShared?.()
      this.#latestOther = this.#latest
      this.#latest = { projectId, at: now }
    }
  }

  #mayStart(projectId: string, project: ProjectRequests, now: number): boolean {
    if (this.#running.length >= RUNNING_MAX) return false
    if (!this.hasActiveNeighbour(projectId, now)) return true
    return project.running < this.#limits.perProject && project.restsUntil <= now
  }

  #start(request: QueuedRequest, project: ProjectRequests, costMs: number, now: number): void {
    request.isRunning = true
    request.startedAt = now
    this.#running.push(request)
    project.running++
    if (costMs > 0) rest(project, (1 + RESTS_PER_COST) * costMs, now)
  }

  #stop(request: QueuedRequest): void {
    request.isRunning = false
    removeItem(this.#running, request)
    const project = this.#projects.get(request.projectId)
    if (project) project.running--
  }

  #remove(waiter: Waiter, project: ProjectRequests): void {
    const { projectId } = waiter.request
    if (!removeItem(project.waiting, waiter) && !removeItem(project.resuming, waiter)) return
    if (project.waiting.length + project.resuming.length > 0) return
    this.#roundRobin = this.#roundRobin.filter((id) => id !== projectId)
    if (this.#roundRobin.length > 0) return
    this.#stopChecking?.()
    this.#stopChecking = undefined
  }

  /** Starts waiting requests, one of each project in turn. */
  #startWaiting(): void {
    const now = this.#timer.now()
    for (let blocked = 0; blocked < this.#roundRobin.length && this.#running.length < RUNNING_MAX;) {
      const projectId = this.#roundRobin.shift()!
      this.#roundRobin.push(projectId)
      const project = this.#projects.get(projectId)!
      if (!this.#mayStart(projectId, project, now)) {
        blocked++
        continue
      }
      blocked = 0
      const [waiter] = project.resuming.length > 0 ? project.resuming : project.waiting
      this.#start(waiter!.request, project, waiter!.costMs, now)
      this.#remove(waiter!, project)
      waiter!.start()
    }
  }

  /** Ends requests that run or wait for too long, and starts those that may start by now. */
  #check(): void {
    const now = this.#timer.now()
    while (this.#running.length > 0 && now - this.#running[0]!.startedAt >= RUNNING_MS)
      this.#stop(this.#running[0]!)
    this.#startWaiting()
    for (const projectId of [...this.#roundRobin]) {
      const project = this.#projects.get(projectId)!
      for (const list of [project.resuming, project.waiting])
        while (list.length > 0 && list[0]!.expiresAt <= now) {
          const waiter = list[0]!
          this.#remove(waiter, project)
          waiter.expire()
        }
    }
  }
}

function rest(project: ProjectRequests, ms: number, now: number): void {
  project.restsUntil = Math.min(Math.max(project.restsUntil, now) + ms, now + REST_MAX_MS)
}
