import { stat } from 'node:fs/promises'
import type { ManagedAuth } from '../features/auth-configs/index.ts'
import { readManagedAuthFile } from '../platform/config.ts'
import type { Logger } from '../platform/log.ts'

/** With the rest between two looks that a change has to stand still, this is a third of what the guide promises. */
const LOOK_MS = 5_000

export interface WatcherOptions {
  file: string
  managed: Pick<ManagedAuth, 'replace'>
  log: Pick<Logger, 'info' | 'error'>
  lookMs?: number
}

/**
 * Looks at the operator's file every few seconds, and hands over what stands in it once it has changed and stood still: a look, not a notice of the
 * kernel, because a mounted secret is exchanged as a whole and some file systems give no notice. What cannot be used is told in the log, once.
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
    // What was there at the first look is what the start has read, or nearly: it is read once more, and changes nothing.
    if (now !== before || now === read) {
      before = now
      return
    }
    read = now
    try {
      managed.replace(readManagedAuthFile(file))
      log.info({ file }, 'managed auth: the file was read, and is used from now on')
    } catch (error) {
      log.error(
        { file, reason: (error as Error).message },
        'managed auth: the changed file cannot be used; the credentials that were read before stay',
      )
    }
  }
  return { close: () => clearInterval(timer) }
}

/** Changes with every write, and with every other file under this name. */
async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join('.')
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
