import pg from 'pg'

/** Result of a login. `later`: the server is not ready yet. */
export type Readiness = 'ready' | 'later' | 'wrong password' | Error

const passing = new Set(['57P03', '53300', 'ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', 'EAGAIN'])

/** Logs in and runs a query. A server that does not respond in time counts as not ready. */
export async function checkReadiness(url: string, timeoutMs: number): Promise<Readiness> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {}) // A connection that breaks while idle; the answer is known by then.
  try {
    await client.connect()
    await client.query('select 1')
    await client.end()
    return 'ready'
  } catch (error) {
    void client.end().catch(() => {}) // Not awaited: a hung server would hang us too.
    const { code, message } = error as { code?: string; message: string }
    if (code === '28P01' || code === '28000') return 'wrong password'
    if ((code && passing.has(code)) || message === 'Connection terminated unexpectedly') return 'later'
    return error as Error
  }
}
