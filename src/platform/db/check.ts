import pg from 'pg'
import { StartupError } from '../startup-error.ts'

const VERSION_MIN = 140_000

/** Whether PostgreSQL answers at this address, within 5 s. */
export async function reaches(url: string): Promise<boolean> {
  return await ask(url, 'select 1').then(() => true, () => false)
}

/** The version of a PostgreSQL that can be used. @throws StartupError when it cannot be reached or is too old */
export async function checkServer(url: string): Promise<string> {
  const [row] = await ask<{ number: string, version: string }>(url, "select current_setting('server_version_num') as number, current_setting('server_version') as version").catch((error: unknown) => {
    throw new StartupError(`PostgreSQL at ${hostOf(url)} cannot be used: ${(error as Error).message || (error as { code?: string }).code}`,
      'Check DATABASE_URL, that the server runs, and that it accepts this user and database.', { cause: error })
  })
  if (!row || Number(row.number) < VERSION_MIN) throw new StartupError(`PostgreSQL at ${hostOf(url)} is version ${row?.version}; 14 or later is needed.`, 'Upgrade the server, or leave DATABASE_URL out to use the built-in one.')
  return row.version
}

async function ask<T extends object>(connectionString: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000, application_name: 'patchbay-check' })
  client.on('error', () => {}) // the query that meets it reports it
  try {
    await client.connect()
    return (await client.query<T>(text)).rows
  } finally {
    client.end().catch(() => {})
  }
}

/** Host and database, never user or password. */
export function hostOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url)
    return `${decodeURIComponent(hostname)}${port && `:${port}`}${pathname}`
  } catch {
    return 'DATABASE_URL'
  }
}
