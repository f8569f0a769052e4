import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../../startup-error.ts'
import type { Binaries } from '../binaries.ts'
import { openLog, readReason } from '../log-file.ts'
import { cannotRun, command, type Runner } from '../run-program.ts'

/** A cluster whose server is started and stopped with `pg_ctl`. */
export interface ControlledCluster {
  directory: string
  logFile: string
  binaries: Binaries
  runner: Runner
}

/** What `postmaster.pid` says about a running server. */
export interface RunningServer {
  pid: number
  port: number
  isReady: boolean
}

const STATUS_MS = 10_000
/** In addition to the time after which `pg_ctl` itself gives up. */
const END_MS = 5_000
/** PostgreSQL gives its children 5 s. */
const IMMEDIATE_SHUTDOWN_MS = 6_000

/** Starts the server, which outlives this process. @throws StartupError with the reason from its log */
export async function startServer(cluster: ControlledCluster, timeoutMs: number): Promise<void> {
  const { user } = cluster.runner
  const log = await openLog(cluster.logFile).catch((error: Error) => {
    throw describeBusyLog(cluster.logFile, error)
  })
  // The shell of `pg_ctl` opens the log.
  if (user) await log.handle.chown(user.uid, user.gid)
  await log.handle.close()
  const seconds = String(Math.ceil(timeoutMs / 1_000))
  const args = ['start', '-l', cluster.logFile, '-w', '-t', seconds]
  if ((await runPgCtl(cluster, args, timeoutMs + END_MS)) === 0) return
  await stopServer(cluster)
  const reason = (await readReason(cluster.logFile, log.size)) ?? `not ready after ${seconds} s`
  throw new StartupError(
    `PostgreSQL did not start: ${reason}`,
    `Read ${cluster.logFile}, fix the problem, and start again.`,
  )
}

/**
 * Describes a log that another process has open. On Windows, all processes of a server inherit the log, and one that
 * the server was creating when it was killed stays suspended. A new server cannot start before it has ended.
 */
export function describeBusyLog(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'EBUSY') return error
  return new StartupError(
    `${file} is in use: a process of a PostgreSQL that was killed still exists, or another program has opened it.`,
    'Close other programs that use the file, end the remaining postgres.exe processes, and start again.',
    { cause: error },
  )
}

/**
 * Stops the server, if one runs. With less time than a checkpoint needs, it stops immediately, and the next start
 * recovers.
 * @throws StartupError if it does not end
 */
export async function stopServer(cluster: ControlledCluster, withinMs = 14_000): Promise<void> {
  const immediateMs = Math.min(IMMEDIATE_SHUTDOWN_MS, Math.max(1_000, withinMs / 4))
  const steps = [
    { mode: 'fast', ms: Math.max(1_000, withinMs - immediateMs) },
    { mode: 'immediate', ms: immediateMs },
  ]
  for (const { mode, ms } of steps) {
    if (!(await isRunning(cluster))) return
    const seconds = String(Math.ceil(ms / 1_000))
    await runPgCtl(cluster, ['stop', '-m', mode, '-w', '-t', seconds], ms + END_MS)
  }
  if (!(await isRunning(cluster))) return
  const { pid } = (await readPostmasterFile(cluster.directory)) ?? {}
  throw new StartupError(
    `The PostgreSQL process ${pid ?? ''} of ${cluster.directory} does not end.`,
    'End it, or restart the machine, and start again.',
  )
}

/** Returns the server that runs on the cluster. */
export async function findServer(cluster: ControlledCluster): Promise<RunningServer | undefined> {
  const server = await readPostmasterFile(cluster.directory)
  return server && (await isRunning(cluster)) ? server : undefined
}

/**
 * Returns the process and the port in `postmaster.pid`: its first line is the process id, its fourth the port, its
 * eighth the status (PostgreSQL, src/include/utils/pidfile.h).
 */
export async function readPostmasterFile(directory: string): Promise<RunningServer | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!(pid > 0) || !(port > 0)) return undefined
  return { pid, port, isReady: lines[7]?.trim() === 'ready' }
}

/** Whether the process of `postmaster.pid` is alive: `pg_ctl status` exits with 0. */
const isRunning = async (cluster: ControlledCluster): Promise<boolean> =>
  (await runPgCtl(cluster, ['status'], STATUS_MS)) === 0

/**
 * Returns the exit code. Its output is not read: on Windows the server inherits the pipes of `pg_ctl`, so they would
 * stay open.
 */
async function runPgCtl(
  { directory, binaries, runner }: ControlledCluster,
  [action = '', ...args]: string[],
  timeoutMs: number,
): Promise<number | null> {
  const { file, args: all, options } = command(runner, binaries.pgCtl, [action, '-D', directory, ...args])
  // A process group or console of its own: Ctrl+C in the terminal reaches this program only.
  const child = spawn(file, all, {
    ...options,
    cwd: directory,
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
    timeout: Math.ceil(timeoutMs),
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(cannotRun(file, cause)))
    child.once('exit', resolve)
  })
}
