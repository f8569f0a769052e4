import { rename as renameOnce } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Errors of Windows while another program, such as a virus scanner, reads a new file or one that is replaced. */
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY'])
const WAITS_MS = [10, 20, 50, 100, 200, 500, 1_000]

/**
 * Renames a file or folder. On Windows, where another program may have it open for a moment, it is tried again for two
 * seconds.
 * @throws the error of the last attempt
 */
export async function renameFile(
  from: string,
  to: string,
  platform: string = process.platform,
  rename: (from: string, to: string) => Promise<void> = renameOnce,
): Promise<void> {
  for (const milliseconds of platform === 'win32' ? WAITS_MS : []) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (!IN_USE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      await wait(milliseconds)
    }
  }
  await rename(from, to)
}
