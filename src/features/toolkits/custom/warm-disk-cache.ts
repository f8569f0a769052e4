import { availableParallelism } from 'node:os'
import { siblingModule } from '../../../platform/module-url.ts'
import { cachedDigests } from '../../../catalog/index.ts'
import { runInThreads } from '../../../platform/worker-threads.ts'
import type { DiskCacheJob } from './disk-cache-worker.ts'
import type { ToolkitVersionRow } from './store.ts'

/** Largest work for the main thread: more would block it, and it would keep the memory that was needed. */
const MAIN_THREAD_MAX = { toolkits: 20, bytes: 500_000, tools: 100 }
/** Contents above this size are processed one at a time. */
const SINGLE_WORKER_BYTES = 1_500_000
const HEAP_MB = { alone: 800, shared: 256 }
const THREADS_MAX = 4

type CacheRow = Pick<ToolkitVersionRow, 'digest' | 'size' | 'tools_count'>

const fitsMainThread = (rows: readonly CacheRow[]): boolean =>
  rows.length <= MAIN_THREAD_MAX.toolkits &&
  rows.reduce((sum, { size }) => sum + size, 0) <= MAIN_THREAD_MAX.bytes &&
  rows.reduce((sum, { tools_count: tools }) => sum + tools, 0) <= MAIN_THREAD_MAX.tools

/**
 * Writes missing files of the toolkit disk cache in worker threads if there are many or large ones, as after the
 * first import of a whole catalogue. A file that fails is written when it is needed.
 */
export async function warmDiskCache(
  rows: readonly CacheRow[],
  folder: string,
  contentOf: (digest: string) => Promise<Buffer>,
  onFailure: (error: unknown, digest: string) => void,
): Promise<void> {
  if (fitsMainThread(rows)) return
  const cached = await cachedDigests(folder)
  const missing = [
    ...new Map(rows.filter(({ digest }) => !cached.has(digest)).map((row) => [row.digest, row])).values(),
  ].sort((a, b) => b.size - a.size)
  if (fitsMainThread(missing)) return
  const work = {
    script: siblingModule(import.meta.url, 'disk-cache-worker'),
    message: async ({ digest }: CacheRow): Promise<DiskCacheJob> => ({
      folder,
      digest,
      bytes: await contentOf(digest),
    }),
    onDone: async () => {},
    onCrash: (error: unknown, { digest }: CacheRow) => {
      onFailure(error, digest)
    },
  }
  const { signal } = new AbortController()
  for (const row of missing.filter(({ size }) => size > SINGLE_WORKER_BYTES))
    await runInThreads([row], 1, { ...work, heapMb: HEAP_MB.alone }, signal)
  await runInThreads(
    missing.filter(({ size }) => size <= SINGLE_WORKER_BYTES),
    Math.min(THREADS_MAX, availableParallelism()),
    { ...work, heapMb: HEAP_MB.shared },
    signal,
  )
}
