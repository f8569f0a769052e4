import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, createApp } from '../app/create-app.ts'
import { type Catalog, openCatalogInSteps, stopIndexThreads } from '../catalog/index.ts'
import { createManagedAuth } from '../features/auth-configs/index.ts'
import { assertKeyRingMatches } from '../features/projects/index.ts'
import { systemClock } from '../platform/clock.ts'
import { describeSettings } from '../platform/config/describe-settings.ts'
import type { Config } from '../platform/config.ts'
import { type KeyRing, createEncryptor } from '../platform/crypto/index.ts'
import { createEgress, type Egress, loadUndici } from '../platform/egress/index.ts'
import { hasRows } from '../platform/db/check.ts'
import { preparePartitionsAt } from '../platform/db/partitions/index.ts'
import { openTenantRole } from '../platform/db/tenant-role.ts'
import { startJobs } from '../platform/jobs/index.ts'
import type { Logger } from '../platform/log.ts'
import { loadCompilers } from '../platform/ajv.ts'
import { runInSlices } from '../platform/http/turns/run-in-slices.ts'
import { StartupError } from '../platform/startup-error.ts'
import { lowerCollectorPriority } from '../platform/thread-priority.ts'
import { createConsoleAssets } from './console/assets.ts'
import { consoleOidc } from './console/oidc-settings.ts'
import type { Database } from './database.ts'
import { printBanner } from './startup-banner.ts'
import { fileSettings } from './file-store.ts'
import { loadConfiguredKeys } from './key-ring.ts'
import { createFirstKeys } from './first-keys.ts'
import { watchManagedAuth } from './managed-auth-file-watcher.ts'
import { createEmbeddingModel, createLanguageModel } from './language-model.ts'
import { listen, listenForMonitoring } from './listen.ts'
import type { ReservedPort } from './port.ts'
import { mailSettings } from './mail.ts'
import { migrationsText } from './migrate-command.ts'
import type { Progress } from './progress.ts'
import { simulatorRules, toSimulator } from './simulator-client.ts'
import { trackWaitingConnections } from './retire.ts'
import { migrateAll } from './schema.ts'
import type { ServerParts } from './stop.ts'
import { openToolkitsFolder } from './toolkits-folder.ts'
import { createOfflineClient, openRecording } from './recording-settings.ts'
import { simulateApplications } from './simulated-applications.ts'
import { programVersion, ROOT } from './version.ts'
import { workbenchOptions } from './workbench.ts'
import { processRole } from './worker-process.ts'
import { releaseYoungGeneration } from './young-generation.ts'

/** What the application needs of the parts that start before it. */
export interface ApplicationStart {
  readonly config: Config
  /** Receives the parts that this start creates. */
  readonly parts: ServerParts
  readonly database: Database
  readonly log: Logger
  readonly port: ReservedPort | undefined
  readonly progress: Progress
  readonly signal: AbortSignal
  /** Returns the time since the start. */
  readonly time: () => string
}

/**
 * Updates the schema of a database that responds, and starts the application on it. Returns its URL; undefined for a
 * role without one.
 */
export async function startApplication({
  config,
  parts,
  database,
  log,
  port,
  progress,
  signal,
  time,
}: ApplicationStart): Promise<string | undefined> {
  const { dataDir, role } = config
  parts.stopIndexThreads = stopIndexThreads
  const catalog = readCatalog()
  const applied = await migrateAll(database.directUrl, log)
  await preparePartitionsAt(database.directUrl, config, log)
  progress.done('schema', migrationsText(applied))
  const tenantRole = await openTenantRole(database.directUrl, config.rowLevelSecurity)
  if (tenantRole.role === undefined) progress.line(`row-level security is off: ${tenantRole.reason}`)
  const seal = createEncryptor(await ownKeyRing(config, database.directUrl))
  const consoleAssets = openConsole(config, log)
  const inputs = {
    databaseUrl: database.url,
    tenantRole: tenantRole.role,
    encryptor: seal,
    catalog,
    log,
    console: consoleAssets,
  }
  const app = (parts.app = await createServerApp(config, parts, inputs, progress, signal))
  // A worker creates no keys: they would be written to a machine where nobody looks for them.
  const keys = role === 'work' ? {} : await createFirstKeys(app, seal, config, dataDir)
  // Last: of servers that start together on an empty database with different keys, all but the first stop
  // here.
  await assertKeyRingMatches(app.db, seal)
  signal.throwIfAborted()
  // Only a worker is replaced while its clients send requests.
  if (processRole().isWorker) parts.waiting = trackWaitingConnections(app.http.server)
  const url = port && (await listen(app, config, port))
  const monitoringUrl = await listenForMonitoring(app, config)
  if (monitoringUrl) progress.line(`health and metrics on ${monitoringUrl}`)
  if (role !== 'serve') {
    parts.jobs = startJobs(database.directUrl, app, log, { tracing: parts.telemetry?.tracing })
    app.startDeliveries()
    app.startPolling()
  }
  releaseYoungGeneration()
  lowerCollectorPriority()
  progress.done('ready', `${url ? `listening on ${url}` : 'working on jobs'} ${time()}`)
  if (url) {
    parts.lock.update({ pid: process.pid, url: config.publicUrl })
    await printBanner(progress, app, config, keys)
    // After the banner: the first two read hundreds of files, and the first requests would load the libraries.
    consoleAssets?.prepare()
    app.prepareSandboxes()
    setImmediate(loadCompilers)
    setImmediate(loadUndici)
  }
  return url
}

