import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, loadConfig } from '../../platform/config.ts'
import { loadOrCreateKeyFile, parseKeyRing } from '../../platform/crypto/index.ts'
import { keyFilePath } from '../../platform/crypto/key-file.ts'
import { checkServer, queryOnce } from '../../platform/db/check.ts'
import { missingMigrations } from '../../platform/db/migrate.ts'
import { preparePartitionsAt } from '../../platform/db/partitions/index.ts'
import { openDataDir } from '../../platform/instance-lock.ts'
import { createLog } from '../../platform/log.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { spoolDirectory } from '../../platform/storage/index.ts'
import { lockServerDataDir, openDatabase } from '../../server/database.ts'
import { migrateAll, ourMigrations } from '../../server/schema.ts'
import { fileSettings } from '../../server/file-store.ts'
import { configuredWrapper } from '../../server/key-ring.ts'
import { type ServerParts, stopAll } from '../../server/stop.ts'
import { type VerifiedBackup, verifyBackup } from './archive-reader.ts'
import { readArguments } from './arguments.ts'
import type { Output } from './backup-command.ts'
import { assertHasKeys, decryptKeys } from './key-envelope.ts'
import { restoreBackup, type RestoreReport } from './restore-backup.ts'

/** Runs `patchbay restore <file>`. Returns the exit code. @throws StartupError */
export async function restoreCommand({ args, out, err }: Output): Promise<number> {
  const { file, passphrase, json, check } = await readArguments('restore', args)
  const onStep = (text: string) => {
    ;(json ? err : out).write(`  … ${text}\n`)
  }
  onStep('reading the backup')
  const backup = await verifyBackup(file)
  const print = (report: object, text: string) => {
    out.write(json ? `${JSON.stringify(report)}\n` : `\n  ${text}\n\n`)
  }
  const { created_at, program_version } = backup.manifest
  if (check) {
    const { rows, files, jobs } = backup.contents
    print(
      { ok: true, created_at, program_version, rows, files, jobs },
      `The backup of ${created_at} (Patchbay ${program_version}) is complete: every checksum matches.`,
    )
    return 0
  }
  const report = await restoreInto(loadConfig(), file, backup, passphrase, onStep)
  print(
    { ok: true, ...report },
    `Restored the backup of ${created_at}: ${report.rows} rows, ${report.files} files. Start the server with ` +
      '`patchbay start`.',
  )
  return 0
}

/**
 * Restores a verified backup with these settings, into a database and a data directory that are empty.
 * @throws StartupError
 */
export async function restoreInto(
  config: Config,
  file: string,
  backup: VerifiedBackup,
  passphrase: string | undefined,
  onStep: (text: string) => void,
): Promise<RestoreReport> {
  const dataDir = await openDataDir(config.dataDir)
  const ownPostgres = config.databaseUrl === undefined ? join(dataDir, 'postgres') : undefined
  await assertNothingToLose(config, dataDir)
  const keys = await keysToUse(config, dataDir, backup, passphrase)
  const parts: ServerParts = { lock: await lockServerDataDir(config, dataDir) }
  const log = createLog(config.logLevel)
  let isDone = false
  try {
    if (keys.lines !== undefined)
      await writeFile(keyFilePath(dataDir), keys.lines, { mode: 0o600, flag: 'wx' })
    const database = (parts.database = await openDatabase({ ...config, dataDir }, log, onStep))
    await migrateAll(database.directUrl, log, undefined, migrationsOf(backup, await ourMigrations()))
    const { store } = await fileSettings({ ...config, dataDir })
    const spool = spoolDirectory(join(dataDir, 'files', 'incoming'))
    const report = await restoreBackup({
      file,
      backup,
      databaseUrl: database.directUrl,
      files: { store, spool },
      onStep,
    })
    await store.close?.()
    // Later releases have further migrations.
    await migrateAll(database.directUrl, log)
    await preparePartitionsAt(database.directUrl, config, log)
    isDone = true
    return report
  } finally {
    await stopAll(parts)
    // This command created them. Without them the restore can be repeated.
    if (!isDone && ownPostgres) await rm(ownPostgres, { recursive: true, force: true })
    if (!isDone && keys.lines !== undefined) await rm(keyFilePath(dataDir), { force: true })
  }
}

/** The migrations of the backup. @throws StartupError if this release does not have one of them */
function migrationsOf({ manifest }: VerifiedBackup, ours: Awaited<ReturnType<typeof ourMigrations>>) {
  const later = new Set(missingMigrations(ours, manifest.migrations))
  return ours.filter((migration) => !later.has(migration))
}

/** @throws StartupError if the target has data of its own */
async function assertNothingToLose({ databaseUrl }: Config, dataDir: string): Promise<void> {
  if (databaseUrl === undefined) {
    if (existsSync(join(dataDir, 'postgres')))
      throw new StartupError(
        `There is a database in ${dataDir} already.`,
        'Set DATA_DIR to an empty directory: a restore never overwrites data.',
      )
  } else {
    await checkServer(databaseUrl)
    const [row] = await queryOnce<{ there: boolean }>(
      databaseUrl,
      "select to_regclass('public.organizations') is not null as there",
    )
    if (row?.there && (await queryOnce(databaseUrl, 'select 1 from organizations limit 1')).length)
      throw new StartupError(
        'The database of DATABASE_URL has data already.',
        'Create an empty database, and name it in DATABASE_URL: a restore never overwrites data.',
      )
  }
  const files = join(dataDir, 'files')
  const found = await readdir(files).catch(() => [])
  if (found.some((name) => name !== 'incoming'))
    throw new StartupError(
      `There are files in ${files} already.`,
      'Set DATA_DIR to an empty directory: a restore never overwrites data.',
    )
  await mkdir(dataDir, { recursive: true })
}

/**
 * Finds the keys of the backup: in ENCRYPTION_KEYS, in the key file that is there, or in the backup itself.
 * `lines`: the key file to write. @throws StartupError
 */
async function keysToUse(
  config: Config,
  dataDir: string,
  { manifest, keys }: VerifiedBackup,
  passphrase: string | undefined,
): Promise<{ lines?: string }> {
  const { encryptionKeys } = config
  if (encryptionKeys) {
    assertHasKeys(encryptionKeys, manifest.keys, 'ENCRYPTION_KEYS')
    return {}
  }
  if (existsSync(keyFilePath(dataDir))) {
    const ring = await loadOrCreateKeyFile(dataDir, await configuredWrapper(config))
    assertHasKeys(ring, manifest.keys, keyFilePath(dataDir))
    return {}
  }
  if (keys && passphrase !== undefined) {
    const lines = await decryptKeys(keys, passphrase)
    assertHasKeys(parseKeyRing(lines), manifest.keys, 'The backup')
    return { lines }
  }
  throw new StartupError(
    `The encryption keys of this backup are missing: ${manifest.keys.map(({ id }) => id).join(', ')}.`,
    keys
      ? 'The backup contains them: name the file with its passphrase with --passphrase-file.'
      : `Put the key file of that server at ${keyFilePath(dataDir)}, or set ENCRYPTION_KEYS.`,
  )
}
