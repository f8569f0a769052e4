import { availableParallelism } from 'node:os'
import { cachedDigests } from '../../../catalog/index.ts'
import { inThreads } from '../../../platform/worker-threads.ts'
import type { ShelfJob } from './disk-cache-worker.ts'
import type { VersionRow } from './store.ts'

/** What is made in the thread that answers calls: so many, of so many bytes together. More would hold it up, and leave it with the memory that they took. */
const HERE = { toolkits: 20, bytes: 500_000 }
/** Contents of this size are made one at a time. */
const ALONE_BYTES = 1_500_000
const HEAP_MB = { alone: 800, shared: 256 }
const THREADS_MAX = 4

type Wanted = Pick<VersionRow, 'digest' | 'size'>

/** Makes the shelves that are missing, in threads of their own, where they are many: the first time that a server sees a whole catalogue. Whatever fails is left to whoever needs it. */
export async function makeShelves(
  rows: readonly Wanted[],
  folder: string,
  contentOf: (digest: string) => Promise<Buffer>,
  onFailure: (error: unknown, digest: string) => void,
): Promise<void> {
  const isLittle = (some: readonly Wanted[]) =>
    some.length <= HERE.toolkits && some.reduce((sum, { size }) => sum + size, 0) <= HERE.bytes
  if (isLittle(rows)) return
  const there = await cachedDigests(folder)
  const missing = [
    ...new Map(rows.filter(({ digest }) => !there.has(digest)).map((row) => [row.digest, row])).values(),
  ].sort((a, b) => b.size - a.size)
  if (isLittle(missing)) return
  const work = {
    script: new URL('shelf-thread.ts', import.meta.url),
    message: async ({ digest }: Wanted): Promise<ShelfJob> => ({
      folder,
      digest,
      bytes: await contentOf(digest),
    }),
    onDone: async () => {},
    onCrash: (error: unknown, { digest }: Wanted) => {
      onFailure(error, digest)
    },
  }
  const { signal } = new AbortController()
  for (const one of missing.filter(({ size }) => size > ALONE_BYTES))
    await inThreads([one], 1, { ...work, heapMb: HEAP_MB.alone }, signal)
  await inThreads(
    missing.filter(({ size }) => size <= ALONE_BYTES),
    Math.min(THREADS_MAX, availableParallelism()),
    { ...work, heapMb: HEAP_MB.shared },
    signal,
  )
}
