import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../../startup-error.ts'

/** The user that runs PostgreSQL, if it is not the current one. */
export interface ServerUser {
  uid: number
  gid: number
}

const nobody = 65534

/**
 * Chooses the user that runs PostgreSQL; undefined means the current one. PostgreSQL does not run as root, so
 * under root it is the owner of the existing cluster, or else an unprivileged user.
 * @throws StartupError if the cluster belongs to another user
 */
export async function chooseUser(
  clusterDir: string,
  self: number = process.getuid!(),
): Promise<ServerUser | undefined> {
  const owner = await stat(clusterDir).catch(() => undefined)
  if (self !== 0) {
    if (!owner || owner.uid === self) return undefined
    throw new StartupError(
      `${clusterDir} belongs to user ${owner.uid}, and this process runs as user ${self}.`,
      'Start as the user who started before (root, if it was root), or use another DATA_DIR.',
    )
  }
  if (!owner || owner.uid === 0) return unprivilegedUser()
  // The group root gives access to files that the server of another user must not read.
  return { uid: owner.uid, gid: owner.gid === 0 ? nobody : owner.gid }
}

/**
 * Returns a user with a line in /etc/passwd: initdb looks up its name and fails without one (tested with
 * PostgreSQL 18).
 */
async function unprivilegedUser(): Promise<ServerUser> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  const user =
    users.find(({ uid }) => uid === nobody) ??
    users.find(({ name }) => name === 'nobody' || name === 'daemon')
  if (user && user.uid > 0 && user.gid > 0) return { uid: user.uid, gid: user.gid }
  throw new StartupError(
    'PostgreSQL does not run as root, and /etc/passwd has no user `nobody` to run it as.',
    'Start as a normal user, or add the user `nobody`.',
  )
}

/**
 * Whether `user` may pass every directory above `path`, and read `path` (for a directory: enter it),
 * according to the mode bits.
 */
export async function canReach(user: ServerUser, path: string): Promise<boolean> {
  const real = await realpath(path)
  const target = await stat(real)
  if (!allows(user, target, target.isDirectory() ? 1 : 4)) return false
  for (let directory = dirname(real); ; directory = dirname(directory)) {
    if (!allows(user, await stat(directory), 1)) return false
    if (directory === dirname(directory)) return true
  }
}

function allows(user: ServerUser, entry: { uid: number; gid: number; mode: number }, bit: 1 | 4): boolean {
  const shift = entry.uid === user.uid ? 6 : entry.gid === user.gid ? 3 : 0
  return ((entry.mode >> shift) & bit) !== 0
}
