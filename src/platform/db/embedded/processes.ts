import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { waitFor } from './wait.ts'

/** The name of a cluster in the titles of its processes. */
export function clusterName(directory: string): string {
  return `patchbay-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`
}

/**
 * The PostgreSQL processes that work in a data directory. They are known by what they are, never by a number in a file:
 * after a crash or in a new container that number may be anybody's.
 */
export function processesIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isProcessOf(pid, directory))
}

/** Whether `pid` is a live PostgreSQL process of that data directory. False for one that only waits to be reaped. */
export function isProcessOf(pid: number, directory: string): boolean {
  try {
    if (!/^(postgres|initdb)$/.test(basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '')))
      return false
    // Compared as files: the directory may have been moved, or be mounted elsewhere too.
    const [there, here] = [statSync(`/proc/${pid}/cwd`), statSync(directory)]
    return there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    // Docker's root lacks CAP_SYS_PTRACE and may look neither at program nor directory of another user's process.
    return (error as NodeJS.ErrnoException).code === 'EACCES' && commandLineMatches(pid, directory)
  }
}

/** Whether the command line is a server's on that directory, or the title that its backends give themselves. */
function commandLineMatches(pid: number, directory: string): boolean {
  const words = readLines(`/proc/${pid}/cmdline`).join('\n').split('\0')
  if (words[0]?.startsWith(`postgres: ${clusterName(directory)}:`)) return true
  return /\/(postgres|initdb)$/.test(words[0] ?? '') && words[words.indexOf('-D') + 1] === directory
}

/** The first line of `postmaster.pid` is the server's process id, the eighth says how far it is. */
export interface Postmaster {
  pid: number
  status: 'starting' | 'ready' | 'stopping' | 'unknown'
}

/** What `postmaster.pid` says, if its process really is the server of this directory. */
export function findPostmaster(directory: string): Postmaster | undefined {
  const lines = readLines(join(directory, 'postmaster.pid'))
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (!(pid > 0) || !isProcessOf(pid, directory)) return undefined
  const status = lines[7]?.trim()
  return {
    pid,
    status: status === 'starting' || status === 'ready' || status === 'stopping' ? status : 'unknown',
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Whether a signal (SIGSTOP) or a debugger has stopped the process. */
export function isStopped(pid: number): boolean {
  const stat = readLines(`/proc/${pid}/stat`)[0] ?? ''
  return /^[Tt]$/.test(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] ?? '')
}

/** Sends a signal; a process that is gone by now is none of our concern. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Kills every PostgreSQL process of the directory; a cluster survives that as it does a power cut. Waits at most 5 s. */
export async function killAll(directory: string): Promise<boolean> {
  return (await waitFor(() => killNow(directory) === 0, 5000)) === true
}

/** The same without waiting. Answers how many there were. */
export function killNow(directory: string): number {
  const left = processesIn(directory)
  for (const pid of left) signal(pid, 'SIGKILL')
  return left.length
}
