import { StartupError } from '../../startup-error.ts'
import { clusterName } from './processes.ts'

// Small, as most installations are; every one can be set through `settings`. fsync and synchronous_commit are
// PostgreSQL's own defaults, spelled out because an acknowledged write must survive.
const defaults: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum: 'on',
  shared_buffers: '64MB',
  max_connections: '100',
  jit: 'off', // Our statements are short; compiling one takes longer than running it.
  timezone: 'UTC',
  // A backend whose client was killed gives up its query, and its locks, within this.
  client_connection_check_interval: '2s',
  // The client gets every error and logs it; here it would only repeat values of rows and statements in a file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
}

/** The arguments of `postgres`. `settings` overrides all but where the server listens. @throws StartupError on a bad name. */
export function serverArguments(
  clusterDir: string,
  socketDir: string,
  settings: Record<string, string>,
): string[] {
  for (const name of Object.keys(settings)) {
    if (!/^[a-z][a-z0-9_.]*$/i.test(name))
      throw new StartupError(`\`${name}\` is not the name of a PostgreSQL setting.`, 'Correct the setting.')
  }
  const fixed: Record<string, string> = {
    listen_addresses: '', // No TCP at all: the socket is reachable by its owner only.
    port: '5432',
    cluster_name: clusterName(clusterDir),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`, // Quoted: a comma would separate two directories.
    unix_socket_permissions: '0700',
  }
  return [
    '-D',
    clusterDir,
    ...Object.entries({ ...defaults, ...settings, ...fixed }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
  ]
}
