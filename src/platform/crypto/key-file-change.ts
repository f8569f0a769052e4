import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { keyFilePath, newKeyLine, readKeyText, syncDirectory } from './key-file.ts'

/**
 * Adds a new key in front, and returns its id. The caller makes sure that no other process changes the file.
 * @throws StartupError
 */
export async function addKey(dataDir: string): Promise<string> {
  const line = newKeyLine()
  await rewriteKeyFile(dataDir, (lines) => [line, ...lines])
  return line.split(':')[0] as string
}

/**
 * Removes all keys but the first, and returns their ids. Values that they encrypted can never be decrypted
 * again.
 * @throws StartupError
 */
export async function keepFirstKey(dataDir: string): Promise<string[]> {
  let removed: string[] = []
  await rewriteKeyFile(dataDir, ([first = '', ...others]) => {
    removed = others.map((line) => line.split(':')[0] as string)
    return [first]
  })
  return removed
}

/** Rewrites the file, completely or not at all. Its owner stays the same, whichever user runs this. */
async function rewriteKeyFile(dataDir: string, edit: (lines: string[]) => string[]): Promise<void> {
  const file = keyFilePath(dataDir)
  const draft = `${file}.new`
  try {
    const text = readKeyText(file)
    if (text === undefined) throw new Error('it is missing')
    const { uid, gid } = await stat(file)
    const lines = edit(
      text
        .split(/[,\r\n]+/)
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    )
    await rm(draft, { force: true }) // From a run that was killed.
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.chmod(0o600)
      if (process.getuid?.() === 0) await handle.chown(uid, gid)
      await handle.writeFile(`${lines.join('\n')}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
    await syncDirectory(dirname(file))
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(
      `The key file ${file} cannot be changed: ${(cause as Error).message}.`,
      'Run this as the user who runs the server, with a DATA_DIR that it may write to.',
      { cause },
    )
  }
}
