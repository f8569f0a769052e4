import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { clusterName } from './cluster-name.ts'
import { isProcessOnMacos, isStoppedOnMacos, processesOnMacos, runsOnMacos } from './macos-processes.ts'
import { waitFor } from './wait.ts'

const isMacos = process.platform === 'darwin'
const PROGRAM = /^(postgres|initdb)$/
/**
 * In a container of another architecture, the kernel runs the emulator in place of the program, and shows it as the
 * program of the process. The command line then begins with the emulator, followed by the path of the program. Debian
 * names it `aarch64-binfmt-P` there.
 */
const EMULATOR = /^qemu-|-binfmt-P$/

/**
 * Returns the PostgreSQL processes of a data directory. They are identified by program and directory, never
 * by a number in a file: after a crash or in a new container, the number may belong to any process.
 */
export function processesIn(directory: string): number[] {
  if (isMacos) return processesOnMacos(directory)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isProcessOf(pid, directory))
}

/** Whether `pid` is a running PostgreSQL process of the data directory. False for a zombie process. */
export function isProcessOf(pid: number, directory: string): boolean {
  if (isMacos) return isProcessOnMacos(pid, directory)
  try {
    if (!PROGRAM.test(programName(pid))) return false
    // Compared as files: the directory may have been moved, or be mounted elsewhere too.
    const [there, here] = [statSync(`/proc/${pid}/cwd`), statSync(directory)]
    return there.dev === here.dev && there.ino === here.ino
  } catch (error) {
    // In Docker, root lacks CAP_SYS_PTRACE, and cannot read the program and directory of another user's
    // process.
    return (error as NodeJS.ErrnoException).code === 'EACCES' && commandLineMatches(pid, directory)
  }
}

function programName(pid: number): string {
  const name = basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '')
  return EMULATOR.test(name) ? basename(commandWords(pid)[0] ?? '') : name
}

/** The words of the command line, without the emulator. */
function commandWords(pid: number): string[] {
  const words = readLines(`/proc/${pid}/cmdline`).join('\n').split('\0')
  return EMULATOR.test(basename(words[0] ?? '')) ? words.slice(1) : words
}

/** Whether the command line is that of a server of the directory, or the title of one of its backends. */
function commandLineMatches(pid: number, directory: string): boolean {
  const words = commandWords(pid)
  if (words[0]?.startsWith(`postgres: ${clusterName(directory)}:`)) return true
  return /\/(postgres|initdb)$/.test(words[0] ?? '') && words[words.indexOf('-D') + 1] === directory
}

/** The content of `postmaster.pid`: its first line is the process id of the server, its eighth the status. */
export interface Postmaster {
  pid: number
  status: 'starting' | 'ready' | 'stopping' | 'unknown'
}

/** Returns the content of `postmaster.pid` if its process is really the server of this directory. */
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

/**
 * Whether the process runs this program. An upgrade replaces the file: the kernel then marks the running one as
 * deleted.
 */
export const runsProgram = (pid: number, program: string): boolean =>
  isMacos ? runsOnMacos(pid, program) : readlinkSync(`/proc/${pid}/exe`) === program

/** Whether a signal (SIGSTOP) or a debugger has stopped the process. */
export function isStopped(pid: number): boolean {
  if (isMacos) return isStoppedOnMacos(pid)
  const stat = readLines(`/proc/${pid}/stat`)[0] ?? ''
  return /^[Tt]$/.test(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] ?? '')
}

/** Sends a signal. A process that has ended is not an error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Kills every PostgreSQL process of the directory, which a cluster survives like a power failure. Waits at
 * most 5 s.
 */
export async function killAll(directory: string): Promise<boolean> {
  return (await waitFor(() => killNow(directory) === 0, 5000)) === true
}

/** Kills them without waiting, and returns their number. */
export function killNow(directory: string): number {
  const left = processesIn(directory)
  for (const pid of left) signal(pid, 'SIGKILL')
  return left.length
}
