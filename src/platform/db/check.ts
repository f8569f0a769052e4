import pg from 'pg'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupError } from '../startup-error.ts'
import { withTimeout } from '../timeout.ts'

const VERSION_MIN = 140_000
const ANSWER_MS = 5_000
/** Replicas and their database are often started together, so the database may need a moment. */
const PATIENCE_MS = 8_000
const RETRY_EVERY_MS = 250
const HEARTBEAT_MS = 5_000

// Errors that may go away: nothing listens yet, the name is not known yet, the server starts or has too many
// clients.
const TRANSIENT_CODES =
  /^(ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0\d|53300)$/

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host with this name',
  EAI_AGAIN: 'there is no host with this name',
  ENOENT: 'there is no such socket',
  EHOSTUNREACH: 'there is no route to this host',
  ENETUNREACH: 'there is no route to this host',
  ECONNRESET: 'the connection was reset',
}

/** Whether PostgreSQL responds at this URL, within 5 s. */
export async function canConnect(url: string): Promise<boolean> {
  return await queryOnce(url, 'select 1').then(
    () => true,
    () => false,
  )
}

export interface ServerCheck {
  /** How long to wait for a database that is unavailable, in ms. */
  patienceMs?: number
  signal?: AbortSignal | undefined
}

/** Whether two URLs lead to the same database of the same running server. */
export async function isSameDatabase(first: string, second: string): Promise<boolean> {
  const identify = (url: string) =>
    queryOnce<{ identity: string }>(
      url,
      "select pg_postmaster_start_time()::text || ' ' || current_database() as identity",
    )
  const [[a], [b]] = await Promise.all([identify(first), identify(second)])
  return a?.identity === b?.identity
}

/** The channel of `losesSessions`. Nobody sends to it. */
const CHECK_CHANNEL = '"patchbay-check"'
const SECOND_STATEMENT_MS = 2_000

/**
 * Whether the statements of one connection run in several sessions, as behind PgBouncer in transaction mode: a
 * connection that listens then receives nothing, and does not notice it. A second connection takes the session that
 * has just listened, if it can. False if the server does not respond in time.
 */
export async function losesSessions(url: string): Promise<boolean> {
  const [listener, other] = [clientFor(url, ANSWER_MS), clientFor(url, ANSWER_MS)]
  for (const client of [listener, other]) client.on('error', () => {}) // reported by the queries
  try {
    await Promise.all([listener.connect(), other.connect()])
    await listener.query(`listen ${CHECK_CHANNEL}`)
    await other.query('begin')
    const channels = listener.query('select 1 from pg_listening_channels()')
    channels.catch(() => {}) // it may fail after the time limit
    const result = await withTimeout(channels, SECOND_STATEMENT_MS)
    // A pooler gives the session to other connections afterwards.
    await other.query(`unlisten ${CHECK_CHANNEL}; commit`)
    return result?.rowCount === 0
  } finally {
    for (const client of [listener, other]) client.end().catch(() => {})
  }
}

/** Whether a table has rows. Its name comes from our code. */
export async function hasRows(url: string, table: string): Promise<boolean> {
  return (await queryOnce(url, `select 1 from ${pg.escapeIdentifier(table)} limit 1`)).length > 0
}

/**
 * Returns the version of a usable PostgreSQL. Waits at most 10 s for one that is unavailable.
 * @throws StartupError if it is unreachable or too old
 */
export async function checkServer(
  url: string,
  { patienceMs = PATIENCE_MS, signal }: ServerCheck = {},
): Promise<string> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const left = deadline - performance.now()
    const failure = await queryOnce<{ number: string; version: string }>(
      url,
      "select current_setting('server_version_num') as number, current_setting('server_version') as version",
      Math.min(ANSWER_MS, Math.max(left, 1_500)),
    )
      .then(([row]) => {
        if (Number(row?.number) >= VERSION_MIN) return { version: row?.version ?? '' }
        throw new StartupError(
          `PostgreSQL at ${hostAndDatabase(url)} is version ${row?.version}; 14 or later is needed.`,
          'Upgrade the server, or omit DATABASE_URL to use the built-in PostgreSQL.',
        )
      })
      .catch((error: unknown) => ({ error }))
    if ('version' in failure) return failure.version
    const { error } = failure
    if (error instanceof StartupError) throw error
    if (signal?.aborted || !isTransient(error) || deadline - performance.now() < RETRY_EVERY_MS)
      throw cannotUse(url, error)
    await wait(RETRY_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

function isTransient(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string }
  return code ? TRANSIENT_CODES.test(code) : /timeout|terminated/i.test(message)
}

function cannotUse(url: string, error: unknown): StartupError {
  const { code = '', message } = error as { code?: string; message: string }
  const reason = REASONS[code] ?? (/timeout/i.test(message) ? 'it does not respond' : message || code)
  return new StartupError(
    `PostgreSQL at ${hostAndDatabase(url)} cannot be used: ${reason}.`,
    'Check DATABASE_URL, that the server runs, and that it accepts this user and database.',
    { cause: error },
  )
}

/**
 * Resolves when an open connection is lost, does not respond, or cannot be opened, or when the signal fires.
 */
export async function waitUntilLost(url: string, signal: AbortSignal): Promise<void> {
  const client = clientFor(url, ANSWER_MS)
  const ended = new Promise<void>((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  try {
    await client.connect()
    const isEnded = ended.then(() => true)
    while (!(await withTimeout(isEnded, HEARTBEAT_MS))) await client.query('select 1')
  } catch {
    // The connection is lost.
  } finally {
    client.end().catch(() => {})
  }
}

/** Runs one statement on a connection of its own. */
export async function queryOnce<T extends object>(
  url: string,
  text: string,
  timeoutMs = ANSWER_MS,
): Promise<T[]> {
  const client = clientFor(url, timeoutMs)
  client.on('error', () => {}) // reported by the query
  try {
    await client.connect()
    return (await client.query<T>(text)).rows
  } finally {
    client.end().catch(() => {})
  }
}

const clientFor = (connectionString: string, timeoutMs: number) =>
  new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'patchbay-check',
  })

/** Returns host and database, without user and password. */
export function hostAndDatabase(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url)
    return `${searchParams.get('host') ?? decodeURIComponent(hostname)}${port && `:${port}`}${pathname}`
  } catch {
    return 'DATABASE_URL'
  }
}
