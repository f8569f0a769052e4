import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivateFile, syncDirectory } from '../durable-file.ts'
import { hasPermission } from '../file-mode.ts'
import { StartupError } from '../startup-error.ts'
import { parseKeyRing, type KeyRing } from './key-ring.ts'
import { KEY_CHECK_INTERVAL_MS, type KeySource, loadKeyRing } from './key-source.ts'
import type { KeyWrapper } from './kms/index.ts'
import { assertNotWrapped, createUnwrapper, newKeyLine } from './wrapped-key-file.ts'

const fileBytesMax = 64 * 1024

export const keyFilePath = (dataDir: string): string => join(dataDir, 'encryption.keys')

/**
 * Loads the ring in `<dataDir>/encryption.keys`, one `id:key` for each line. A missing file is created with
 * one new key. Later changes of the file are followed (see `loadKeyRing`). With `wrapper`, a key management service
 * encrypts the keys in the file.
 * @throws StartupError if other users can read the file, or if it is unreadable, unwritable or damaged: a new
 * key in its place would make all encrypted values unreadable.
 */
export async function loadOrCreateKeyFile(dataDir: string, wrapper?: KeyWrapper): Promise<KeyRing> {
  const file = keyFilePath(dataDir)
  try {
    return await loadKeyRing(wrapper ? wrappedKeyFile(dataDir, file, wrapper) : keyFile(dataDir, file))
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
      return readKeyFile(file) ?? parseKeyRing(await createKeyFile(dataDir, file))
    },
    changed() {
      const now = fileVersion(file)
      if (now === undefined || now === mark) return undefined
      const ring = readKeyFile(file)
      mark = now // After the file was read: a file that is damaged for a moment is read again.
      return ring
    },
  }
}

/**
 * A key file whose keys a key management service has encrypted. The service is asked at the start, and after a change
 * of the file in the background: encryption and decryption do not wait for it.
 */
function wrappedKeyFile(dataDir: string, file: string, wrapper: KeyWrapper): KeySource {
  const unwrap = createUnwrapper(wrapper)
  let mark: string | undefined
  let next: KeyRing | undefined
  let isReading = false
  const read = async (): Promise<KeyRing | undefined> => {
    const version = fileVersion(file)
    const text = readKeyText(file)
    const ring = text === undefined ? undefined : await unwrap(text)
    if (ring) mark = version
    return ring
  }
  const follow = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    try {
      const version = fileVersion(file)
      if (version !== undefined && version !== mark) next = await read()
    } catch {
      // The file is being edited, or the service is unreachable. The previous keys still work.
    } finally {
      isReading = false
    }
  }
  return {
    name: file,
    async load() {
      const ring = (await read()) ?? (await unwrap(await createKeyFile(dataDir, file, wrapper)))
      mark ??= fileVersion(file)
      setInterval(() => void follow(), KEY_CHECK_INTERVAL_MS).unref()
      return ring
    },
    changed() {
      const ring = next
      next = undefined
      return ring
    },
  }
}

/**
 * Returns a value that changes with the file: its inode changes with each rename, its times with each write.
 */
function fileVersion(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}:${found.mtimeNs}:${found.ctimeNs}:${found.size}`
}

/**
 * Returns undefined if the file is missing. Synchronous: decryption cannot wait, and the file has few bytes.
 */
function readKeyFile(file: string): KeyRing | undefined {
  const text = readKeyText(file)
  if (text === undefined) return undefined
  assertNotWrapped(text, file)
  return parseKeyRing(text)
}

/** @throws StartupError if other users can read it */
export function readKeyText(file: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    // Check the open file, not its name: another user could replace the file between check and reading.
    const { mode, size } = fstatSync(descriptor)
    if (hasPermission(mode, 0o077)) {
      throw new StartupError(
        `Other users may read the key file ${file} (mode ${(mode & 0o777).toString(8)}).`,
        `Run \`chmod 600 ${file}\`, and rotate the key if another user may have read it.`,
      )
    }
    if (size > fileBytesMax) throw new Error(`it is larger than ${fileBytesMax} bytes`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Creates the file completely or not at all, and returns its text. After a crash, there is no partial key. Of two
 * processes that start together, one creates the file and the other reads it: `link` fails if the name exists.
 */
async function createKeyFile(dataDir: string, file: string, wrapper?: KeyWrapper): Promise<string> {
  const line = await newKeyLine(wrapper)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`
  try {
    await createPrivateFile(draft, `${line}\n`)
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  await syncDirectory(dataDir)
  const text = readKeyText(file)
  if (text === undefined) throw new Error('it was removed while it was being created')
  return text
}
