import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the processor time of all threads of a process, in milliseconds. */
export async function processorMsOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder)
  const used = await Promise.all(
    threads.map((thread) => readFile(join(folder, thread, 'schedstat'), 'utf8').catch(() => '0')),
  )
  return used.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
}
