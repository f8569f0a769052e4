import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createApp } from '../src/app/create-app.ts'
import { migrateAll } from '../src/server/schema.ts'
import { fileSettings } from '../src/server/file-store.ts'
import { catalogFromSources } from '../src/catalog/index.ts'
import { readToolkits } from '../src/catalog/manifest/load/read.ts'
import { createFirstProject, type FirstKeys } from '../src/features/projects/index.ts'
import { systemClock } from '../src/platform/clock.ts'
import { parseKeyRing, createEncryptor } from '../src/platform/crypto/index.ts'
import { startEmbedded } from '../src/platform/db/embedded/index.ts'
import { createEgress, parseAllowRules } from '../src/platform/egress/index.ts'
import { createLog } from '../src/platform/log.ts'
import { findFreePort } from '../src/platform/free-port.ts'
import type { Cleanup } from './cleanup.ts'

/** PostgreSQL in a directory that goes away with the tour; nothing in it has to survive a power cut. */
export async function startDatabase(cleanup: Cleanup) {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-demo-'))
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }))
  const { url } = await cleanup.own(
    startEmbedded({ dataDir, settings: { fsync: 'off', synchronous_commit: 'off' } }),
  )
  return {
    url,
    /** A further, empty database on the same server. */
    async another(name: string): Promise<string> {
      const admin = new pg.Client({ connectionString: url })
      await admin.connect()
      try {
        await admin.query(`create database ${name}`)
      } finally {
        await admin.end()
      }
      const address = new URL(url)
      address.pathname = `/${name}`
      return address.href
    },
  }
}

/** Files in a directory that goes away with the tour. */
async function temporaryFiles(publicUrl: string, cleanup: Cleanup) {
  const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-demo-files-'))
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }))
  const cacheDir = join(dataDir, 'cache')
  return {
    cacheDir,
    files: await fileSettings({
      dataDir,
      publicUrl,
      filesPublicUrl: undefined,
      fileMegabytesMax: 10,
      filesMegabytesPerProject: 100,
      fileRetentionHours: 1,
    }),
  }
}

/** Patchbay as `npm start` composes it, with one more toolkit: the one below demo/toolkit. */
export async function startPatchbay(databaseUrl: string, cleanup: Cleanup) {
  const log = createLog('silent')
  const [catalog, port] = await Promise.all([readCatalog(), findFreePort(), migrateAll(databaseUrl, log)])
  const seal = createEncryptor(parseKeyRing(`demo:${randomBytes(32).toString('base64')}`))
  const url = `http://127.0.0.1:${port}`
  const app = await createApp({
    databaseUrl,
    databasePoolMax: 8,
    publicUrl: url,
    wireBrand: 'service',
    rateLimitPerMinute: 10_000,
    catalog,
    encryptor: seal,
    // Other software on this machine is what the tour connects to; on a server loopback addresses stay shut.
    egress: createEgress({ allow: parseAllowRules('127.0.0.0/8') }),
    ...(await temporaryFiles(url, cleanup)),
    clock: systemClock,
    log,
    version: 'demo',
  })
  cleanup.add(async () => {
    const closed = app.close()
    // The only caller is the tour, and it is over.
    app.http.server.closeAllConnections()
    await closed
  })
  const { projectApiKey } = (await createFirstProject(app.db, seal, {})) as FirstKeys
  await app.http.listen({ host: '127.0.0.1', port })
  return {
    url,
    apiKey: projectApiKey,
    toolkits: catalog.toolkits.length,
    tools: catalog.tools.length,
    db: app.db,
  }
}

async function readCatalog() {
  const folders = ['../toolkits', './toolkit'].map((folder) =>
    fileURLToPath(new URL(folder, import.meta.url)),
  )
  const diagnostics: Parameters<typeof readToolkits>[1] = []
  const sources = (await Promise.all(folders.map((folder) => readToolkits(folder, diagnostics)))).flat()
  if (diagnostics.length) throw new Error(`The toolkits cannot be read: ${JSON.stringify(diagnostics)}`)
  return catalogFromSources(sources)
}
