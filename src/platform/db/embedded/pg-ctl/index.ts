import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../../../free-port.ts'
import { openDataDir } from '../../../instance-lock.ts'
import { StartupError } from '../../../startup-error.ts'
import type { Binaries } from '../binaries.ts'
import { hasCluster } from '../cluster.ts'
import type { EmbeddedDatabase, EmbeddedOptions } from '../index.ts'
import { readPassword } from '../password.ts'
import { checkReadiness, type Readiness } from '../readiness.ts'
import type { Runner } from '../run-program.ts'
import { waitFor } from '../wait.ts'
import { createCluster, setUpDatabase } from './cluster.ts'
import { type ControlledCluster, findServer, readPostmasterFile, startServer, stopServer } from './control.ts'
import { hasSettings, settingsText, writeSettings } from './settings-file.ts'

export interface PgCtlOptions extends EmbeddedOptions {
  binaries: Binaries
  /** Default: the current user. */
  runner?: Runner
  /** Returns a port of the loopback address on which nobody listens. */
  findPort?: () => Promise<number>
}

interface Database extends ControlledCluster {
  password: string
  superuserPassword: string
}

const ANSWER_MS = 5_000
/** Another program may take the port before the server listens on it. */
const PORTS_MAX = 3

/**
 * Runs PostgreSQL where it has no Unix sockets and no signals (Windows): `pg_ctl` starts and stops it, and it listens
 * on the loopback address. Otherwise as `startEmbedded`.
 * @throws StartupError that says what to do
 */
export async function startWithPgCtl(options: PgCtlOptions): Promise<EmbeddedDatabase> {
  const { dataDir, binaries, runner = {}, onProgress = () => {}, startTimeoutMs = 60_000 } = options
  const root = await openDataDir(dataDir)
  const database: Database = {
    directory: join(root, 'postgres'),
    logFile: join(root, 'postgres.log'),
    binaries,
    runner,
    password: await readPassword(root),
    superuserPassword: await readPassword(root, 'postgres.superuser-password'),
  }
  if (await hasCluster(database.directory, binaries.major)) {
    const port = await adopt(database, options.settings ?? {}, startTimeoutMs)
    if (port !== undefined) return running(database, port, true)
    await stopServer(database)
  } else {
    onProgress('Creating the database; this happens once.')
    await createCluster(database, database.superuserPassword)
  }
  const port = await startOnPort(database, options)
  try {
    await prepare(database, port)
  } catch (error) {
    await stopServer(database)
    throw error
  }
  return running(database, port, false)
}

/** Returns the URL of a database that another process runs. Contains the password: never log it. */
export async function runningUrlOfPgCtl(dataDir: string): Promise<string> {
  const root = await openDataDir(dataDir)
  const server = await readPostmasterFile(join(root, 'postgres'))
  return urlOf(await readPassword(root), server?.port ?? 0)
}

const urlOf = (password: string, port: number): string =>
  `postgres://patchbay:${password}@127.0.0.1:${port}/patchbay`

function running(database: Database, port: number, adopted: boolean): EmbeddedDatabase {
  let stopped: Promise<void> | undefined
  return {
    url: urlOf(database.password, port),
    adopted,
    stop: (withinMs) => (stopped ??= stopServer(database, withinMs)),
  }
}

/**
 * Returns the port of a server that an earlier process left running, if it has the same program and settings and
 * accepts the password. The login proves that it is the server of this cluster: with SCRAM, a server must know the
 * password too (RFC 5802, section 3).
 */
async function adopt(
  database: Database,
  settings: Record<string, string>,
  timeoutMs: number,
): Promise<number | undefined> {
  const found = await findServer(database)
  if (!found || !(await runsOurProgram(database))) return undefined
  if (!(await hasSettings(database.directory, settingsText(settings, found.port)))) return undefined
  // It may be recovering.
  await waitFor(async () => {
    const server = await findServer(database)
    return !server || server.isReady
  }, timeoutMs)
  return (await login(database, found.port)) === 'ready' ? found.port : undefined
}

/** Whether the running server is this program: after an upgrade it must be restarted. */
async function runsOurProgram({ directory, binaries }: ControlledCluster): Promise<boolean> {
  const comparable = (path: string) => path.replaceAll('\\', '/').toLowerCase()
  const used = await readFile(join(directory, 'postmaster.opts'), 'utf8').catch(() => '')
  return comparable(used).startsWith(`${comparable(realpathSync(binaries.postgres))} `)
}

/** Starts the server on the port of `formerUrl`, or on a free one, and returns the port. @throws StartupError */
async function startOnPort(
  database: Database,
  { settings = {}, startTimeoutMs = 60_000, findPort = findFreePort, formerUrl, signal }: PgCtlOptions,
): Promise<number> {
  const formerPort = formerUrl === undefined ? undefined : Number(new URL(formerUrl).port)
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    const port = formerPort ?? (await findPort())
    await writeSettings(database.directory, settingsText(settings, port))
    try {
      await startServer(database, startTimeoutMs)
      return port
    } catch (error) {
      if (formerPort !== undefined || attempt === PORTS_MAX) throw error
    }
  }
}

/** Logs in. If the role or its password is not as expected, the superuser sets them. @throws StartupError */
async function prepare(database: Database, port: number): Promise<void> {
  if ((await login(database, port)) === 'ready') return
  const { superuserPassword, password } = database
  await setUpDatabase(`postgres://postgres:${superuserPassword}@127.0.0.1:${port}/postgres`, password)
  const answer = await login(database, port)
  if (answer === 'ready') return
  throw new StartupError(
    `PostgreSQL rejects the login of the role patchbay: ${answer instanceof Error ? answer.message : answer}.`,
    `Check that ${join(database.directory, 'pg_hba.conf')} allows the role patchbay with scram-sha-256.`,
  )
}

const login = ({ password }: Database, port: number): Promise<Readiness> =>
  checkReadiness(urlOf(password, port), ANSWER_MS)
