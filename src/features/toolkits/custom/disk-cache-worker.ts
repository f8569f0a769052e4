// Makes the shelves of contents, one after the other, as they are sent.
import { parentPort } from 'node:worker_threads'
import { openOrWriteCachedToolkit } from '../../../catalog/index.ts'
import { readContent } from './content.ts'

export interface ShelfJob {
  readonly folder: string
  readonly digest: string
  readonly bytes: Uint8Array
}

parentPort!.on('message', ({ folder, digest, bytes }: ShelfJob) => {
  openOrWriteCachedToolkit(folder, digest, () => readContent(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))).then(
    () => parentPort!.postMessage(digest),
    (error: unknown) => {
      throw error
    },
  )
})
