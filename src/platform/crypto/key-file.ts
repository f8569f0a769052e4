import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { parseKeyRing, type KeyRing } from './key-ring.ts'
import { type KeySource, loadKeyRing } from './key-source.ts'

const fileBytesMax = 64 * 1024

export const keyFilePath = (dataDir: string): string => join(dataDir, 'encryption.keys')

/**
 * The ring in `<dataDir>/encryption.keys`, one `id:key` a line; the file is made with one new key if it is missing. Later changes of the file are
 * followed (see `ringOf`). @throws StartupError when others may read the file, when it cannot be read or written, or when it is damaged: a new key
 * in its place would make everything sealed so far unreadable, so that is never done.
 */
export async function loadOrCreateKeyFile(dataDir: string): Promise<KeyRing> {
  const file = keyFilePath(dataDir)
  try {
    return await loadKeyRing(keyFile(dataDir, file))
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(
      `The key file ${file} cannot be used: ${(cause as Error).message}.`,
      'Restore it from a backup or make it accessible to this user, or set ENCRYPTION_KEYS instead.',
      { cause },
    )
  }
}

function keyFile(dataDir: string, file: string): KeySource {
  let mark: string | undefined
  return {
    name: file,
    async load() {
      mark = fileVersion(file)
      return readKeyFile(file) ?? (await createKeyFile(dataDir, file))
    },
    changed() {
      const now = fileVersion(file)
      if (now === undefined || now === mark) return undefined
      const ring = readKeyFile(file)
      mark = now // Only once it was read: a file that is damaged for a moment is looked at again.
      return ring
    },
  }
}

/** Another one whenever the file is another one: its number changes with each rename, its times with each write. */
function fileVersion(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}:${found.mtimeNs}:${found.ctimeNs}:${found.size}`
}

/** Undefined when there is no such file. Not asynchronous: who opens a value cannot wait (and the file has some bytes). */
function readKeyFile(file: string): KeyRing | undefined {
  const text = readKeyText(file)
  return text === undefined ? undefined : parseKeyRing(text)
}

/** @throws StartupError when others may read it */
export function readKeyText(file: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    // Of the open file, not of the name: nobody can exchange it between the check and the reading.
    const { mode, size } = fstatSync(descriptor)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new StartupError(
        `Other users may read the key file ${file} (mode ${(mode & 0o777).toString(8)}).`,
        `Run \`chmod 600 ${file}\`, and rotate the key if somebody may have read it.`,
      )
    }
    if (size > fileBytesMax) throw new Error(`it is larger than ${fileBytesMax} bytes`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
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
  const ring = readKeyFile(file)
  if (!ring) throw new Error('it was removed while it was being made')
  return ring
}

/** The id is random, not a number: a second file made after a loss must not pass for the first. */
export const newKeyLine = (): string =>
  `k${randomBytes(5).toString('hex')}:${randomBytes(32).toString('base64')}`

async function writeDraft(draft: string): Promise<void> {
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.chmod(0o600) // Whatever the umask.
    await handle.writeFile(`${newKeyLine()}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The name is on disk only after this; a key that sealed something must not vanish with the power. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // Directories cannot be opened there.
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
