import { spawn } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { checkReadiness, type Readiness } from './readiness.ts'
import { openLog, readReason } from './log-file.ts'
import {
  findPostmaster,
  isProcessOf,
  isStopped,
  killAll,
  processesIn,
  runsProgram,
  signal,
} from './processes.ts'
import { cannotRun, command, type Runner } from './run-program.ts'
import { isListening, socketFile } from './socket.ts'
import { waitFor } from './wait.ts'

/** Everything that is needed to run the server of a cluster. */
export interface Server {
  directory: string
  socketDirectory: string
  logFile: string
  url: string
  /** The `postgres` program. */
  program: string
  args: string[]
}

const answerTimeoutMs = 3000
const adoptedAnswerMs = 5000
const fastShutdownMs = 8000
const immediateShutdownMs = 6000 // PostgreSQL itself gives its children 5 s.

/**
 * Starts the server as a process that outlives this one, and waits until it runs queries.
 * @returns whether it is ready or rejects the password.
 * @throws StartupError if it ends, or is not ready within `timeoutMs`
 */
export async function start(
  server: Server,
  runner: Runner,
  timeoutMs: number,
  onWaiting: () => void = () => {},
): Promise<'ready' | 'wrong password'> {
  await clearRemains(server)
  const log = await openLog(server.logFile)
  let ended: () => Error | undefined
  try {
    ended = spawnServer(server, runner, log.handle.fd)
  } finally {
    await log.handle.close()
  }
  onWaiting()
  const answer = await waitForReadiness(server, timeoutMs, ended)
  if (answer === 'ready' || answer === 'wrong password') return answer
  await stop(server)
  if (answer instanceof StartupError) throw answer
  const reason =
    (await readReason(server.logFile, log.size)) ??
    (answer instanceof Error ? answer.message : `not ready after ${timeoutMs / 1000} s`)
  throw new StartupError(
    `PostgreSQL did not start: ${reason}`,
    `Read ${server.logFile}, fix the problem, and start again.`,
    { cause: answer instanceof Error ? answer : undefined },
  )
}

/**
 * Runs the server as a process that outlives this one.
 * @returns a function that returns why the server ended, or undefined while it runs
 * @throws if this process may not run programs as the user
 */
function spawnServer(server: Server, runner: Runner, output: number): () => Error | undefined {
  const { file, args, options } = command(runner, server.program, server.args)
  const child = spawn(file, args, {
    ...options,
    cwd: server.directory,
    detached: true,
    stdio: ['ignore', output, output],
  })
  let end: Error | undefined
  child.on('error', (error) => {
    end = cannotRun(file, error)
  })
  child.on('exit', (code, name) => {
    end ??= new Error(name ?? `exit code ${code}`)
  })
  child.unref()
  return () => end
}

/**
 * Takes over the server that an earlier process left running, if it runs with the same program and settings:
 * after an upgrade or a changed setting it must be restarted.
 * @returns whether it was taken over; otherwise the caller stops it
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
  // It may be recovering.
  await waitFor(() => ended() ?? findPostmaster(server.directory)?.status === 'ready', timeoutMs)
  return (await waitForReadiness(server, adoptedAnswerMs, ended)) === 'ready'
}

function runsOurCommand(server: Server, pid: number): boolean {
  const program = realpathSync(server.program)
  try {
    const expected = [program, ...server.args.map((arg) => `"${arg}"`)].join(' ')
    if (readFileSync(join(server.directory, 'postmaster.opts'), 'utf8').trim() !== expected) return false
    return runsProgram(pid, program)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' // As in `worksIn`.
  }
}

/** Polls the status in `postmaster.pid`, which is cheap, and logs in when it is ready. */
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
 * Stops the server, whichever process started it, and leaves no process, socket or `postmaster.pid`. Waits at
 * most 19 s. With less time than a checkpoint needs, it stops immediately, and the next start recovers.
 */
export async function stop(server: Server, withinMs = fastShutdownMs + immediateShutdownMs): Promise<void> {
  const { directory } = server
  const postmaster = findPostmaster(directory)
  if (postmaster) {
    const gone = (): boolean => !isProcessOf(postmaster.pid, directory)
    // A stopped process takes no other signal.
    for (const pid of processesIn(directory)) signal(pid, 'SIGCONT')
    signal(postmaster.pid, 'SIGINT')
    const immediateMs = Math.min(immediateShutdownMs, Math.max(500, withinMs / 4))
    if (!(await waitFor(gone, Math.min(fastShutdownMs, Math.max(500, withinMs - immediateMs))))) {
      signal(postmaster.pid, 'SIGQUIT')
      await waitFor(gone, immediateMs)
    }
  }
  await clearRemains(server)
  // Gone already, or foreign.
  if (server.socketDirectory !== directory) await rmdir(server.socketDirectory).catch(() => {})
}

/**
 * Removes the remains of a dead server: backends that still run, sockets, and a `postmaster.pid` whose number
 * may belong to another process by now, with which PostgreSQL would not start.
 * @throws StartupError if another server is running that this process cannot see, or if a process cannot be
 * killed
 */
async function clearRemains(server: Server): Promise<void> {
  const { directory, socketDirectory } = server
  if (!(await killAll(directory))) {
    throw new StartupError(
      `PostgreSQL processes ${processesIn(directory).join(', ')} of ${directory} do not end, even when ` +
        'they are killed.',
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
