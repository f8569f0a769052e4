import { stat } from 'node:fs/promises'
import type { ManagedAuth } from '../features/auth-configs/index.ts'
import { readManagedAuthFile } from '../platform/config.ts'
import type { Logger } from '../platform/log.ts'

/** A change is used when the file is the same in two checks. The guide promises three times this time. */
const LOOK_MS = 5_000

export interface WatcherOptions {
  file: string
  managed: Pick<ManagedAuth, 'replace'>
  log: Pick<Logger, 'info' | 'error'>
  lookMs?: number
}

/**
 * Checks the file of MANAGED_AUTH_FILE every few seconds, and uses its content after it has changed and is
 * stable. It polls because mounted secrets are replaced as a whole and some file systems send no
 * notifications. An invalid file is logged once.
 */
export function watchManagedAuth({ file, managed, log, lookMs = LOOK_MS }: WatcherOptions): {
  close(): void
} {
  let read: string | undefined
  let before: string | undefined
  let looking = false
  const timer = setInterval(() => void look(), lookMs).unref()

  async function look(): Promise<void> {
    if (looking) return
    looking = true
    const now = await versionOf(file)
    looking = false
    // The start has read the file shortly before the first check. Reading the same content again changes
    // nothing.
    if (now !== before || now === read) {
      before = now
      return
    }
    read = now
    try {
      managed.replace(readManagedAuthFile(file))
      log.info({ file }, 'managed auth: the changed file is in use')
    } catch (error) {
      log.error(
        { file, reason: (error as Error).message },
        'managed auth: the changed file is invalid; the previous credentials stay in use',
      )
    }
  }
  return { close: () => clearInterval(timer) }
}

/** Returns a value that changes with every write, and when another file gets this name. */
async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join('.')
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
