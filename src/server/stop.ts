import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '../app/create-app.ts'
import type { InstanceLock } from '../platform/instance-lock.ts'
import type { Jobs } from '../platform/jobs/index.ts'
import type { Database } from './database.ts'

/** What a start has made so far; a stop takes it down in the order that nothing is missed by what is still there. */
export interface ServerParts {
  lock: InstanceLock
  database?: Database
  app?: App
  jobs?: Jobs | undefined
  managedAuthWatch?: { close(): void }
}

/** For calls and jobs under way; with our own PostgreSQL a little less, because it has to be stopped too. */
const DRAIN_MS = 6_000
const CLOSE_MS = 500
/** The whole stop. Process managers kill after 10 s. */
export const STOP_MAX_MS = 9_500

/** Calls and jobs under way may end; what does not end within the bound is cut. Nothing is left behind. */
export async function stopAll({ lock, database, app, jobs, managedAuthWatch }: ServerParts): Promise<void> {
  managedAuthWatch?.close()
  const deadline = performance.now() + STOP_MAX_MS - CLOSE_MS
  if (app) {
    app.beginStopping()
    await Promise.all([drain(app, DRAIN_MS), jobs?.close(DRAIN_MS)])
  }
  await database?.stop(Math.max(1_000, deadline - performance.now()))
  await lock.release()
}

async function drain({ http, close }: App, withinMs: number): Promise<void> {
  const closed = close().then(() => true)
  const ended = await Promise.race([closed, wait(withinMs, false, { ref: false })])
  if (ended) return
  http.server.closeAllConnections()
  await Promise.race([closed, wait(CLOSE_MS, undefined, { ref: false })])
}
