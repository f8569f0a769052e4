import cluster, { type Worker } from 'node:cluster'

/** Messages from the supervisor to a worker process. */
export type SupervisorMessage = { type: 'retire' | 'stop' }
/** Messages from a worker process to the supervisor. */
export type WorkerMessage = { type: 'ready' }

/** What `start` needs to know about the process that it runs in. */
export interface ProcessRole {
  /** Whether a supervisor started this process. It has reserved the port. */
  isWorker: boolean
  /** Whether the start prints its steps: only one process does, and only at the first start. */
  isFirst: boolean
}

export const processRole = (): ProcessRole => ({
  isWorker: cluster.isWorker,
  isFirst: !cluster.isWorker || cluster.worker?.id === 1,
})

/** Tells the supervisor that this process accepts requests. */
export function reportReady(): void {
  if (cluster.isWorker) process.send?.({ type: 'ready' } satisfies WorkerMessage)
}

/** Calls `retire` when the supervisor replaces this process. */
export const onRetire = (retire: () => void): void => onMessage('retire', retire)

/** Calls `stop` when the supervisor stops this process without a signal. */
export const onStopRequest = (stop: () => void): void => onMessage('stop', stop)

function onMessage(type: SupervisorMessage['type'], listener: () => void): void {
  if (!cluster.isWorker) return
  process.on('message', (message: SupervisorMessage) => {
    if (message?.type === type) listener()
  })
}

/** Stops a worker after its calls in progress. On Windows a signal would end it at once: there it receives a message. */
export function requestStop(
  worker: Pick<Worker, 'send'> & { process: Pick<Worker['process'], 'kill'> },
  platform: string = process.platform,
): void {
  if (platform === 'win32') worker.send({ type: 'stop' } satisfies SupervisorMessage)
  else worker.process.kill('SIGTERM')
}
