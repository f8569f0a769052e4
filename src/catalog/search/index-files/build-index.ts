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

/**
 * The thread reads the files of toolkits. The texts of others go to it one by one, so that this thread responds to
 * requests meanwhile.
 */
async function buildInThread(catalog: Catalog, slugs: readonly string[], key: string): Promise<Uint8Array> {
  const worker = new Worker(siblingModule(import.meta.url, 'build.worker'), { workerData: key })
  try {
    const built = once(worker, 'message', { signal: AbortSignal.timeout(BUILD_MS_MAX) }) as Promise<
      [Uint8Array]
    >
    built.catch(() => {})
    for (const slug of slugs) {
      const location = catalog.location(slug)
      worker.postMessage(
        location ? { slug, location, digest: catalog.digest(slug) } : searchToolkit(catalog, slug),
      )
      await turn()
    }
    worker.postMessage(null)
    return (await built)[0]
  } finally {
    await worker.terminate()
  }
}
