import { assertKeyRingMatches } from '../../features/projects/index.ts'
import { createEncryptor } from '../../platform/crypto/index.ts'
import { fileSettings } from '../../server/file-store.ts'
import { loadConfiguredKeys } from '../../server/key-ring.ts'
import { programVersion } from '../../server/version.ts'
import { withDatabase } from '../with-database.ts'
import { readArguments } from './arguments.ts'
import { type BackupReport, createBackup } from './create-backup.ts'

export interface Output {
  args: readonly string[]
  out: Pick<NodeJS.WriteStream, 'write'>
  err: Pick<NodeJS.WriteStream, 'write'>
}

/** Runs `patchbay backup <file>`. Returns the exit code. @throws StartupError */
export async function backupCommand({ args, out, err }: Output): Promise<number> {
  const { file, passphrase, json, 'without-files': withoutFiles } = await readArguments('backup', args)
  const fix = 'Use the release that made it, or run `patchbay migrate` first.'
  return withDatabase('backup', { fix }, async ({ config, db, url }) => {
    const ring = await loadConfiguredKeys(config)
    await assertKeyRingMatches(db, createEncryptor(ring))
    const { store } = await fileSettings(config)
    const report = await createBackup({
      databaseUrl: url,
      file,
      ring,
      passphrase,
      store: withoutFiles ? undefined : store,
      programVersion: programVersion(),
      onStep: (text) => {
        ;(json ? err : out).write(`  … ${text}\n`)
      },
    })
    await store.close?.()
    out.write(json ? `${JSON.stringify(report)}\n` : `\n${summary(report, withoutFiles === true)}\n\n`)
    return 0
  })
}

function summary(
  { file, bytes, rows, tables, files, files_missing, has_keys }: BackupReport,
  omitted: boolean,
) {
  const lines = [
    `${file}: ${rows} rows of ${tables} tables, ${files} files, ${(bytes / 2 ** 20).toFixed(1)} MB`,
    ...(files_missing ? [`${files_missing} files expired while the backup was made.`] : []),
    ...(omitted ? ['The files are not included; back up their store too.'] : []),
    has_keys
      ? 'It contains the encryption keys. Store the passphrase somewhere else.'
      : 'It does not contain the encryption keys. Without them it cannot be restored: back them up separately.',
  ]
  return lines.map((line) => `  ${line}`).join('\n')
}
