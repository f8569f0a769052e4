import { createHash } from 'node:crypto'
import type pg from 'pg'
import { CONNECT_MS, openPool, socketOf, trackIdle } from './connections.ts'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'
import type { SentStatement, ValueEncryption } from './encrypted-value.ts'
import { currentScope, type ProjectScope } from './project-scope.ts'
import { prepareScopes, ScopedQuery } from './scoped-query.ts'
import type { Db, Pool } from './sql.ts'
import { sendQuery, TimedQuery } from './timed-query.ts'
import { toDb } from './to-db.ts'
import { withTimeout } from '../timeout.ts'

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
  const limitMs = statementTimeoutMs + GRACE_MS
  const pool = openPool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(isPooled ? {} : { statement_timeout: statementTimeoutMs }),
    idleTimeoutMillis: 30_000,
    ...(tenantRole !== undefined && !isPooled && preparedScopes(limitMs)),
  })
  const dropIdle = trackIdle(pool)
  const statements: StatementOptions = { limitMs, tenantRole, isPrepared: !isPooled, encryption }
  const run = (client: pg.ClientBase, text: string) => sendQuery(client, new TimedQuery({ text }, limitMs))
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
        await run(client, begin)
        const result = await work(transactionOn(client, statements))
        await run(client, 'commit')
        return result
      } catch (error) {
        const failure = toDatabaseError(error)
        // A rollback on a connection that does not respond would only double the wait. Closing the connection
        // does the same.
        if (failure instanceof DatabaseUnavailable) {
          broken ??= failure
          dropIdle()
        } else await run(client, 'rollback').catch(onError)
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

/** Prepares scoped statements. Without them every one would fail, so the connection is closed after an error. */
const prepareConnection = (client: pg.ClientBase, limitMs: number): Promise<unknown> =>
  prepareScopes(client, limitMs).catch((error: unknown) => {
    socketOf(client).destroy()
    throw error
  })

/** The types of the driver do not say that it waits for the promise. */
const preparedScopes = (limitMs: number) => ({
  onConnect: ((client) => prepareConnection(client, limitMs)) as (client: pg.ClientBase) => void,
})

interface StatementOptions {
  /** Time limit of a statement in this process, in ms. */
  limitMs: number
  tenantRole: string | undefined
  isPrepared: boolean
  encryption: ValueEncryption | undefined
}

/** Statements on any connection of the pool, each in the scope of its caller. */
function databaseOn(pool: pg.Pool, options: StatementOptions, onUnavailable: () => void): Db {
  const { limitMs, tenantRole, isPrepared } = options
  return toDb(async (query) => {
    const scope = tenantRole === undefined ? undefined : currentScope()
    try {
      const config = toConfig(query, scope, isPrepared)
      const isScoped = tenantRole !== undefined && scope !== undefined
      return await sendQuery(
        pool,
        isScoped ? new ScopedQuery(config, limitMs, tenantRole, scope) : new TimedQuery(config, limitMs),
      )
    } catch (error) {
      const failure = toDatabaseError(error)
      if (failure instanceof DatabaseUnavailable) onUnavailable()
      throw failure
    }
  }, options.encryption)
}

/** Statements of an open transaction. The scope is set again only when it changes. */
function transactionOn(client: pg.PoolClient, options: StatementOptions): Db {
  const { limitMs, tenantRole, isPrepared, encryption } = options
  let applied: ProjectScope
  return toDb(async (query) => {
    const scope = tenantRole === undefined ? undefined : currentScope()
    const config = toConfig(query, scope, isPrepared)
    try {
      if (tenantRole === undefined || scope === applied)
        return await sendQuery(client, new TimedQuery(config, limitMs))
      applied = scope
      return await sendQuery(client, new ScopedQuery(config, limitMs, tenantRole, scope))
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
