import { openCopySession, type CopySession } from '../../platform/db/copy-session.ts'
import type { KeyRing } from '../../platform/crypto/index.ts'
import { encryptedSize, type FileStore } from '../../platform/storage/index.ts'
import { type ArchiveWriter, writeArchive } from './archive-writer.ts'
import {
  addJobs,
  addTables,
  listTables,
  listTimePartitions,
  readSequences,
  startSnapshot,
} from './database-copy.ts'
import { describeKeys, encryptKeys } from './key-envelope.ts'
import { type Contents, ENTRIES, FORMAT, type Manifest } from './manifest.ts'

export interface BackupOptions {
  databaseUrl: string
  /** The archive to write. */
  file: string
  /** The keys that encrypt stored values. They are included, encrypted, if there is a passphrase. */
  ring: KeyRing
  passphrase: string | undefined
  /** Undefined: the backup has no files. */
  store: FileStore | undefined
  programVersion: string
  onStep(text: string): void
}

export interface BackupReport {
  file: string
  bytes: number
  tables: number
  rows: number
  files: number
  files_missing: number
  jobs: number
  has_keys: boolean
}

/**
 * Writes a backup of one moment while servers run: one transaction reads all tables. A failed backup leaves
 * no file. @throws StartupError, or the error of the database or of the file store
 */
export async function createBackup(options: BackupOptions): Promise<BackupReport> {
  const session = await openCopySession(options.databaseUrl, 'patchbay-backup')
  try {
    await startSnapshot(session)
    const archive = await writeArchive(options.file)
    try {
      return await fillArchive(session, archive, options)
    } catch (error) {
      await archive.discard()
      throw error
    }
  } finally {
    await session.close()
  }
}

async function fillArchive(
  session: CopySession,
  archive: ArchiveWriter,
  { file, ring, passphrase, store, programVersion, onStep }: BackupOptions,
): Promise<BackupReport> {
  const manifest: Manifest = {
    format: FORMAT,
    created_at: new Date().toISOString(),
    program_version: programVersion,
    migrations: await session.rows('select name, checksum from migrations order by name'),
    keys: describeKeys(ring),
    has_keys: passphrase !== undefined,
    has_files: store !== undefined,
    tables: await listTables(session),
    partitions: await listTimePartitions(session),
  }
  await archive.add(ENTRIES.manifest, Buffer.from(JSON.stringify(manifest)))
  if (passphrase !== undefined) await archive.add(ENTRIES.keys, await encryptKeys(ring, passphrase))
  const files = store ? await addFiles(session, archive, store, onStep) : { files: 0, files_missing: 0 }
  const rows = await addTables(session, archive, manifest.tables, onStep)
  const jobs = await addJobs(session, archive)
  const sequences = await readSequences(session)
  const contents = { rows, jobs, sequences, ...files }
  return {
    file,
    bytes: await archive.finish(contents),
    tables: manifest.tables.length,
    rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
    jobs,
    ...files,
    has_keys: manifest.has_keys,
  }
}

/** Adds the files that the snapshot has, encrypted as they are. Retention may remove a file before it is read. */
async function addFiles(
  session: CopySession,
  archive: ArchiveWriter,
  store: FileStore,
  onStep: (text: string) => void,
): Promise<Pick<Contents, 'files' | 'files_missing'>> {
  const count = { files: 0, files_missing: 0 }
  onStep('files')
  const rows = await session.rows<{ key: string; size: string; is_encrypted: boolean }>(
    `select distinct object_key as key, size::text as size, encrypted_key is not null as is_encrypted from files
    where uploaded_at is not null and size is not null order by object_key`,
  )
  for (const { key, size, is_encrypted: isEncrypted } of rows) {
    const storedSize = isEncrypted ? encryptedSize(Number(size)) : Number(size)
    const bytes = await store.read(key, storedSize)
    if (bytes) await archive.addStream(ENTRIES.file(key), bytes, storedSize)
    count[bytes ? 'files' : 'files_missing']++
  }
  return count
}
