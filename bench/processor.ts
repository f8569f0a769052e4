import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the processor time of the threads that a process has now, in milliseconds. */
export async function processorMsOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder)
  const used = await Promise.all(
    threads.map((thread) => readFile(join(folder, thread, 'schedstat'), 'utf8').catch(() => '0')),
  )
  return used.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
}

/** Kernels count in hundredths of a second for programs, whatever they use themselves (proc(5), sysconf(3)). */
const TICK_MS = 10

/** Returns the processor time of a process with the threads that have ended, to 10 ms. */
export async function totalProcessorMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in brackets, may contain spaces. Fields 14 and 15 are user and system time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
