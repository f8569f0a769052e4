import { open, stat, type FileHandle } from 'node:fs/promises'

const logBytesMax = 10_000_000

/** Opens the server's log for appending, emptied if it is over 10 MB; `size` is where this start's lines begin. */
export async function openLog(file: string): Promise<{ handle: FileHandle; size: number }> {
  const handle = await open(file, 'a', 0o600)
  if ((await handle.stat()).size > logBytesMax) await handle.truncate(0)
  return { handle, size: (await handle.stat()).size }
}

/** Why the server ended, from the log after its first `from` bytes; undefined if there is nothing. */
export async function readReason(file: string, from: number): Promise<string | undefined> {
  const length = Math.min((await stat(file)).size - from, 20_000)
  if (length <= 0) return undefined
  const handle = await open(file, 'r')
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, from).finally(() => handle.close())
  return firstError(buffer.toString())
}

/** The first error in what a PostgreSQL program printed, as the later ones follow from it; else the last line. */
export function firstError(output: string): string {
  const lines = output.trim().split('\n')
  return lines.find((line) => /FATAL|PANIC|ERROR|error:/.test(line)) ?? lines.at(-1) ?? ''
}
