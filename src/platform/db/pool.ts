import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'
import type { Db, Pool, Sql } from './sql.ts'

// bigint columns here are counters far below 2^53; as numbers they need no care at the wire.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface PoolOptions {
  max?: number
  /** Wait for a free connection or a new one, in ms. */
  connectTimeoutMs?: number
  /** Server-side bound of one statement, in ms. */
  statementTimeoutMs?: number
  applicationName?: string
  /** Commits answer before they are on disk: a crash of the database may lose the last fraction of a second; a crash of this process loses nothing. */
  asynchronousCommit?: boolean
}

/** The server's own refusal of a slow statement tells more than our giving up, so it has this much longer. */
const GRACE_MS = 1_000
const CLOSE_MS = 2_000

/** A pool of connections. Fails with `DatabaseUnavailable` while PostgreSQL is away, and works again when it is back. */
export function connect(url: string, options: PoolOptions = {}): Pool {
  const {
    max = 10,
    connectTimeoutMs = 5_000,
    statementTimeoutMs = 8_000,
    applicationName = 'patchbay',
    asynchronousCommit = false,
  } = options
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The server's own bound cannot fire when the server is frozen or the network is cut.
    query_timeout: statementTimeoutMs + GRACE_MS,
    idleTimeoutMillis: 30_000,
    ...(asynchronousCommit ? { options: '-c synchronous_commit=off' } : {}),
  })
  pool.on('error', () => {}) // an idle connection died; the pool replaces it
  const dropIdle = trackIdle(pool)
  return {
    ...databaseOn(pool, dropIdle),
    async begin(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw toDatabaseError(error)
      })
      let broken: Error | undefined
      const onError = (error: Error) => {
        broken = error
      } // without a listener, a lost connection ends the process
      client.on('error', onError)
      try {
        await client.query('begin')
        const result = await work(databaseOn(client))
        await client.query('commit')
        return result
      } catch (error) {
        const failure = toDatabaseError(error)
        // On a connection that does not answer, asking for a rollback too would only double the wait; closing it does the same.
        if (failure instanceof DatabaseUnavailable) {
          broken ??= failure
          dropIdle()
        } else await client.query('rollback').catch(onError)
        throw failure
      } finally {
        client.off('error', onError)
        client.release(broken)
      }
    },
    // A connection to a frozen server never says goodbye.
    close: () => Promise.race([pool.end(), wait(CLOSE_MS, undefined, { ref: false })]),
  }
}

/**
 * Knows the idle connections. The function that it gives closes them: when one connection was lost without a word (a changed address,
 * a firewall that forgot), those beside it most likely were too, and each would cost a caller a whole `query_timeout` to find out.
 */
function trackIdle(pool: pg.Pool): () => void {
  const idle = new Set<pg.PoolClient>()
  pool.on('release', (error, client) => {
    if (!error) idle.add(client)
  })
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  return () => {
    for (const client of [...idle]) {
      client.emit('error', new Error('dropped beside a lost connection')) // how the pool hears, at once, that it must not give it out
      socketOf(client).destroy()
    }
  }
}

/** The driver has no other way to end a connection at once; a polite end waits for a server that may be gone. */
const socketOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

const HEARTBEAT_MS = 5_000
const DRIVER_QUERY_MS = 9_000

/** A connection that is closed when a statement has no answer in time: whoever gets it next would wait behind that statement. */
class FailFastClient extends pg.Client {
  // The driver has a dozen signatures for this.
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
 * The driver's own pool, for the job queue, which brings its statements itself. Its connections fail rather than hang: one that listens
 * is asked now and then whether it is alive, because a network that is cut without a word would leave it waiting for hours.
 */
export function driverPool(url: string, max: number, applicationName: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: DRIVER_QUERY_MS,
    Client: FailFastClient,
  })
  pool.on('error', () => {})
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

function databaseOn(client: pg.Pool | pg.PoolClient, onUnavailable: () => void = () => {}): Db {
  const send = async (query: Sql) => {
    const text = query.text
    try {
      return await client.query({ name: statementName(text), text, values: query.values })
    } catch (error) {
      const failure = toDatabaseError(error)
      if (failure instanceof DatabaseUnavailable) onUnavailable()
      throw failure
    }
  }
  return {
    rows: async (query) => (await send(query)).rows,
    one: async (query) => (await send(query)).rows[0],
    run: async (query) => (await send(query)).rowCount ?? 0,
  }
}

// One prepared statement a query text. Texts come from our source, so their number is bounded.
const names = new Map<string, string>()
function statementName(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}
