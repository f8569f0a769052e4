import { randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replacePrivateFile } from '../../durable-file.ts'

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
  await replacePrivateFile(file, `${password}\n`)
  return password
}
