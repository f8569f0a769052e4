import type { App } from '../app/create-app.ts'
import type { InstanceLock } from '../platform/instance-lock.ts'
import type { Jobs } from '../platform/jobs/index.ts'
import type { Telemetry } from '../platform/telemetry/index.ts'
import { withTimeout } from '../platform/timeout.ts'
import type { Database } from './database.ts'
import type { WaitingConnections } from './retire.ts'

/** The parts that a start has created so far. `stopAll` stops them in the order that loses no work. */
export interface ServerParts {
  lock: InstanceLock
  database?: Database
  app?: App
  /** Ends the threads that index toolkits. */
  stopIndexThreads?: () => Promise<unknown>
  jobs?: Jobs | undefined
  telemetry?: Telemetry | undefined
  waiting?: WaitingConnections
  managedAuthWatch?: { close(): void }
  toolkitsWatch?: { close(): Promise<void> }
}

/** For calls and jobs in progress. With the built-in PostgreSQL less remains for its stop. */
const DRAIN_MS = 6_000
const CLOSE_MS = 500
/** For the whole stop: process managers kill after 10 s. */
export const STOP_MAX_MS = 9_500

/** Waits for calls and jobs in progress, and aborts those that exceed the time limit. Stops every part. */
export async function stopAll(parts: ServerParts): Promise<void> {
  const { lock, database, app, jobs, telemetry, managedAuthWatch, toolkitsWatch, stopIndexThreads } = parts
  managedAuthWatch?.close()
  if (toolkitsWatch) await withTimeout(toolkitsWatch.close(), CLOSE_MS)
  const deadline = performance.now() + STOP_MAX_MS - CLOSE_MS
  if (app) {
    app.beginStopping()
    await Promise.all([drain(app, DRAIN_MS), jobs?.close(DRAIN_MS)])
  }
  await Promise.all([
    withTimeout(Promise.resolve(app?.monitoring?.close()), CLOSE_MS),
    withTimeout(Promise.resolve(stopIndexThreads?.()), CLOSE_MS),
    telemetry?.close(),
  ])
  await database?.stop(Math.max(1_000, deadline - performance.now()))
  await lock.release()
}

async function drain({ http, close }: App, withinMs: number): Promise<void> {
  const closed = close().then(() => true)
  if (await withTimeout(closed, withinMs)) return
  http.server.closeAllConnections()
  await withTimeout(closed, CLOSE_MS)
}
