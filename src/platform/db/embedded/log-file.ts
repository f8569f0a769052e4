import { open, stat, type FileHandle } from 'node:fs/promises'

const logBytesMax = 10_000_000

/**
 * Opens the server's log for appending, and empties it if it has more than 10 MB. `size` is the position of
 * the first line of this start.
 */
export async function openLog(file: string): Promise<{ handle: FileHandle; size: number }> {
  const handle = await open(file, 'a', 0o600)
  if ((await handle.stat()).size > logBytesMax) await handle.truncate(0)
  return { handle, size: (await handle.stat()).size }
}

/** Returns why the server ended, from the log after its first `from` bytes. */
export async function readReason(file: string, from: number): Promise<string | undefined> {
  const length = Math.min((await stat(file)).size - from, 20_000)
  if (length <= 0) return undefined
  const handle = await open(file, 'r')
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, from).finally(() => handle.close())
  return firstError(buffer.toString())
}

/**
 * Returns the first error in the output of a PostgreSQL program, because later ones follow from it; else the
 * last line.
 */
export function firstError(output: string): string {
  const lines = output.trim().split(/\r?\n/)
  return lines.find((line) => /FATAL|PANIC|ERROR|error:/.test(line)) ?? lines.at(-1) ?? ''
}
