import { StartupError } from '../../startup-error.ts'
import { clusterName } from './cluster-name.ts'

// Small values, for small installations; all can be changed with `settings`. fsync and synchronous_commit are
// the defaults of PostgreSQL, repeated because an acknowledged write must survive.
export const SERVER_DEFAULTS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum: 'on',
  shared_buffers: '64MB',
  // PostgreSQL expects a disk that turns, for which reading by an index costs four times as much as it does.
  random_page_cost: '1.1',
  max_connections: '100',
  // A statement without a time locks all partitions of a table with their indexes.
  max_locks_per_transaction: '128',
  jit: 'off', // Statements are short; compiling one takes longer than running it.
  timezone: 'UTC',
  // A backend whose client was killed ends its query, and releases its locks, within this time.
  client_connection_check_interval: '2s',
  // The client receives and logs every error. The server's log would only repeat values of rows and
  // statements.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
}

/**
 * Returns the arguments of `postgres`. `settings` overrides the defaults, except where the server listens.
 * @throws StartupError for an invalid name
 */
export function serverArguments(
  clusterDir: string,
  socketDir: string,
  settings: Record<string, string>,
): string[] {
  checkSettingNames(settings)
  const fixed: Record<string, string> = {
    listen_addresses: '', // No TCP: only the owner can reach the socket.
    port: '5432',
    cluster_name: clusterName(clusterDir),
    // Quoted: a comma would separate two directories.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  }
  return [
    '-D',
    clusterDir,
    ...Object.entries({ ...SERVER_DEFAULTS, ...settings, ...fixed }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
  ]
}

/** @throws StartupError for an invalid name */
export function checkSettingNames(settings: Record<string, string>): void {
  for (const name of Object.keys(settings)) {
    if (!/^[a-z][a-z0-9_.]*$/i.test(name))
      throw new StartupError(`\`${name}\` is not the name of a PostgreSQL setting.`, 'Correct the setting.')
  }
}
