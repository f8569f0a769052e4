import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSettingNames, SERVER_DEFAULTS } from '../settings.ts'

/** The settings of the server. `postgresql.conf` includes it, because `pg_ctl` passes arguments through a shell. */
const FILE = 'patchbay.conf'
export const INCLUDE_LINE = `\ninclude '${FILE}'\n`
const PORT_LINE = /^port = '\d+'$/m

/**
 * Returns the content of the file. `settings` overrides the defaults, except where the server listens: on the loopback
 * address, because Node.js connects to no Unix socket on Windows.
 * @throws StartupError for an invalid name
 */
export function settingsText(settings: Record<string, string>, port: number): string {
  checkSettingNames(settings)
  const fixed = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    // Windows does not report connections that clients have closed, and PostgreSQL does not start there with another
    // value (src/backend/tcop/postgres.c, check_client_connection_check_interval).
    client_connection_check_interval: '0',
  }
  return Object.entries({ ...SERVER_DEFAULTS, ...settings, ...fixed })
    .map(([name, value]) => `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'\n`)
    .join('')
}

/** Writes the settings of the next start. */
export const writeSettings = (directory: string, text: string): Promise<void> =>
  writeFile(join(directory, FILE), text)

/** Whether the server was started with these settings, on whatever port. */
export async function hasSettings(directory: string, text: string): Promise<boolean> {
  const stored = await readFile(join(directory, FILE), 'utf8').catch(() => '')
  return stored.replace(PORT_LINE, '') === text.replace(PORT_LINE, '')
}
