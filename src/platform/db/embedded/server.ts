import { spawn } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { checkReadiness, type Readiness } from './readiness.ts'
import { openLog, readReason } from './log-file.ts'
import { findPostmaster, isStopped, killAll, processesIn, signal, isProcessOf } from './processes.ts'
import { cannotRun, command, type Runner } from './run-program.ts'
import { isListening, socketFile } from './socket.ts'
import { waitFor } from './wait.ts'

/** All that is needed to run the server of one cluster. */
export interface Server {
  directory: string
  socketDirectory: string
  logFile: string
  url: string
  /** The `postgres` program and its arguments. */
  program: string
  args: string[]
}

const answerTimeoutMs = 3000
const adoptedAnswerMs = 5000
const fastShutdownMs = 8000
const immediateShutdownMs = 6000 // PostgreSQL itself gives its children 5 s.

/**
 * Starts the server as a process of its own that outlives this one, and waits until it runs queries.
 * @returns whether it is ready or refuses our password. @throws StartupError when it ends, or is not ready in `timeoutMs`.
 */
export async function start(
  server: Server,
  runner: Runner,
  timeoutMs: number,
): Promise<'ready' | 'wrong password'> {
  await clearRemains(server)
  const log = await openLog(server.logFile)
  const { file, args, options } = command(runner, server.program, server.args)
  const state: { ended?: string; failure?: Error } = {}
  const child = spawn(file, args, {
    ...options,
    cwd: server.directory,
    detached: true,
    stdio: ['ignore', log.handle.fd, log.handle.fd],
  })
  child.on('error', (error) => {
    state.failure = cannotRun(file, error)
  })
  child.on('exit', (code, name) => {
    state.ended = name ?? `exit code ${code}`
  })
  child.unref()
  await log.handle.close()
  const answer = await waitForReadiness(
    server,
    timeoutMs,
    () => state.failure ?? (state.ended === undefined ? undefined : new Error(state.ended)),
  )
  if (answer === 'ready' || answer === 'wrong password') return answer
  await stop(server)
  if (state.failure) throw state.failure
  const reason =
    (await readReason(server.logFile, log.size)) ??
    (answer instanceof Error ? answer.message : `not ready after ${timeoutMs / 1000} s`)
  throw new StartupError(
    `PostgreSQL did not start: ${reason}`,
    `Read ${server.logFile}, mend what it names and start again.`,
    { cause: answer instanceof Error ? answer : undefined },
  )
}

/**
 * Takes over the server that an earlier process of ours left running. Only one that runs what we would run: after an
 * upgrade or a changed setting it must be started anew.
 * @returns whether it is ours now; if not, the caller stops whatever is there.
 */
export async function adopt(server: Server, timeoutMs: number): Promise<boolean> {
  const postmaster = findPostmaster(server.directory)
  if (
    !postmaster ||
    postmaster.status === 'stopping' ||
    isStopped(postmaster.pid) ||
    !runsOurCommand(server, postmaster.pid)
  )
    return false
  const ended = (): Error | undefined =>
    isProcessOf(postmaster.pid, server.directory) ? undefined : new Error('it has ended')
  await waitFor(() => ended() ?? findPostmaster(server.directory)?.status === 'ready', timeoutMs) // It may be recovering.
  return (await waitForReadiness(server, adoptedAnswerMs, ended)) === 'ready'
}

function runsOurCommand(server: Server, pid: number): boolean {
  const program = realpathSync(server.program)
  try {
    const expected = [program, ...server.args.map((arg) => `"${arg}"`)].join(' ')
    if (readFileSync(join(server.directory, 'postmaster.opts'), 'utf8').trim() !== expected) return false
    return readlinkSync(`/proc/${pid}/exe`) === program // An upgrade replaces the file: the kernel then marks the running one as deleted.
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' // As in `worksIn`.
  }
}

/** Polls the status in `postmaster.pid`, which costs nothing, and logs in when it says ready. */
async function waitForReadiness(
  server: Server,
  timeoutMs: number,
  ended: () => Error | undefined,
): Promise<Readiness> {
  const answer = await waitFor(async () => {
    const failure = ended()
    if (failure) return failure
    if (findPostmaster(server.directory)?.status !== 'ready') return undefined
    const said = await checkReadiness(server.url, answerTimeoutMs)
    return said === 'later' ? undefined : said
  }, timeoutMs)
  return answer ?? 'later'
}

/**
 * Stops the server, whoever started it, and leaves no process, socket or `postmaster.pid` behind. Waits at most 19 s.
 * With less time than a checkpoint takes, it is made to end at once, and the next start recovers.
 */
export async function stop(server: Server, withinMs = fastShutdownMs + immediateShutdownMs): Promise<void> {
  const { directory } = server
  const postmaster = findPostmaster(directory)
  if (postmaster) {
    const gone = (): boolean => !isProcessOf(postmaster.pid, directory)
    for (const pid of processesIn(directory)) signal(pid, 'SIGCONT') // A stopped process takes no other signal.
    signal(postmaster.pid, 'SIGINT')
    const immediateMs = Math.min(immediateShutdownMs, Math.max(500, withinMs / 4))
    if (!(await waitFor(gone, Math.min(fastShutdownMs, Math.max(500, withinMs - immediateMs))))) {
      signal(postmaster.pid, 'SIGQUIT')
      await waitFor(gone, immediateMs)
    }
  }
  await clearRemains(server)
  if (server.socketDirectory !== directory) await rmdir(server.socketDirectory).catch(() => {}) // Gone already, or foreign.
}

/**
 * Removes what a dead server left: backends that have not noticed, sockets, and a `postmaster.pid` whose number
 * may belong to a foreign process now, for which PostgreSQL would refuse to start.
 * @throws StartupError when a server is alive that we cannot see, or a process cannot be killed.
 */
async function clearRemains(server: Server): Promise<void> {
  const { directory, socketDirectory } = server
  if (!(await killAll(directory))) {
    throw new StartupError(
      `PostgreSQL processes ${processesIn(directory).join(', ')} of ${directory} do not end, even when killed.`,
      'They wait for the disk: check it, or restart the machine.',
    )
  }
  const socket = socketFile(socketDirectory)
  if (await isListening(socket)) {
    throw new StartupError(
      `${directory} is in use by a PostgreSQL that this process cannot see, for example in another container.`,
      'Stop it, or use another DATA_DIR.',
    )
  }
  for (const file of [join(directory, 'postmaster.pid'), socket, `${socket}.lock`])
    await rm(file, { force: true })
}
