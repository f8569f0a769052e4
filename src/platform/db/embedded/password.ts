import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

const wellFormed = /^[A-Za-z0-9_-]{43}$/

/**
 * Returns the password in a file of the data directory; by default that of the role `patchbay`. A missing or damaged
 * file is replaced with a new password. The server then rejects the password, and the caller sets it (see
 * `prepareRoles`).
 */
export async function readPassword(dataDir: string, name = 'postgres.password'): Promise<string> {
  const file = join(dataDir, name)
  const stored = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    },
  )
  if (wellFormed.test(stored)) {
    await chmod(file, 0o600)
    return stored
  }
  const password = randomBytes(32).toString('base64url')
  await writeDurably(file, `${password}\n`)
  return password
}

async function writeDurably(file: string, text: string): Promise<void> {
  const draft = `${file}.new`
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await syncDirectory(join(file, '..'))
}

/** Writes the names in a directory to disk. A rename is durable only after this. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // Windows cannot open directories.
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
