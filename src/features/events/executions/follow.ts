import { setTimeout as wait } from 'node:timers/promises'
import { publishChanges } from '../../../platform/change-bus.ts'
import type { Listener } from '../../../platform/db/notifications.ts'
import { runOutsideProjects } from '../../../platform/db/project-scope.ts'
import type { Db } from '../../../platform/db/sql.ts'
import type { Logger } from '../../../platform/log.ts'

/** A third of `FOLLOWED_MS`: two reports may be lost. */
const RENEW_MS = 10_000
const CONNECT_MS_MAX = 5_000
const CONNECT_CHECK_MS = 20

export interface FollowDeps {
  readonly db: Db
  readonly log: Pick<Logger, 'debug'>
  /** The projects whose executions this process sends to readers. */
  followedProjects(): string[]
}

/** Reports to all processes which projects have readers of executions in this one. */
export class FollowReports {
  readonly #deps: FollowDeps
  #timer: NodeJS.Timeout | undefined

  constructor(deps: FollowDeps) {
    this.#deps = deps
  }

  /**
   * Reports a project that has a new reader. Executions that end after this call are announced by every process.
   * Returns false if this process does not receive notifications: some may be missed then.
   */
  async start(projectId: string, listener: Listener, signal: AbortSignal): Promise<boolean> {
    const latest = performance.now() + CONNECT_MS_MAX
    while (!listener.connected && !signal.aborted && performance.now() < latest) await wait(CONNECT_CHECK_MS)
    this.#timer ??= setInterval(() => void this.#renew(), RENEW_MS)
    await this.#report([projectId])
    return listener.connected
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #renew(): Promise<void> {
    const projects = this.#deps.followedProjects()
    if (projects.length === 0) return this.close()
    try {
      await this.#report(projects)
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'readers of executions could not be reported')
    }
  }

  /** One statement for several projects. It reads no table. */
  #report(projects: readonly string[]): Promise<void> {
    const changes = projects.map((projectId) => ({ kind: 'executions_followed', projectId }) as const)
    return runOutsideProjects(() => publishChanges(this.#deps.db, changes))
  }
}
