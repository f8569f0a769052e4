import {
  databaseUrl,
  directory,
  listenHost,
  matching,
  oneOf,
  optional,
  processCount,
  publicUrl,
  wholeNumber,
} from '../rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of the server: where it listens, its URLs, its directories and its database. */
export const serverSettings = {
  port: {
    name: 'PORT',
    rule: wholeNumber(0, 65535),
    default: '3900',
    description: 'The port to listen on. 0 uses any free port, for tests.',
  },
  host: {
    name: 'HOST',
    rule: listenHost,
    default: '127.0.0.1',
    description:
      'The IP address or host name to listen on. The default accepts connections from this machine only, ' +
      'because a server that stores credentials should not be open to a network by accident. ' +
      'Set 0.0.0.0 in a container, or to accept connections from other machines.',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    rule: publicUrl,
    default: ({ port }) => `http://localhost:${port}`,
    defaultMeans: '`http://localhost:PORT`',
    example: 'https://patchbay.example.com',
    description:
      'The URL at which users and providers reach this server. Redirect URIs, webhook URLs and links start with it.',
  },
  filesPublicUrl: {
    name: 'FILES_PUBLIC_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'PUBLIC_URL',
    example: 'https://files.example.com',
    description:
      'The URL at which clients reach files, if it is not PUBLIC_URL: a separate host isolates files ' +
      'from the API. Route it to this server.',
  },
  dataDir: {
    name: 'DATA_DIR',
    rule: directory,
    default: '.patchbay',
    description: 'The directory of the built-in PostgreSQL, of files and of the key file. Back it up.',
  },
  sharedCacheDir: {
    name: 'CACHE_DIR',
    rule: directory,
    default: ({ dataDir }) => `${dataDir}/cache`,
    defaultMeans: '`cache` in DATA_DIR',
    example: '/var/cache/patchbay',
    description:
      'Files that every server of a release makes in the same way at its first start, in a few seconds: the ' +
      'search index, the pages of the console, and the prepared Python. Servers of one machine or image can share it.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    rule: optional(databaseUrl),
    default: '',
    defaultMeans: 'the built-in PostgreSQL, in DATA_DIR',
    example: 'postgres://user:password@localhost:5432/patchbay',
    secret: true,
    description: 'The URL of a PostgreSQL 14 or later. Required to run several servers.',
  },
  databaseDirectUrl: {
    name: 'DATABASE_DIRECT_URL',
    rule: optional(databaseUrl),
    default: '',
    defaultMeans: 'DATABASE_URL is PostgreSQL itself',
    example: 'postgres://user:password@db.example.com:5432/patchbay',
    secret: true,
    description:
      'The URL of PostgreSQL itself, if DATABASE_URL leads to a connection pooler in transaction mode, such as ' +
      'PgBouncer. Notifications, background jobs, migrations and backups use it, because they need a connection of ' +
      'their own. See docs/guides/high-availability.md.',
  },
  databaseReadUrl: {
    name: 'DATABASE_READ_URL',
    rule: optional(databaseUrl),
    default: '',
    defaultMeans: 'all reads use DATABASE_URL',
    example: 'postgres://user:password@replica.example.com:5432/patchbay',
    secret: true,
    description:
      'The URL of one streaming replica of DATABASE_URL. Reads of logs, usage and statistics use it while it ' +
      'has every ' +
      'completed write. See docs/guides/read-replica.md.',
  },
  databasePoolMax: {
    name: 'DATABASE_POOL_MAX',
    rule: wholeNumber(1, 1000),
    default: '10',
    description: 'The maximum number of database connections of this process.',
  },
  rowLevelSecurity: {
    name: 'ROW_LEVEL_SECURITY',
    rule: oneOf('auto', 'required', 'off'),
    default: 'auto',
    description:
      'Whether PostgreSQL checks that statements of a project touch rows of this project only. It needs a role, ' +
      'which the server creates if the user of DATABASE_URL may; otherwise `auto` starts without the check and says ' +
      'so, and `required` does not start.',
  },
  role: {
    name: 'ROLE',
    rule: oneOf('all', 'serve', 'work'),
    default: 'all',
    description:
      'The role of this process: `serve` handles HTTP requests, `work` runs jobs, `all` does both.',
  },
  workers: {
    name: 'WORKERS',
    rule: processCount,
    default: '1',
    description:
      'The number of processes that share the port. `auto` is one for each processor core. A process that ends is ' +
      'replaced. SIGUSR2 replaces all of them, one after another, without a failed request. With ROLE=all, the first ' +
      'one runs the background jobs.',
  },
  monitoringPort: {
    name: 'MONITORING_PORT',
    rule: optional(wholeNumber(0, 65535)),
    default: '',
    defaultMeans: 'no separate port',
    example: '9464',
    description:
      'A second port, with `/healthz`, `/readyz` and `/metrics` only. A process with ROLE=work listens on no other ' +
      'port, so probes and Prometheus need it there. With several WORKERS, each has one: this one and the numbers ' +
      'after it. 0 uses any free port, for tests.',
  },
  wireBrand: {
    name: 'WIRE_BRAND',
    rule: matching(/^[a-z][a-z0-9]{1,30}$/, '2 to 31 lower-case letters and digits, starting with a letter'),
    default: 'service',
    description:
      'The word that replaces `service` in field names, headers and other names of the API, for clients ' +
      'of another server.',
  },
} satisfies SomeSettings
