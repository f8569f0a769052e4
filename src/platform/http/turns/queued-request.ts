/** A request while it runs or waits. */
export interface QueuedRequest {
  readonly projectId: string
  readonly operation: string
  isRunning: boolean
  /** Its pieces of work that run in slices. */
  readonly slicedWork: number
  startedAt: number
}

export interface QueueLimits {
  /** Running requests of one project while other projects are active. */
  readonly perProject: number
  /** Waiting requests of one project, without those that have run before. */
  readonly waitingMax: number
}
