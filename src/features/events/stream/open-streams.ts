import { ApiError } from '../../../platform/http/api-error.ts'
import type { JsonObject } from '../../../platform/json-object.ts'
import { ExecutionQueue } from '../executions/queue.ts'

export interface OpenStream {
  readonly projectId: string
  /** Executions that the reader has not received; missing for a stream without executions. */
  readonly executions: ExecutionQueue | undefined
  /** Whether events may be stored that the stream has not read. */
  hasEvents: boolean
  wake: PromiseWithResolvers<void>
}

const STREAMS_MAX = 500
const STREAMS_PER_PROJECT_MAX = 50

/** The streams that are open in this process. */
export class OpenStreams {
  readonly #streams = new Set<OpenStream>()

  /** @throws ApiError Event_TooManyStreams */
  register(projectId: string, withExecutions: boolean, signal: AbortSignal): OpenStream {
    this.#checkLimits(projectId)
    const stream: OpenStream = {
      projectId,
      executions: withExecutions ? new ExecutionQueue() : undefined,
      hasEvents: true,
      wake: Promise.withResolvers(),
    }
    this.#streams.add(stream)
    const close = () => {
      this.remove(stream)
      stream.wake.resolve()
    }
    if (signal.aborted) close()
    else signal.addEventListener('abort', close, { once: true })
    return stream
  }

  remove(stream: OpenStream): void {
    this.#streams.delete(stream)
  }

  /** The projects whose executions a stream of this process sends. */
  followedProjects(): string[] {
    return [...new Set([...this.#streams].flatMap((stream) => (stream.executions ? [stream.projectId] : [])))]
  }

  /** Wakes the streams of a project, or all, because there may be new events. */
  wake(projectId?: string): void {
    for (const stream of this.#streams)
      if (projectId === undefined || stream.projectId === projectId) {
        stream.hasEvents = true
        stream.wake.resolve()
      }
  }

  /** Passes executions to the streams of their project. */
  addExecutions(projectId: string, executions: readonly JsonObject[], missed: number): void {
    for (const stream of this.#streams)
      if (stream.projectId === projectId && stream.executions) {
        stream.executions.push(executions, missed)
        stream.wake.resolve()
      }
  }

  /** Wakes all streams after notifications may have been lost: events are stored, executions are missing. */
  missNotifications(): void {
    for (const stream of this.#streams) stream.executions?.miss(null)
    this.wake()
  }

  #checkLimits(projectId: string): void {
    const own = [...this.#streams].filter((stream) => stream.projectId === projectId).length
    if (own >= STREAMS_PER_PROJECT_MAX)
      throw new ApiError(
        'Event_TooManyStreams',
        `The project has ${own} open streams on this server already.`,
      )
    if (this.#streams.size >= STREAMS_MAX)
      throw new ApiError('Event_TooManyStreams', `This server has ${STREAMS_MAX} open streams already.`)
  }
}

export async function waitForWake(stream: OpenStream, milliseconds: number): Promise<void> {
  const { promise, resolve } = stream.wake
  const timer = setTimeout(resolve, milliseconds)
  await promise
  clearTimeout(timer)
}
