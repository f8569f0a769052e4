import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDataDir } from '../../instance-lock.ts'
import { StartupError } from '../../startup-error.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { createCluster, changeOwner, hasCluster, prepareRoles } from './cluster.ts'
import { killNow } from './processes.ts'
import { readPassword } from './password.ts'
import { runningUrlOfPgCtl, startWithPgCtl } from './pg-ctl/index.ts'
import { chooseRunner, tryRunner } from './run-program.ts'
import { adopt, start, stop, type Server } from './server.ts'
import { serverArguments } from './settings.ts'
import { makeSocketDirectory, socketDirectory } from './socket.ts'
import { chooseUser } from './user.ts'

export interface EmbeddedDatabase {
  /** For `pg` and libpq. Contains the password: never log it. */
  url: string
  /** Whether the server was already running: an earlier process ended without stopping it. */
  adopted: boolean
  /**
   * Stops the server and its processes, in at most 19 s, or `withinMs` if that is less (but at least 1 s).
   * May be called again.
   */
  stop(withinMs?: number): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** Receives a sentence for the administrator when a step takes long. */
  onProgress?(text: string): void
  /**
   * Called when a program of PostgreSQL runs and this process waits for it, perhaps several times. Work that blocks the
   * event loop costs no time then: no connection is open whose timeout it could exceed.
   */
  onWaiting?: (() => void) | undefined
  /** Time limit until the server runs queries, including crash recovery. Default 60,000 ms. */
  startTimeoutMs?: number
  /** The URL that the server had. Pools keep it, so a restart uses no other. */
  formerUrl?: string
  /** PostgreSQL settings by name. They override the defaults. */
  settings?: Record<string, string>
  /**
   * Stops the creation of a cluster, which takes the longest. A server that is starting continues to start.
   */
  signal?: AbortSignal | undefined
}

/** Windows has no Unix sockets in Node.js, and ends a process without a signal that PostgreSQL could handle. */
const usesPgCtl = process.platform === 'win32'

/**
 * Runs the PostgreSQL that npm installs on `<dataDir>/postgres`, with the database `patchbay`. It creates the
 * database at the first start, adopts a server that survived a killed process, and replaces one that is not
 * healthy. The caller holds the lock of the data directory (`lockDataDir`), so no other process does the
 * same.
 * @throws StartupError that says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const killCreation = () => {
    creation = setInterval(() => killNow(`${join(options.dataDir, 'postgres')}.creating`), 50)
  }
  let creation: NodeJS.Timeout | undefined
  try {
    options.signal?.throwIfAborted()
    const binaries = await findBinaries()
    if (usesPgCtl) return await startWithPgCtl({ ...options, binaries })
    options.signal?.addEventListener('abort', killCreation)
    return await prepareAndStart(options, binaries)
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (!code || !syscall) throw error
    throw new StartupError(
      `The built-in PostgreSQL cannot use ${options.dataDir}: ${message}`,
      'Make DATA_DIR writable for this user, check its free space, or use another DATA_DIR.',
      { cause: error },
    )
  } finally {
    options.signal?.removeEventListener('abort', killCreation)
    clearInterval(creation)
  }
}

async function prepareAndStart(
  { dataDir, onProgress = () => {}, onWaiting, startTimeoutMs = 60_000, settings = {} }: EmbeddedOptions,
  binaries: Binaries,
): Promise<EmbeddedDatabase> {
  const root = await openDataDir(dataDir)
  const directory = join(root, 'postgres')
  const user = await chooseUser(directory)
  const password = await readPassword(root)
  const server = describe(root, directory, binaries.postgres, password, settings)
  const database = (adopted: boolean): EmbeddedDatabase => {
    let stopped: Promise<void> | undefined
    return { url: server.url, adopted, stop: (withinMs) => (stopped ??= stop(server, withinMs)) }
  }
  const makeSockets = (): Promise<void> => makeSocketDirectory(server.socketDirectory, directory, user)
  const existing = await hasCluster(directory, binaries.major)
  // Before anything is sent to, or removed from, a socket in this directory.
  if (existing) await makeSockets()
  if (existing && (await adopt(server, startTimeoutMs))) return database(true)

  const runner = await chooseRunner(binaries, root, user)
  if (existing) {
    await stop(server)
    if (user) await changeOwner(user, directory)
    await addTenantRole(root, () => prepareRoles(directory, binaries, runner, password))
  } else {
    await tryRunner(binaries, runner)
    onProgress('Creating the database; this happens once.')
    await createCluster(directory, binaries, runner, password, onWaiting)
    await addTenantRole(root, async () => {})
  }
  const startOnce = async (): Promise<'ready' | 'wrong password'> => {
    await makeSockets()
    try {
      return await start(server, runner, startTimeoutMs, onWaiting)
    } catch (error) {
      await tryRunner(binaries, runner)
      throw error
    }
  }
  if ((await startOnce()) === 'ready') return database(false)

  onProgress('The password file was replaced or damaged; setting a new password.')
  await stop(server)
  await prepareRoles(directory, binaries, runner, password)
  if ((await startOnce()) === 'ready') return database(false)
  await stop(server)
  throw new StartupError(
    `PostgreSQL rejects the password in ${join(root, 'postgres.password')}.`,
    `Check that ${join(directory, 'pg_hba.conf')} allows the role patchbay with scram-sha-256.`,
  )
}

/**
 * Adds the role of row-level security to a cluster of an earlier release, once. Without the role, the server starts
 * and reports that row-level security is off.
 */
async function addTenantRole(root: string, prepare: () => Promise<void>): Promise<void> {
  const marker = join(root, 'postgres.tenant-role')
  const exists = await access(marker).then(
    () => true,
    () => false,
  )
  if (exists) return
  await prepare().then(
    () => writeFile(marker, '', { mode: 0o600 }),
    () => {},
  )
}

/** Returns the URL of a database that another process runs. Contains the password: never log it. */
export async function runningUrl(dataDir: string): Promise<string> {
  if (usesPgCtl) return runningUrlOfPgCtl(dataDir)
  const root = await openDataDir(dataDir)
  return describe(root, join(root, 'postgres'), '', await readPassword(root), {}).url
}

function describe(
  root: string,
  directory: string,
  program: string,
  password: string,
  settings: Record<string, string>,
): Server {
  const sockets = socketDirectory(directory)
  return {
    directory,
    socketDirectory: sockets,
    logFile: join(root, 'postgres.log'),
    // The host is a parameter, so that URL parsers without support for sockets can read the URL.
    url: `postgres://patchbay:${password}@localhost/patchbay?host=${encodeURIComponent(sockets)}`,
    program,
    args: serverArguments(directory, sockets, settings),
  }
}
