import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from './startup-error.ts'

/**
 * What the process that has locked a data directory reports. Any local user can read it, so it contains no
 * secrets.
 */
export interface LockHolder {
  pid: number
  url: string
}

export interface InstanceLock {
  update(about: LockHolder): void
  release(): Promise<void>
}

const attemptsMax = 20
const betweenAttemptsMs = 25
const answerTimeoutMs = 2000
const answerBytesMax = 4096

/**
 * Makes this process the only server on `dataDir`, until it releases the lock or ends. The lock is the
 * address of a listening socket. On Linux the address is abstract: the kernel gives it to one process and
 * frees it with that process, so neither stale files nor reused process ids are a problem. It applies within
 * one network namespace; two containers that share a directory are distinguished by the socket of PostgreSQL
 * (see db/embedded).
 * @throws StartupError that names the process that holds the lock
 */
export async function lockDataDir(
  dataDir: string,
  about: LockHolder,
  platform: string = process.platform,
): Promise<InstanceLock> {
  const root = await openDataDir(dataDir)
  const address = lockAddress(root, platform)
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const lock = await listen(address, about)
    if (lock) return lock
    const holder = await queryLockHolder(address)
    if (holder !== 'nobody') throw lockedError(root, holder)
    // The other process ended between the two steps, or was killed and left a socket file.
    if (isFile(address)) await rm(address, { force: true })
    await sleep(betweenAttemptsMs)
  }
  throw new StartupError(
    `The data directory ${root} cannot be locked: other servers are starting on it.`,
    'Start one server only, and use another DATA_DIR for each additional one.',
  )
}

/**
 * Returns who has locked an existing data directory: a server, 'nobody', or undefined if the process does not
 * respond.
 */
export async function findLockHolder(
  dataDir: string,
  platform: string = process.platform,
): Promise<LockHolder | 'nobody' | undefined> {
  return queryLockHolder(lockAddress(await realpath(dataDir), platform))
}

/**
 * Creates the data directory if it is missing, and returns its real path.
 * @throws StartupError if it is not writable
 */
export async function openDataDir(dataDir: string): Promise<string> {
  try {
    // As root, other users may pass the directory but not list it: PostgreSQL runs as another user.
    await makeDirectory(resolve(dataDir), process.getuid?.() === 0 ? 0o711 : 0o700)
    await access(dataDir, constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (cause) {
    throw new StartupError(
      `The data directory ${dataDir} cannot be written to: ${(cause as Error).message}`,
      'Make it a directory that this user may write to, or set DATA_DIR to another one.',
      { cause },
    )
  }
}

/**
 * Replaces `mkdir` with `recursive`, which never ends where the kernel returns ENOENT below an existing
 * parent (/proc).
 */
async function makeDirectory(path: string, mode: number): Promise<void> {
  const made = await mkdir(path, { mode })
    .then(() => true, ifCode('EEXIST', true))
    .catch(ifCode('ENOENT', false))
  if (made || dirname(path) === path) return
  await makeDirectory(dirname(path), mode)
  await mkdir(path, { mode }).catch(ifCode('EEXIST', undefined))
}

/** Returns a rejection handler that maps one system error to `value` and rethrows all others. */
function ifCode<T>(code: string, value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === code) return value
    throw error
  }
}

function lockAddress(root: string, platform: string): string {
  const name = `patchbay-${createHash('sha256').update(root).digest('hex')}`
  if (platform === 'linux') return `\0${name}`
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`
  const file = join(root, 'server.sock')
  // 103: the bound of macOS.
  return Buffer.byteLength(file) <= 103 ? file : join(tmpdir(), `${name.slice(0, 25)}.sock`)
}

function isFile(address: string): boolean {
  return address.startsWith('/')
}

/** Listens on the address. Returns undefined if it is in use. */
async function listen(address: string, about: LockHolder): Promise<InstanceLock | undefined> {
  let line = describe(about)
  const server = createServer((socket) => {
    socket.on('error', () => {}) // A client that disconnected early.
    socket.setTimeout(answerTimeoutMs, () => socket.destroy())
    socket.end(line)
    socket.unref()
  })
  if (!(await tryListen(server, address))) return undefined
  server.unref() // The lock does not keep the process alive.
  return {
    update: (next) => {
      line = describe(next)
    },
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

function describe({ pid, url }: LockHolder): string {
  return `${JSON.stringify({ pid, url })}\n`
}

async function tryListen(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else
        reject(
          new StartupError(
            `The data directory cannot be locked: ${error.message}`,
            'Use a DATA_DIR on a local disk.',
            { cause: error },
          ),
        )
    })
    server.listen({ path: address }, () => resolve(true))
  })
}

/**
 * Returns who listens: 'nobody' if the connection fails, undefined if the process does not respond within 2
 * s.
 */
async function queryLockHolder(address: string): Promise<LockHolder | 'nobody' | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect({ path: address })
    const answer = (holder: LockHolder | 'nobody' | undefined): void => {
      clearTimeout(deadline)
      socket.destroy()
      resolve(holder)
    }
    const deadline = setTimeout(() => answer(undefined), answerTimeoutMs)
    socket.on('data', (chunk) => {
      text += chunk.toString()
      if (text.length > answerBytesMax) answer(undefined)
    })
    socket.on('end', () => answer(parseLockHolder(text)))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      answer(error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? 'nobody' : undefined),
    )
  })
}

function parseLockHolder(text: string): LockHolder | undefined {
  try {
    const { pid, url } = JSON.parse(text) as Partial<LockHolder>
    return typeof pid === 'number' && typeof url === 'string' ? { pid, url } : undefined
  } catch {
    return undefined
  }
}

function lockedError(root: string, holder: LockHolder | undefined): StartupError {
  const who = holder ? `process ${holder.pid}, ${holder.url}` : 'a process that does not respond'
  return new StartupError(
    `Another Patchbay server (${who}) uses the data directory ${root}.`,
    'Stop it, use another DATA_DIR for this server, or run several servers on one PostgreSQL with DATABASE_URL.',
  )
}
