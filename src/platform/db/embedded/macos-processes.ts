import { execFileSync } from 'node:child_process'
import { clusterName } from './cluster-name.ts'

/** Runs `ps` with these arguments and returns what it prints. */
export type Ps = (args: readonly string[]) => string

const PS_MS_MAX = 5_000

const runPs: Ps = (args) =>
  execFileSync('/bin/ps', args, {
    encoding: 'utf8',
    timeout: PS_MS_MAX,
    maxBuffer: 2 ** 26,
    env: { LC_ALL: 'C' },
  })

/** Returns the PostgreSQL processes of a data directory. macOS has no /proc, so `ps` reads the process table. */
export function processesOnMacos(directory: string, ps: Ps = runPs): number[] {
  return ps(['-axww', '-o', 'pid=,command='])
    .split('\n')
    .map((line) => /^\s*(\d+) (.*)$/.exec(line))
    .filter((match) => match !== null && isPostgresCommand(match[2] ?? '', directory))
    .map((match) => Number(match?.[1]))
}

/** Whether `pid` is a running PostgreSQL process of the data directory. */
export const isProcessOnMacos = (pid: number, directory: string, ps: Ps = runPs): boolean =>
  isPostgresCommand(commandOf(pid, ps), directory)

/** Whether the process runs this program. */
export const runsOnMacos = (pid: number, program: string, ps: Ps = runPs): boolean =>
  commandOf(pid, ps).startsWith(`${program} `)

/** Whether a signal (SIGSTOP) or a debugger has stopped the process. */
export const isStoppedOnMacos = (pid: number, ps: Ps = runPs): boolean =>
  readPs(ps, ['-o', 'state=', '-p', String(pid)]).startsWith('T')

const commandOf = (pid: number, ps: Ps): string => readPs(ps, ['-ww', '-o', 'command=', '-p', String(pid)])

/** `ps` exits with 1 when there is no such process. */
function readPs(ps: Ps, args: readonly string[]): string {
  try {
    return ps(args).trim()
  } catch {
    return ''
  }
}

/**
 * The first process has its arguments, and the others have the name of the cluster in their titles. `ps` does not
 * quote arguments, so the directory is compared together with the argument that follows it (`serverArguments`).
 */
function isPostgresCommand(command: string, directory: string): boolean {
  if (command.startsWith(`postgres: ${clusterName(directory)}:`)) return true
  const [program = ''] = command.split(' -D ')
  if (!program.startsWith('/')) return false
  if (program.endsWith('/postgres')) return command.startsWith(`${program} -D ${directory} -c `)
  // initdb runs without the arguments of a server.
  return program.endsWith('/initdb') && `${command} `.includes(` -D ${directory} `)
}
