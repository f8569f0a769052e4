// Writes toolkits to the disk cache, in the order of the messages.
import { parentPort } from 'node:worker_threads'
import { openOrWriteCachedToolkit } from '../../../catalog/index.ts'
import { lowerThreadPriority } from '../../../platform/thread-priority.ts'
import { readContent } from '../../../catalog/importers/versions/index.ts'

export interface DiskCacheJob {
  readonly folder: string
  readonly digest: string
  readonly bytes: Uint8Array
}

lowerThreadPriority()
parentPort!.on('message', ({ folder, digest, bytes }: DiskCacheJob) => {
  openOrWriteCachedToolkit(folder, digest, () =>
    readContent(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  ).then(
    () => parentPort!.postMessage(digest),
    (error: unknown) => {
      throw error
    },
  )
})
