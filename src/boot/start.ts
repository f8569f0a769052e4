import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createApp } from '../app.ts'
import { loadCatalog } from '../catalog/index.ts'
import { bootstrap, checkKeyRing, type FirstKeys } from '../features/projects/index.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { loadOrCreateKeyFile, sealer } from '../platform/crypto/index.ts'
import { createEgress } from '../platform/egress/index.ts'
import { openDataDir } from '../platform/instance-lock.ts'
import { startJobs } from '../platform/jobs/index.ts'
import { createLog } from '../platform/log.ts'
import { StartupError } from '../platform/startup-error.ts'
import { type Database, migrateAll, openDatabase } from './database.ts'
import { keysFilePath, refreshKeysFile, writeKeysFile } from './keys-file.ts'
import type { Progress } from './progress.ts'
import { programVersion, ROOT } from './version.ts'

export interface Running {
  /** Where it listens; undefined for ROLE=work. */
  url: string | undefined
  /** Ends calls under way, within a bound, and leaves nothing behind. */
  stop(): Promise<void>
}

const DRAIN_MS = 8_000

/** Starts everything that the role needs, in order; on a failure what was started is stopped again. */
export async function start(settings: Config, progress: Progress): Promise<Running> {
  const config = await withPort(settings)
  const startedAt = performance.now()
  const version = programVersion()
  progress.title(`Patchbay ${version}`)
  const log = createLog(config.logLevel)
  const dataDir = await openDataDir(config.dataDir)
  const ring = config.encryptionKeys ?? await loadOrCreateKeyFile(dataDir)
  const catalog = loadCatalog({ folder: fileURLToPath(new URL('toolkits', ROOT)) })
  catalog.catch(() => {}) // read meanwhile; awaited below
  const database = await openDatabase({ ...config, dataDir }, log, progress.working)
  progress.done('database', `${database.about} ${took(startedAt)}`)
  try {
    const applied = await migrateAll(database.url, log)
    progress.done('schema', applied.length ? `${applied.length} migration${applied.length > 1 ? 's' : ''} applied` : 'up to date')
    const loaded = await catalog
    progress.done('catalogue', `${loaded.toolkits.length} toolkits, ${loaded.tools.length} tools`)
    const seal = sealer(ring)
    const app = await createApp({
      ...config, databaseUrl: database.url, catalog: loaded, sealer: seal, egress: createEgress({ allow: config.egressAllow }), clock: systemClock, log, version,
    })
    try {
      await checkKeyRing(app.db, seal)
      const keys = await bootstrap(app.db, seal, { projectApiKey: config.bootstrapProjectApiKey, organizationApiKey: config.bootstrapOrgApiKey })
      const listening = config.role === 'work' ? undefined : await listen(app, config)
      const jobs = config.role === 'serve' ? undefined : startJobs(database.url, app.schedules, log)
      const url = listening && config.publicUrl
      if (url) database.announce(url)
      await tell({ config, dataDir, progress, url, listening, keys, startedAt })
      return { url: listening, stop: () => stop(app, jobs, database) }
    } catch (error) {
      await app.close()
      throw error
    }
  } catch (error) {
    await database.stop()
    throw error
  }
}

async function listen({ http }: Awaited<ReturnType<typeof createApp>>, { host, port }: Config): Promise<string> {
  try {
    await http.listen({ host, port })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE') throw new StartupError(`Port ${port} on ${host} is taken by another program.`, 'Stop that program, or choose another port with PORT.', { cause: error })
    if (code === 'EACCES') throw new StartupError(`This user may not listen on port ${port}.`, 'Choose a port above 1023 with PORT.', { cause: error })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new StartupError(`This machine has no address ${host}.`, 'Set HOST to 127.0.0.1, 0.0.0.0 or an address of this machine.', { cause: error })
    throw error
  }
  const { address, port: bound, family } = http.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
}

/** PORT=0 takes a free port now: addresses that begin with PUBLIC_URL have to know it before anybody listens. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const probe = createServer().listen(0, config.host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return { ...config, port, publicUrl: config.publicUrl === 'http://localhost:0' ? `http://localhost:${port}` : config.publicUrl }
}

async function tell({ config, dataDir, progress, url, listening, keys, startedAt }: {
  config: Config, dataDir: string, progress: Progress, url: string | undefined, listening: string | undefined, keys: FirstKeys | undefined, startedAt: number
}): Promise<void> {
  progress.done('ready', `${listening ? `listening on ${listening}` : 'working on jobs'} ${took(startedAt)}`)
  if (!url) return
  const generated = keys && !(config.bootstrapProjectApiKey && config.bootstrapOrgApiKey)
  if (generated) await writeKeysFile(dataDir, url, keys)
  const hasFile = await refreshKeysFile(dataDir, url)
  progress.line()
  progress.line(`API reference     ${url}/reference`)
  progress.line(`Keys              ${hasFile ? `${keysFilePath(dataDir)} (only you can read it)` : 'as given by BOOTSTRAP_PROJECT_API_KEY and BOOTSTRAP_ORG_API_KEY'}`)
  if (generated) {
    progress.line(`Project key       ${config.bootstrapProjectApiKey ? 'as given' : `${keys.projectApiKey}   (shown this once)`}`)
    progress.line(`Organization key  ${config.bootstrapOrgApiKey ? 'as given' : `${keys.organizationApiKey}   (shown this once)`}`)
  }
  progress.line()
  progress.line('Execute a first tool:')
  const key = generated && !config.bootstrapProjectApiKey ? keys.projectApiKey : hasFile ? `$(sed -n 's/.*"project_api_key": "\\(.*\\)".*/\\1/p' '${keysFilePath(dataDir)}')` : '$BOOTSTRAP_PROJECT_API_KEY'
  progress.line(`curl -s ${url}/api/v3.1/tools/execute/UTILITIES_GET_CURRENT_TIME -H "x-api-key: ${key}" -H 'content-type: application/json' -d '{"arguments":{"timezone":"Europe/Paris"}}'`)
  progress.line()
}

async function stop(app: Awaited<ReturnType<typeof createApp>>, jobs: { close(): Promise<void> } | undefined, database: Database): Promise<void> {
  app.beginStopping()
  // Calls that do not end within the bound are cut: a stop must not hang on them.
  const cut = setTimeout(() => app.http.server.closeAllConnections(), DRAIN_MS)
  await jobs?.close()
  await app.close()
  clearTimeout(cut)
  await database.stop()
}

const took = (startedAt: number) => `(${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`
