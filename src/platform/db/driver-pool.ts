import pg from 'pg'
import { CONNECT_MS, openPool, socketOf, trackIdle } from './connections.ts'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'

const HEARTBEAT_MS = 5_000
const DRIVER_QUERY_MS = 9_000

/** Closes its connection when a statement times out: the next user would wait behind that statement. */
class FailFastClient extends pg.Client {
  // The driver has a dozen signatures for this method.
  override query(...args: unknown[]): never {
    const answer = (super.query as (...args: unknown[]) => unknown)(...args)
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (toDatabaseError(error) instanceof DatabaseUnavailable) socketOf(this).destroy()
      })
    return answer as never
  }
}

/**
 * Opens the driver's own pool, for the job queue, which has its own statements. Its connections fail instead
 * of hanging: a connection that listens is checked regularly, because it would not notice a cut network for
 * hours.
 */
export function driverPool(url: string, max: number, applicationName: string): pg.Pool {
  const pool = openPool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: DRIVER_QUERY_MS,
    Client: FailFastClient,
  })
  const dropIdle = trackIdle(pool)
  pool.on('connect', (client) => {
    client.on('error', () => {})
    const heart = setInterval(() => {
      client.query('select 1').catch((error: unknown) => {
        if (toDatabaseError(error) instanceof DatabaseUnavailable) dropIdle()
      })
    }, HEARTBEAT_MS).unref()
    client.on('end', () => clearInterval(heart))
  })
  return pool
}
