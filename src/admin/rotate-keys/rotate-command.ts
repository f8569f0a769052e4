import { loadConfig } from '../../platform/config.ts'
import { loadOrCreateKeyFile } from '../../platform/crypto/index.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import { connect } from '../../platform/db/pool.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { ourMigrations } from '../../server/database.ts'
import { reachDatabase } from '../../server/reach-database.ts'
import { rotate, type Rotation } from './rotate.ts'

const OPTIONS = ['--json', '--retire']
/** A count over a table of logs may take its time. */
const STATEMENT_MS = 600_000
const PORTION = 200
const PROGRESS_EVERY_MS = 1_000

export interface RotateCommand {
  args: readonly string[]
  out: Pick<NodeJS.WriteStream, 'write'>
  err: Pick<NodeJS.WriteStream, 'write'>
}

/** `patchbay keys rotate-encryption`. Answers the exit code: 0 when everything is sealed with the first key. @throws StartupError */
export async function rotateEncryption({ args, out, err }: RotateCommand): Promise<number> {
  const isJson = args.includes('--json')
  const retire = args.includes('--retire')
  const portion = readPortion(args)
  const config = loadConfig()
  const tell = (text: string) => {
    ;(isJson ? err : out).write(`  … ${text}\n`)
  }
  const reached = await reachDatabase(config, 'patchbay keys rotate-encryption')
  const db = connect(reached.url, {
    max: 2,
    statementTimeoutMs: STATEMENT_MS,
    applicationName: 'patchbay-rotate',
  })
  try {
    if ((await pendingMigrations(reached.url, await ourMigrations())).length)
      throw new StartupError(
        'The database is not up to date with this release.',
        'Start the server of this release, or run `patchbay migrate`, first.',
      )
    const ring = config.encryptionKeys ?? (await loadOrCreateKeyFile(config.dataDir))
    const rotation = await rotate({
      db,
      ring,
      keyFileDir: config.encryptionKeys ? undefined : config.dataDir,
      retire,
      portion,
      onStep: tell,
      onProgress: progress(tell),
    })
    const isDone = !rotation.left && !rotation.unreadable.length
    out.write(
      isJson
        ? `${JSON.stringify({ ok: isDone, ...rotation })}\n`
        : `\n${summary(rotation, config.encryptionKeys !== undefined, retire)}\n\n`,
    )
    return isDone ? 0 : 1
  } finally {
    await db.close()
    await reached.release()
  }
}

function readPortion(args: readonly string[]): number {
  const given = args.filter((arg) => !OPTIONS.includes(arg))
  const portion = /^--portion=([1-9]\d{0,4})$/.exec(given[0] ?? '--portion=200')
  if (given.length > 1 || !portion)
    throw new StartupError(
      `keys rotate-encryption does not take ${given.join(' ')}.`,
      'Use --retire, --json, or --portion=<1 to 99999>.',
      { exitCode: 2 },
    )
  return given.length ? Number(portion[1]) : PORTION
}

/** A line when a column begins, when it ends, and once a second between. */
function progress(tell: (text: string) => void) {
  let toldAt = 0
  let told = ''
  return (column: string, done: number, all: number) => {
    const text = `${column.padEnd(32)} ${done} of ${all}`
    if (text === told || (done > 0 && done < all && performance.now() - toldAt < PROGRESS_EVERY_MS)) return
    toldAt = performance.now()
    told = text
    tell(text)
  }
}

function summary(
  { key, resealed, left, unreadable, old, retired }: Rotation,
  isGiven: boolean,
  retire: boolean,
): string {
  const lines = [`${resealed} value${resealed === 1 ? '' : 's'} sealed anew with the key ${key}.`]
  if (left) lines.push(`${left} are in use by somebody and left as they were. → Run this again.`)
  if (unreadable.length)
    lines.push(
      `${unreadable.length} cannot be opened by any key of the ring. → Give the keys they were sealed with, and run this again:`,
      ...unreadable.slice(0, 10).map((one) => `  ${one}`),
    )
  if (retired.length)
    lines.push(`Removed from the key file: ${retired.join(', ')}. Backups from before need them.`)
  else if (!left && !unreadable.length && old.length) {
    const which = `Nothing is sealed with ${old.join(', ')} any more.`
    lines.push(
      isGiven
        ? `${which} → Take ${old.length > 1 ? 'them' : 'it'} out of ENCRYPTION_KEYS, half a minute or more after the last server started with ${key} in front.`
        : `${which} → Run this with --retire to remove ${old.length > 1 ? 'them' : 'it'}.`,
    )
  } else if (retire && !old.length) lines.push('There is no other key to remove.')
  return lines.map((line) => `  ${line}`).join('\n')
}