interface AppInputs {
  readonly databaseUrl: string
  readonly tenantRole: string | undefined
  readonly encryptor: ReturnType<typeof createEncryptor>
  readonly catalog: Promise<Catalog>
  readonly log: Logger
  readonly console: ReturnType<typeof openConsole>
}

/**
 * Reads the built-in toolkits while the start waits for the database. Each slice is short, because a longer one could
 * exceed the timeout of a connection.
 */
function readCatalog(): Promise<Catalog> {
  const catalog = runInSlices(openCatalogInSteps({ folder: fileURLToPath(new URL('toolkits', ROOT)) }))
  // It is reported when the catalogue is used, unless the start fails before.
  catalog.catch(() => {})
  return catalog
}

/** Creates the application on a migrated database. */
async function createServerApp(
  config: Config,
  parts: ServerParts,
  { databaseUrl, tenantRole, encryptor, log, console, ...inputs }: AppInputs,
  progress: Progress,
  signal: AbortSignal,
): Promise<App> {
  const catalog = await inputs.catalog
  progress.done('catalogue', `${catalog.toolkits.length} toolkits, ${catalog.toolCount} tools`)
  const toolkitsFolder = await openToolkitsFolder(config, parts, catalog, log, progress)
  const recording = openRecording(config, log)
  if (recording) progress.line(recording.about)
  if (config.simulatorUrl !== undefined)
    progress.line(`every request to an application goes to the simulator at ${config.simulatorUrl}`)
  const toolkit = (slug: string) => (toolkitsFolder?.catalog() ?? catalog).toolkit(slug)
  const managed = createManagedAuth({ toolkit }, [config.managedAuthFile, config.managedAuth])
  const { file } = config.managedAuthFile ?? {}
  if (file !== undefined) parts.managedAuthWatch = watchManagedAuth({ file, managed, log })
  signal.throwIfAborted()
  return createApp({
    ...config,
    databaseUrl,
    tenantRole,
    files: await fileSettings(config),
    model: await createLanguageModel(config),
    embeddings: await createEmbeddingModel(config),
    catalog,
    toolkitsFolder,
    cacheDir: join(config.dataDir, 'cache'),
    sharedCacheDir: config.sharedCacheDir,
    workbench: workbenchOptions(config, config.sharedCacheDir),
    searches: config.role !== 'work',
    monitors: config.monitoringPort !== undefined,
    managed,
    encryptor,
    egress: createOutboundClient(config),
    simulateApplications,
    recordings: recording?.recordings,
    console,
    oidc: consoleOidc(config),
    clock: systemClock,
    log,
    telemetry: parts.telemetry,
    mail: mailSettings(config),
    version: programVersion(),
    settings: describeSettings(),
  })
}

/** Returns the files of the console, unless it is off or the process serves no HTTP. */
function openConsole({ sharedCacheDir, role, console: state, consoleDev }: Config, log: Logger) {
  if (state === 'off' || role === 'work') return undefined
  return createConsoleAssets({
    folder: join(sharedCacheDir, 'console'),
    isDevelopment: consoleDev === '1',
    log,
  })
}

/**
 * Creates the key file on a new database only. A new key cannot decrypt existing values, and would hide that
 * the right key is missing.
 */
async function ownKeyRing(config: Config, databaseUrl: string): Promise<KeyRing> {
  const keyFile = join(config.dataDir, 'encryption.keys')
  const isMissing = !config.encryptionKeys && !existsSync(keyFile)
  if (isMissing && (await hasRows(databaseUrl, 'api_keys'))) {
    throw new StartupError(
      `${keyFile} is missing, and the database is encrypted with its keys.`,
      'Restore the file from a backup, or set its keys in ENCRYPTION_KEYS.',
    )
  }
  return loadConfiguredKeys(config)
}

/** Creates the HTTP client for applications, or for the simulator that the administrator has set. */
function createOutboundClient({
  egressAllow,
  simulatorUrl,
  replayFile,
  responseMegabytesMax,
}: Config): Egress {
  const responseBytesMax = responseMegabytesMax * 1_000_000
  if (replayFile !== undefined) return createOfflineClient()
  if (simulatorUrl === undefined) return createEgress({ allow: egressAllow, responseBytesMax })
  return toSimulator(
    createEgress({ allow: [...egressAllow, ...simulatorRules(simulatorUrl)], responseBytesMax }),
    simulatorUrl,
    egressAllow,
  )
}
