import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from './startup-error.ts'

/** What the holder of a data directory tells whoever asks. Any local user may ask: no secrets. */
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
 * Makes this process the only server on `dataDir`, until it releases the lock or ends in whatever way. The lock is the
 * address of a listening socket. On Linux the address is abstract: the kernel gives it to one process and frees it with
 * that process, so no file can go stale and no process id can be taken for another. It holds within one network
 * namespace; two containers that share a directory are told apart by PostgreSQL's own socket (see db/embedded).
 * @throws StartupError naming the holder when there is one.
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
    // It ended between our two steps, or it was killed and left a socket file.
    if (isFile(address)) await rm(address, { force: true })
    await sleep(betweenAttemptsMs)
  }
  throw new StartupError(
    `The data directory ${root} cannot be locked: other servers start on it all the time.`,
    'Start one server only, and use another DATA_DIR for each further one.',
  )
}

/** Who holds an existing data directory: 'nobody', a server, or undefined for one that does not say. Does not disturb it. */
export async function findLockHolder(
  dataDir: string,
  platform: string = process.platform,
): Promise<LockHolder | 'nobody' | undefined> {
  return queryLockHolder(lockAddress(await realpath(dataDir), platform))
}

/** Creates the data directory if need be and gives its real path. @throws StartupError when it cannot be written to. */
export async function openDataDir(dataDir: string): Promise<string> {
  try {
    // Others may pass but not list, under root: PostgreSQL runs as another user inside.
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

/** Not `mkdir` with `recursive`: where the kernel answers ENOENT under an existing parent (/proc), that never ends. */
async function makeDirectory(path: string, mode: number): Promise<void> {
  const made = await mkdir(path, { mode })
    .then(() => true, ifCode('EEXIST', true))
    .catch(ifCode('ENOENT', false))
  if (made || dirname(path) === path) return
  await makeDirectory(dirname(path), mode)
  await mkdir(path, { mode }).catch(ifCode('EEXIST', undefined))
}

/** A rejection handler that answers `value` to one kind of system error and passes on all others. */
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
  return Buffer.byteLength(file) <= 103 ? file : join(tmpdir(), `${name.slice(0, 25)}.sock`) // 103: the bound of macOS.
}

function isFile(address: string): boolean {
  return address.startsWith('/')
}

/** Listens on the address; undefined when it is taken. */
async function listen(address: string, about: LockHolder): Promise<InstanceLock | undefined> {
  let line = describe(about)
  const server = createServer((socket) => {
    socket.on('error', () => {}) // A client that left early.
    socket.setTimeout(answerTimeoutMs, () => socket.destroy())
    socket.end(line)
    socket.unref()
  })
  if (!(await tryListen(server, address))) return undefined
  server.unref() // The lock alone keeps no process alive.
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

/** Who listens there: 'nobody' if the connection is refused, undefined if the holder does not say within 2 s. */
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
  const who = holder ? `process ${holder.pid}, ${holder.url}` : 'a process that does not answer'
  return new StartupError(
    `Another Patchbay server (${who}) uses the data directory ${root}.`,
    'Stop it, or give this one another DATA_DIR, or run several servers on one PostgreSQL with DATABASE_URL.',
  )
}
