// Writes migrations/schema.sql, the schema after all migrations. With --check it fails if the file is out of date.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../src/platform/db/embedded/index.ts'
import { migrate, readMigrations } from '../src/platform/db/migrate.ts'
import { writeGenerated } from './generated.ts'
import { schemaText } from './schema-text.ts'

const directory = await mkdtemp(join(tmpdir(), 'patchbay-schema-'))
const server = await startEmbedded({ dataDir: directory, settings: { fsync: 'off' } })
try {
  await migrate(server.url, await readMigrations(join(import.meta.dirname, '..', 'migrations')))
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    writeGenerated(
      'migrations/schema.sql',
      await schemaText(client),
      'scripts/dump-schema.ts',
      process.argv.slice(2),
    )
  } finally {
    await client.end()
  }
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}
