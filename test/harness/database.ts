import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrateAll } from '../../src/boot/database.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { createLog } from '../../src/platform/log.ts'

// Tests lose nothing of worth in a power cut, and a clone is made of files that need not reach the disk.
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  autovacuum: 'off',
}

export const TEMPLATE = 'patchbay_template'

let server: EmbeddedDatabase | undefined
let directory = ''

/** Runs once before all test files: one PostgreSQL, with a migrated database that each test clones. */
export async function globalSetup(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'patchbay-test-'))
  server = await startEmbedded({ dataDir: directory, settings: FAST })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  await migrateAll(databaseAt(server.url, TEMPLATE), createLog('silent'))
  process.env['TEST_DATABASE_URL'] = server.url
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  await rm(directory, { recursive: true, force: true })
}

/** The same server, another database. */
export function databaseAt(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}
