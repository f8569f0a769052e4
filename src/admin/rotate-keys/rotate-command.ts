import { StartupError } from '../../platform/startup-error.ts'
import { configuredWrapper, loadConfiguredKeys } from '../../server/key-ring.ts'
import { withDatabase } from '../with-database.ts'
import { rotate, type Rotation } from './rotate.ts'

const OPTIONS = ['--json', '--retire', '--values']
/** Counting a table of logs may take long. */
const STATEMENT_MS = 600_000
const PORTION = 200
const PROGRESS_EVERY_MS = 1_000

export interface RotateCommand {
  args: readonly string[]
  out: Pick<NodeJS.WriteStream, 'write'>
  err: Pick<NodeJS.WriteStream, 'write'>
}

/**
 * Runs `patchbay keys rotate-encryption`. Returns 0 if all values are encrypted with the first key. @throws
 * StartupError
 */
export async function rotateEncryption({ args, out, err }: RotateCommand): Promise<number> {
  const isJson = args.includes('--json')
  const retire = args.includes('--retire')
  const portion = readPortion(args)
  const printStep = (text: string) => {
    ;(isJson ? err : out).write(`  … ${text}\n`)
  }
  const pool = { max: 2, statementTimeoutMs: STATEMENT_MS }
  return withDatabase('keys rotate-encryption', pool, async ({ config, db }) => {
    const ring = await loadConfiguredKeys(config)
    const rotation = await rotate({
      db,
      ring,
      keyFileDir: config.encryptionKeys ? undefined : config.dataDir,
      wrapper: await configuredWrapper(config),
      retire,
      values: args.includes('--values'),
      portion,
      onStep: printStep,
      onProgress: progress(printStep),
    })
    const isDone = !rotation.left && !rotation.unreadable.length
    out.write(
      isJson
        ? `${JSON.stringify({ ok: isDone, ...rotation })}\n`
        : `\n${summary(rotation, config.encryptionKeys !== undefined, retire)}\n\n`,
    )
    return isDone ? 0 : 1
  })
}

function readPortion(args: readonly string[]): number {
  const others = args.filter((arg) => !OPTIONS.includes(arg))
  const portion = /^--portion=([1-9]\d{0,4})$/.exec(others[0] ?? '--portion=200')
  if (others.length > 1 || !portion)
    throw new StartupError(
      `keys rotate-encryption does not take ${others.join(' ')}.`,
      'Use --retire, --values, --json, or --portion=<1 to 99999>.',
      { exitCode: 2 },
    )
  return others.length ? Number(portion[1]) : PORTION
}

/** Prints a line when a column starts and ends, and once a second in between. */
function progress(print: (text: string) => void) {
  let printedAt = 0
  let printed = ''
  return (column: string, done: number, all: number) => {
    const text = `${column.padEnd(32)} ${done} of ${all}`
    if (text === printed || (done > 0 && done < all && performance.now() - printedAt < PROGRESS_EVERY_MS))
      return
    printedAt = performance.now()
    printed = text
    print(text)
  }
}

function summary(
  { key, resealed, encrypted, left, unreadable, old, retired, destroyed_data_keys: destroyed }: Rotation,
  isGiven: boolean,
  retire: boolean,
): string {
  const lines = [`${resealed} value${resealed === 1 ? '' : 's'} encrypted with the key ${key}.`]
  if (encrypted) lines.push(`${encrypted} values encrypted that an earlier release stored in clear.`)
  if (destroyed) lines.push(`${destroyed} former data keys destroyed. Earlier backups contain them.`)
  if (left) lines.push(`${left} are locked and were skipped. → Run this command again.`)
  if (unreadable.length)
    lines.push(
      `${unreadable.length} cannot be decrypted with any key of the ring. → Add the keys that encrypted ` +
        'them, and run this command again:',
      ...unreadable.slice(0, 10).map((one) => `  ${one}`),
    )
  if (retired.length) lines.push(`Removed from the key file: ${retired.join(', ')}. Older backups need them.`)
  else if (!left && !unreadable.length && old.length) {
    const which = `No value is encrypted with ${old.join(', ')} any more.`
    lines.push(
      isGiven
        ? `${which} → Remove ${old.length > 1 ? 'them' : 'it'} from ENCRYPTION_KEYS, at least half a ` +
            `minute after the last server started with ${key} in front.`
        : `${which} → Run this command with --retire to remove ${old.length > 1 ? 'them' : 'it'}.`,
    )
  } else if (retire && !old.length) lines.push('There is no other key to remove.')
  return lines.map((line) => `  ${line}`).join('\n')
}
