import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs with a temporary folder. Afterwards calls what the run added to `ends`, last first, and removes the folder. */
export async function runInFolder<T>(
  run: (directory: string, ends: (() => unknown)[]) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-chaos-'))
  const ends: (() => unknown)[] = [() => rm(directory, { recursive: true, force: true, maxRetries: 5 })]
  try {
    return await run(directory, ends)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
