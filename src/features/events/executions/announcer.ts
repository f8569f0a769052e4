import { type ChangeOn, PAYLOAD_BYTES_MAX, publishChanges } from '../../../platform/change-bus.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { JsonObject } from '../../../platform/json-object.ts'
import type { Logger } from '../../../platform/log.ts'
import { runOutsideProjects } from '../../../platform/db/project-scope.ts'
import { describeExecution, type EndedExecution } from './message.ts'

export interface AnnouncerDeps {
  readonly db: Pick<Db, 'run'>
  readonly log: Pick<Logger, 'debug'>
  /** Resolves true when all reports of followed projects that had committed before the call have been handled. */
  confirm(): Promise<boolean>
  /** Milliseconds of a clock that nobody sets. Default: `performance.now`. */
  now?: () => number
}

/** How long executions are gathered: each notification takes a lock for which commits of all processes wait. */
const GATHER_MS = 100
/** After a failure. */
const RETRY_MS = 1_000
/** Readers report every 10 seconds that they follow a project (`RENEW_MS`). */
export const FOLLOWED_MS = 30_000
/** Executions that wait to be announced. More are counted only. */
const WAITING_MAX = 5_000
/** Executions of a project in one gathering. More are counted only. */
const PER_PROJECT_MAX = 250
/** Bytes of the other fields of a notification. */
const ENVELOPE_BYTES = 200

/** Without the payload of the row. */
interface Waiting {
  readonly projectId: string
  readonly execution: JsonObject
}

/** The executions of a project that one statement announces. */
interface Announced {
  readonly executions: JsonObject[]
  missed: number
}

/**
 * Reports the executions that end in this process to the processes that have streams of their project. Without such a
 * stream nothing is sent. Nothing waits for it: an execution that cannot be announced is counted as missed.
 */
export class ExecutionAnnouncer {
  readonly #deps: AnnouncerDeps
  readonly #now: () => number
  /** Ends of the times in which projects are followed. */
  readonly #followed = new Map<string, number>()
  /** Until then any project may be followed: reports may have been missed. */
  #uncertainUntil: number
  #waiting: Waiting[] = []
  #missed = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #announcing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(deps: AnnouncerDeps) {
    this.#deps = deps
    this.#now = deps.now ?? (() => performance.now())
    this.#uncertainUntil = this.#now() + FOLLOWED_MS
  }

  /** Records that a process follows the executions of a project. */
  follow(projectId: string): void {
    this.#followed.set(projectId, this.#now() + FOLLOWED_MS)
  }

  /** Assumes that every project is followed, until their readers have reported again. */
  followAll(): void {
    this.#uncertainUntil = this.#now() + FOLLOWED_MS
  }

  /** Announces an execution that has ended, together with those that end soon after. */
  ended(row: EndedExecution): void {
    if (this.#isClosed) return
    const { projectId } = row
    if (this.#waiting.length < WAITING_MAX)
      this.#waiting.push({ projectId, execution: describeExecution(row) })
    else this.#miss(projectId, 1)
    this.#schedule(GATHER_MS)
  }

  /** Announces what has ended so far. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#announcing = this.#announcing.then(() => this.#announce())
    return this.#announcing
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.flush()
  }

  #schedule(milliseconds: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds)
  }

  #miss(projectId: string, count: number): void {
    this.#missed.set(projectId, (this.#missed.get(projectId) ?? 0) + count)
  }

  async #announce(): Promise<void> {
    const [waiting, missed] = [this.#waiting, this.#missed]
    if (waiting.length === 0 && missed.size === 0) return
    this.#waiting = []
    this.#missed = new Map()
    // A stream that was open before this call is known after it. If it fails, every project counts as followed.
    if (!(await this.#deps.confirm())) this.followAll()
    const announced = this.#byProject(waiting, missed)
    if (announced.size === 0) return
    try {
      // One statement for several projects. It reads no table.
      await runOutsideProjects(() => publishChanges(this.#deps.db, changesOf(announced)))
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'executions could not be announced to streams')
      for (const [projectId, { executions, missed: count }] of announced)
        this.#miss(projectId, executions.length + count)
      if (!this.#isClosed) this.#schedule(RETRY_MS)
    }
  }

  #byProject(waiting: readonly Waiting[], missed: ReadonlyMap<string, number>): Map<string, Announced> {
    const now = this.#now()
    for (const [projectId, until] of this.#followed) if (until < now) this.#followed.delete(projectId)
    const isFollowed = (projectId: string) => now < this.#uncertainUntil || this.#followed.has(projectId)
    const announced = new Map<string, Announced>()
    for (const [projectId, count] of missed)
      if (isFollowed(projectId)) announced.set(projectId, { executions: [], missed: count })
    for (const { projectId, execution } of waiting) {
      if (!isFollowed(projectId)) continue
      const project = announced.get(projectId) ?? { executions: [], missed: 0 }
      announced.set(projectId, project)
      if (project.executions.length < PER_PROJECT_MAX) project.executions.push(execution)
      else project.missed++
    }
    return announced
  }
}

type ExecutionsEnded = Extract<ChangeOn<'events'>, { kind: 'executions_ended' }>

/** Distributes executions over notifications, each of which has a limit of bytes. */
const changesOf = (announced: ReadonlyMap<string, Announced>): ExecutionsEnded[] =>
  [...announced].flatMap(([projectId, { executions, missed }]) => {
    const lists: JsonObject[][] = [[]]
    let tooLarge = 0
    let bytes = ENVELOPE_BYTES
    for (const execution of executions) {
      const size = Buffer.byteLength(JSON.stringify(execution)) + 1
      if (size + ENVELOPE_BYTES > PAYLOAD_BYTES_MAX) {
        tooLarge++
        continue
      }
      if (bytes + size > PAYLOAD_BYTES_MAX) {
        lists.push([])
        bytes = ENVELOPE_BYTES
      }
      bytes += size
      lists.at(-1)?.push(execution)
    }
    return lists.map((list, n): ExecutionsEnded => {
      const isLast = n === lists.length - 1
      return {
        ...{ kind: 'executions_ended', projectId, executions: list },
        missed: isLast ? missed + tooLarge : 0,
      }
    })
  })
