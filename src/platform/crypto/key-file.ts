import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { keyRingFrom, type KeyRing } from './key-ring.ts'

const fileBytesMax = 64 * 1024

/**
 * The ring in `<dataDir>/encryption.keys`, one `id:key` a line; the file is made with one new key if it is missing.
 * @throws StartupError when others may read the file, when it cannot be read or written, or when it is damaged: a new key
 * in its place would make everything sealed so far unreadable, so that is never done.
 */
export async function loadOrCreateKeyFile(dataDir: string): Promise<KeyRing> {
  const file = join(dataDir, 'encryption.keys')
  try {
    return await readKeyFile(file) ?? await createKeyFile(dataDir, file)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`The key file ${file} cannot be used: ${(cause as Error).message}.`,
      'Restore it from a backup or make it accessible to this user, or set ENCRYPTION_KEYS instead.', { cause })
  }
}

/** Undefined when there is no such file. */
async function readKeyFile(file: string): Promise<KeyRing | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    // Of the open file, not of the name: nobody can exchange it between the check and the reading.
    const { mode, size } = await handle.stat()
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new StartupError(`Other users may read the key file ${file} (mode ${(mode & 0o777).toString(8)}).`,
        `Run \`chmod 600 ${file}\`, and rotate the key if somebody may have read it.`)
    }
    if (size > fileBytesMax) throw new Error(`it is larger than ${fileBytesMax} bytes`)
    return keyRingFrom(await handle.readFile('utf8'))
  } finally {
    await handle.close()
  }
}

/**
 * Makes the file whole or not at all: a crash leaves no half key, and of two processes that start at once one wins and
 * the other reads the winner's key. `link` is the step that refuses an existing name.
 */
async function createKeyFile(dataDir: string, file: string): Promise<KeyRing> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`
  try {
    await writeDraft(draft)
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(dataDir)
  const ring = await readKeyFile(file)
  if (!ring) throw new Error('it was removed while it was being made')
  return ring
}

async function writeDraft(draft: string): Promise<void> {
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.chmod(0o600) // Whatever the umask.
    // The id is random, not a number: a second file made after a loss must not pass for the first.
    await handle.writeFile(`k${randomBytes(5).toString('hex')}:${randomBytes(32).toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The name is on disk only after this; a key that sealed something must not vanish with the power. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // Directories cannot be opened there.
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
