import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { renameFile } from './rename-file.ts'

/** Creates a file that only its user can read, whatever the umask is, and writes it to disk. */
export async function createPrivateFile(
  path: string,
  text: string,
  owner?: { uid: number; gid: number },
): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.chmod(0o600)
    if (owner) await handle.chown(owner.uid, owner.gid)
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces a private file completely or not at all: after a crash the old file remains. */
export async function replacePrivateFile(
  path: string,
  text: string,
  owner?: { uid: number; gid: number },
): Promise<void> {
  const draft = `${path}.new`
  await rm(draft, { force: true }) // From a run that was killed.
  await createPrivateFile(draft, text, owner)
  await renameFile(draft, path)
  await syncDirectory(dirname(path))
}

/** Writes the names in a directory to disk: a new name or a rename is durable only after this. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return // Windows cannot open directories.
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
