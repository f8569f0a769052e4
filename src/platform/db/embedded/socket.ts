import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import type { ServerUser } from './user.ts'

/** The kernel's limit for the path of a Unix socket, without the terminating zero. */
const socketPathBytesMax = (platform: string): number => (platform === 'darwin' ? 103 : 107)

/** Returns the file in a socket directory to which clients connect. */
export function socketFile(directory: string): string {
  return join(directory, '.s.PGSQL.5432')
}

/**
 * Returns the directory of the server's socket: the cluster itself, which is private (0700). If its path is
 * too long for a socket, a private directory in the system's temporary one, named after the cluster, so that
 * the next start finds it.
 */
export function socketDirectory(clusterDir: string, platform: string = process.platform): string {
  const fitsSocketPath = (directory: string) =>
    Buffer.byteLength(socketFile(directory)) <= socketPathBytesMax(platform)
  if (fitsSocketPath(clusterDir)) return clusterDir
  const name = `patchbay-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 16)}`
  return [tmpdir(), '/tmp'].map((parent) => join(parent, name)).find(fitsSocketPath)!
}

/**
 * Creates the directory, unless it is the cluster.
 * @throws StartupError if another user owns it, who could replace the socket
 */
export async function makeSocketDirectory(
  directory: string,
  clusterDir: string,
  user: ServerUser | undefined,
): Promise<void> {
  if (directory === clusterDir) return
  const made = await mkdir(directory, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  if (made && user) await chown(directory, user.uid, user.gid)
  const entry = await lstat(directory)
  const owner = user?.uid ?? process.getuid!()
  if (
    entry.isDirectory() &&
    (entry.mode & 0o777) === 0o700 &&
    (entry.uid === owner || entry.uid === process.getuid!())
  ) {
    if (user && entry.uid !== owner) await chown(directory, user.uid, user.gid)
    return
  }
  throw new StartupError(
    `${directory} should be a private directory of user ${owner} and is not.`,
    'Remove it, or use a DATA_DIR with a shorter path.',
  )
}

/** Whether a process listens on the socket. Waits at most 2 s. */
export async function isListening(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(file)
    const answer = (yes: boolean): void => {
      socket.destroy()
      resolve(yes)
    }
    socket.setTimeout(2000, () => answer(true)) // The queue is full: a slow process listens.
    socket.on('connect', () => answer(true)).on('error', () => answer(false))
  })
}
