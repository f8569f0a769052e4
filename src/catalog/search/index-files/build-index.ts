import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../../platform/module-url.ts'
import type { Catalog } from '../../types/index.ts'
import { searchToolkit } from '../segments/catalog-documents.ts'
import { encodeSegment } from '../segments/snapshot.ts'
import { indexOf } from '../tool-search.ts'

/** So many tools are indexed in this thread, in some tens of milliseconds; a thread takes longer to start. */
const BUILD_HERE_MAX = 300
/** A catalogue of 150,000 tools takes half a minute on a processor that nothing else uses. */
const BUILD_MS_MAX = 900_000

/** Indexes some toolkits of a catalogue. Returns the bytes of the snapshot. */
export async function buildIndex(
  catalog: Catalog,
  slugs: readonly string[],
  key: string,
): Promise<Uint8Array> {
  const tools = slugs.reduce((sum, slug) => sum + catalog.toolkit(slug)!.toolCount, 0)
  return tools <= BUILD_HERE_MAX
    ? encodeSegment(indexOf(slugs.map((slug) => searchToolkit(catalog, slug))), key)
    : buildInThread(catalog, slugs, key)
}

/** Threads that index now. Each ends between two toolkits when the first number of its flag is not 0. */
const running = new Map<Worker, Int32Array>()

export interface IndexThreadData {
  readonly key: string
  /** One number in shared memory. */
  readonly stopFlag: Int32Array
}

/**
 * Ends the threads that index, after the toolkit that each is reading; their indexes are rejected with an error. A
 * process that ends with a thread inside `zlib` may be aborted by Node (an assertion in `CompressionStream::Close`).
 */
export async function stopIndexThreads(): Promise<void> {
  const exits = [...running].map(async ([worker, stopFlag]) => {
    const exit = once(worker, 'exit')
    Atomics.store(stopFlag, 0, 1)
    await exit
  })
  await Promise.all(exits)
}

/**
 * The thread reads the files of toolkits. The texts of others go to it one by one, so that this thread responds to
 * requests meanwhile.
 */
async function buildInThread(catalog: Catalog, slugs: readonly string[], key: string): Promise<Uint8Array> {
  const stopFlag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: IndexThreadData = { key, stopFlag }
  const worker = new Worker(siblingModule(import.meta.url, 'build.worker'), { workerData })
  running.set(worker, stopFlag)
  worker.once('exit', () => running.delete(worker))
  try {
    const built = snapshotFrom(worker)
    built.catch(() => {})
    for (const slug of slugs) {
      const location = catalog.location(slug)
      worker.postMessage(
        location ? { slug, location, digest: catalog.digest(slug) } : searchToolkit(catalog, slug),
      )
      await turn()
    }
    worker.postMessage(null)
    return await built
  } finally {
    await worker.terminate()
  }
}

/** @throws Error when the thread fails, ends without a snapshot, or takes longer than `BUILD_MS_MAX` */
async function snapshotFrom(worker: Worker): Promise<Uint8Array> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(BUILD_MS_MAX)])
  const message = once(worker, 'message', { signal }) as Promise<[Uint8Array]>
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The thread that indexes toolkits ended before it was done.')
  })
  // The one that loses the race is rejected by the abort.
  message.catch(() => {})
  ended.catch(() => {})
  try {
    return (await Promise.race([message, ended]))[0]
  } finally {
    done.abort()
  }
}
