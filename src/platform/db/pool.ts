import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'
import type { SentStatement, ValueEncryption } from './encrypted-value.ts'
import { currentScope, type ProjectScope } from './project-scope.ts'
import { prepareScopes, runScoped } from './scoped-query.ts'
import type { Db, Pool } from './sql.ts'
import { toDb } from './to-db.ts'
import { withTimeout } from '../timeout.ts'

// bigint columns are counters far below 2^53, so they are returned as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface PoolOptions {
  max?: number
  /** How long to wait for a free or a new connection, in ms. */
  connectTimeoutMs?: number
  /** Time limit of one statement in the server, in ms. */
  statementTimeoutMs?: number
  applicationName?: string
  /**
   * The URL leads to a pooler in transaction mode, which gives each transaction any of its connections. Statements
   * are then not prepared, and the connection has no parameters: PgBouncer before 1.21 loses the former, and every
   * version rejects the latter. Default false.
   */
  isPooled?: boolean
  /** The role of statements that run in a project (`openTenantRole`). Absent: all run as the role of the connection. */
  tenantRole?: string | undefined
  /** Encrypts and decrypts values of statements. Absent: the connection can do neither. */
  encryption?: ValueEncryption | undefined
}

/** The server's own timeout error has more information, so the client waits this much longer. */
const GRACE_MS = 1_000
const CLOSE_MS = 2_000
const CONNECT_MS = 5_000

/**
 * Opens a pool of connections. Fails with `DatabaseUnavailable` while PostgreSQL is unavailable, and works
 * again afterwards.
 */
export function connect(url: string, options: PoolOptions = {}): Pool {
  const {
    max = 10,
    connectTimeoutMs = CONNECT_MS,
    statementTimeoutMs = 8_000,
    applicationName = 'patchbay',
    isPooled = false,
    tenantRole,
    encryption,
  } = options
  const pool = openPool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(isPooled ? {} : { statement_timeout: statementTimeoutMs }),
    // The server cannot enforce its own limit when it hangs or the network is cut.
    query_timeout: statementTimeoutMs + GRACE_MS,
    idleTimeoutMillis: 30_000,
    ...(tenantRole !== undefined && !isPooled && PREPARED_SCOPES),
  })
  const dropIdle = trackIdle(pool)
  const statements: StatementOptions = { tenantRole, isPrepared: !isPooled, encryption }
  const begin = isPooled ? `begin; set local statement_timeout = ${statementTimeoutMs}` : 'begin'
  return {
    ...databaseOn(pool, statements, dropIdle),
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
        await client.query(begin)
        const result = await work(transactionOn(client, statements))
        await client.query('commit')
        return result
      } catch (error) {
        const failure = toDatabaseError(error)
        // A rollback on a connection that does not respond would only double the wait. Closing the connection
        // does the same.
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
    // A connection to a server that hangs never closes.
    close: () => withTimeout(pool.end(), CLOSE_MS),
  }
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, keepAlive: true })
  pool.on('error', () => {}) // an idle connection was lost; the pool replaces it
  return pool
}

/**
 * Tracks idle connections, and returns a function that closes them. If one connection was lost silently (a
 * changed IP address, a firewall that dropped its state), the other idle ones probably were too, and each
 * would cost a caller a whole `query_timeout`.
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
      // makes the pool remove it immediately
      client.emit('error', new Error('closed together with a lost connection'))
      socketOf(client).destroy()
    }
  }
}

/** Returns the socket of a connection: the driver has no other way to close it immediately. */
const socketOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

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

/** Prepares scoped statements. Without them every one would fail, so the connection is closed after an error. */
const prepareConnection = (client: pg.ClientBase): Promise<unknown> =>
  prepareScopes(client).catch((error: unknown) => {
    socketOf(client).destroy()
    throw error
  })

/** The types of the driver do not say that it waits for the promise. */
const PREPARED_SCOPES = { onConnect: prepareConnection as (client: pg.ClientBase) => void }

interface StatementOptions {
  tenantRole: string | undefined
  isPrepared: boolean
  encryption: ValueEncryption | undefined
}

/** Statements on any connection of the pool, each in the scope of its caller. */
function databaseOn(pool: pg.Pool, options: StatementOptions, onUnavailable: () => void): Db {
  const { tenantRole, isPrepared } = options
  return toDb(async (query) => {
    const scope = tenantRole === undefined ? undefined : currentScope()
    try {
      const config = toConfig(query, scope, isPrepared)
      if (tenantRole === undefined || scope === undefined) return await pool.query(config)
      return await runScoped(pool, config, tenantRole, scope)
    } catch (error) {
      const failure = toDatabaseError(error)
      if (failure instanceof DatabaseUnavailable) onUnavailable()
      throw failure
    }
  }, options.encryption)
}

/** Statements of an open transaction. The scope is set again only when it changes. */
function transactionOn(client: pg.PoolClient, { tenantRole, isPrepared, encryption }: StatementOptions): Db {
  let applied: ProjectScope
  return toDb(async (query) => {
    const scope = tenantRole === undefined ? undefined : currentScope()
    const config = toConfig(query, scope, isPrepared)
    try {
      if (tenantRole === undefined || scope === applied) return await client.query(config)
      applied = scope
      return await runScoped(client, config, tenantRole, scope)
    } catch (error) {
      throw toDatabaseError(error)
    }
  }, encryption)
}

/** A plan with row-level security is another one, so it has another name. */
const toConfig = (
  { text, values }: SentStatement,
  scope: ProjectScope,
  isPrepared: boolean,
): pg.QueryConfig => ({
  ...(isPrepared && { name: scope === undefined ? statementName(text) : `${statementName(text)}.p` }),
  text,
  values,
})

// One prepared statement for each query text. Texts come from our source code, so their number is limited.
const names = new Map<string, string>()
function statementName(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}
